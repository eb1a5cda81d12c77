//! Events that happen once: two places, causes or makers of one event exclude each other.

use super::clause_pair::{ClauseOf, ClausePair};
use super::paraphrase::slot;
use super::phrase::{is_same_place, phrase_of};
use super::statement::Statement;
use crate::pairs::token::TokenKind;

/// Stems of verbs that happen once to their subject.
const ONCE: &[&str] = &[
    "caus", "die", "hold", "happen", "buri", "born", "bear", "birth", "found", "compos", "design", "invent", "discov",
    "paint", "build", "land", "collaps", "name", "call", "win", "sink", "make", "written", "write", "carv", "sign",
    "leav",
];

/// Stems of verbs with one maker.
const MADE: &[&str] =
    &["found", "compos", "design", "invent", "discov", "paint", "build", "written", "write", "carv", "direct"];

/// Returns the reason if two statements name two makers of one thing, in whatever voice: "designed by Ada", "Bert
/// designed".
pub(super) fn other_maker(older: &Statement, newer: &Statement) -> Option<String> {
    if older.clauses.len() != 1 || newer.clauses.len() != 1 || older.cues.announces() || newer.cues.announces() {
        return None;
    }
    let (one, other) = (ClauseOf { statement: older, number: 0 }, ClauseOf { statement: newer, number: 0 });
    let pair = ClausePair::new(one, other);
    let verbs = [one, other].map(|side| side.full_verb());
    let [Some(verb), Some(_)] = verbs else { return None };
    let made = MADE.contains(&&*verb.key) && pair.same_verb() && one.is_negated() == other.is_negated();
    if !made || !pair.same_quantity() || !pair.same_modality() || !pair.same_circumstances() {
        return None;
    }
    let thing = |(at, place): &(usize, usize)| slot(one, *at) == slot(other, *place);
    let makers = |side: ClauseOf<'_>, known: &dyn Fn(usize) -> bool| {
        let rest: Vec<usize> = side.content(side.clause().span.clone()).filter(|at| !known(*at)).collect();
        let valued = |at: usize| side.token(at).capital || matches!(side.token(at).kind, TokenKind::Number(_));
        let named = |at: &usize| valued(*at) && slot(side, *at) == "agent";
        (!rest.is_empty() && rest.iter().all(named)).then_some(rest)
    };
    let before = makers(one, &|at| pair.place_of(at).is_some())?;
    let after = makers(other, &|at| pair.own_of(at).is_some())?;
    let spell = |side: ClauseOf<'_>, places: &[usize]| {
        places.iter().map(|at| side.token(*at).canon.as_str()).collect::<Vec<_>>().join(" ")
    };
    (pair.matched.len() > 1 && pair.matched.iter().all(thing))
        .then(|| format!("'{}' and '{}' of one event", spell(one, &before), spell(other, &after)))
}

/// Returns the reason if two statements give one thing two causes, each as the only one: "only because it rained".
pub(super) fn other_sole_cause(older: &Statement, newer: &Statement) -> Option<String> {
    let parts = |statement: &'_ Statement| {
        let tokens = statement.tokens();
        let at = tokens.windows(2).position(|pair| pair[0].canon == "only" && pair[1].canon == "because")?;
        let content = |range: std::ops::Range<usize>| -> Vec<String> {
            tokens[range].iter().filter(|token| token.is_content()).map(|token| token.key.clone()).collect()
        };
        Some((content(0..at), content(at + 2..tokens.len())))
    };
    let ((thing, cause), (same, other)) = (parts(older)?, parts(newer)?);
    let apart = !cause.is_empty() && !other.is_empty() && !cause.iter().any(|word| other.contains(word));
    (!thing.is_empty() && thing == same && apart).then(|| "two causes, each the only one".to_owned())
}

/// Returns the reason if two statements give one event two places, causes or makers.
pub(super) fn other_value_of_one_event(older: &Statement, newer: &Statement) -> Option<String> {
    if older.clauses.len() != 1 || newer.clauses.len() != 1 || older.cues.announces() || newer.cues.announces() {
        return None;
    }
    let (one, other) = (ClauseOf { statement: older, number: 0 }, ClauseOf { statement: newer, number: 0 });
    let pair = ClausePair::new(one, other);
    let (left, added) = (pair.unmatched_older(), pair.unmatched_newer());
    let once = |side: ClauseOf<'_>| {
        let verb = side.clause().verb.map(|at| side.token(at));
        verb.is_some_and(|verb| ONCE.contains(&&*verb.key))
            || side.clause().span.clone().any(|at| side.token(at).key == "happen")
    };
    let sized = (1..=3).contains(&left.len()) && (1..=3).contains(&added.len());
    let same = pair.same_subject() && pair.same_verb() && one.is_negated() == other.is_negated();
    if !sized || !same || !once(one) || !once(other) || !pair.same_quantity() || !pair.same_modality() {
        return None;
    }
    let plain = |side: ClauseOf<'_>, places: &[usize]| {
        places.iter().all(|at| {
            matches!(side.token(*at).kind, TokenKind::Word | TokenKind::Name) && !side.clause().lead.contains(at)
        })
    };
    let phrases = |side: ClauseOf<'_>, places: &[usize]| {
        let first = phrase_of(side.statement, side.clause(), places[0]);
        places
            .iter()
            .all(|at| phrase_of(side.statement, side.clause(), *at).start == first.start)
            .then(|| first.preposition.to_owned())
    };
    let (before, after) = (phrases(one, &left)?, phrases(other, &added)?);
    let place = matches!(&*before, "in" | "at" | "on");
    let together = is_same_place(&before, &after, place);
    let outside = |side: ClauseOf<'_>, places: &[usize]| places.iter().all(|at| !side.clause().subject.contains(at));
    let spell = |side: ClauseOf<'_>, places: &[usize]| {
        places.iter().map(|at| side.token(*at).canon.as_str()).collect::<Vec<_>>().join(" ")
    };
    (together
        && plain(one, &left)
        && plain(other, &added)
        && outside(one, &left)
        && outside(other, &added)
        && !before.is_empty())
    .then(|| format!("'{}' and '{}' of one event", spell(one, &left), spell(other, &added)))
}
