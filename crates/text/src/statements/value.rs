//! Whether the value of an attribute was replaced by another one of the same kind.

use super::clause_pair::{ClauseOf, ClausePair};
use super::cues::{ChangeVerb, ClauseCues, Mark};
use super::phrase::{is_same_place, phrase_of};
use super::relations::{can_end, has_one_value};
use super::sorts::{Kinship, kinship};
use crate::pairs::align::matches;
use crate::pairs::lexicon::{Lexicon, is_copula};
use crate::pairs::number::NumberUnit;
use crate::pairs::token::{Token, TokenKind};

/// Largest number of words of a replaced value.
const MAX_VALUE: usize = 5;

/// Returns the reason if the newer clause gives the attribute another value. `left` are the words that
/// only the older clause has, `added` those that only the newer one has. The values are of one sort, or nobody can tell.
pub(super) fn other_value(pair: &ClausePair<'_>, left: &[usize], added: &[usize]) -> Option<(String, Kinship)> {
    let clause = pair.older.clause();
    let cues = &pair.cues;
    let change = cues.change.map(|(class, _)| class);
    let verb = pair.older.full_verb();
    let compatible = pair.same_verb() || change.is_some_and(|change| can_end(change, verb));
    if !compatible
        || added.is_empty()
        || left.len() > MAX_VALUE
        || added.len() > MAX_VALUE
        || !pair.prepositions_agree(added)
    {
        return None;
    }
    // What holds under a condition or at a time does not end what holds otherwise.
    let leads = |side: ClauseOf<'_>, places: &[usize]| places.iter().any(|at| side.clause().lead.contains(at));
    if leads(pair.older, left) || leads(pair.newer, added) {
        return None;
    }
    // "Mark's manager" and "Bill's manager": whose it is belongs to the subject.
    // So does the first name in "Ada Novak's manager".
    let owns = |side: ClauseOf<'_>, at: usize| {
        let next = side.statement.tokens().get(at + 1);
        side.token(at).possessor || side.token(at).capital && next.is_some_and(|next| next.possessor)
    };
    let owned = |side: ClauseOf<'_>, places: &[usize]| places.iter().any(|at| owns(side, *at));
    if owned(pair.older, left) || owned(pair.newer, added) {
        return None;
    }
    let former = former_words(pair)?;
    // Everything else in the older clause must be said again.
    let phrase = |at: usize| phrase_of(pair.older.statement, clause, at).start;
    if !former.is_empty() && left.iter().any(|at| !former.iter().any(|known| phrase(*known) == phrase(*at))) {
        return None;
    }
    let former_known = !former.is_empty() || !left.is_empty() && pair.retires(left);
    if left.is_empty() && former.is_empty() {
        return None;
    }
    let words = &pair.newer.statement.cues.words;
    let spell = |value: &[usize], added: &[usize]| {
        format!("'{}' became '{}': '{words}'", spell_out(pair.older, value), spell_out(pair.newer, added))
    };
    let mut value: Vec<usize> = if left.is_empty() { former } else { left.to_vec() };
    // "From Python 3.9 to 3.12": the name is not repeated.
    let figures = |side: ClauseOf<'_>, places: &[usize]| places.iter().all(|at| is_figure(side.token(*at)));
    if figures(pair.newer, added) && value.iter().any(|at| is_figure(pair.older.token(*at))) && left.is_empty() {
        value.retain(|at| is_figure(pair.older.token(*at)));
    }
    match (kinds(pair.older, &value), kinds(pair.newer, added)) {
        (Values { dates: 1.., words: 0, numbers }, Values { dates: 1.., words: 0, numbers: others }) => {
            let told = former_known || change.is_some() || cues.correction;
            // "Includes breakfast" and "now includes dinner": a thing that one verb can have several of.
            let object = phrase_of(pair.older.statement, clause, value[0]).preposition.is_empty();
            let many = object && verb.is_some_and(|verb| !has_one_value(Some(verb), "", false));
            let additional = !told && (is_open_on(pair.older, value[0]) || many);
            // "5 km on Mondays" and "10 km on Fridays" are two habits.
            let both = numbers > 0 && !told;
            return (numbers == others && !both && !additional && dates_differ(pair, &value, added))
                .then(|| (spell(&value, added), Kinship::Same));
        }
        (Values { dates: 0, words: 0, numbers: 1.. }, Values { words: 0, numbers: 1.., .. }) => {
            let added: Vec<usize> = added.iter().copied().filter(|at| is_figure(pair.newer.token(*at))).collect();
            return same_measures(pair, &value, &added).then(|| (spell(&value, &added), Kinship::Same));
        }
        (Values { dates: 0, numbers: 0, .. }, Values { numbers: 0, .. }) => {}
        _ => return None,
    }
    if matches!(change, Some(ChangeVerb::Reschedule | ChangeVerb::Amount)) {
        return None;
    }
    let added: Vec<usize> = added.iter().copied().filter(|at| !is_date_of_change(pair.newer, *at)).collect();
    if added.iter().any(|at| matches!(pair.newer.token(*at).kind, TokenKind::DateTime(_))) {
        return None;
    }
    let whole = pair.cues.former.is_some() && left.is_empty();
    if added.is_empty() || !whole && !is_single_phrase(pair.newer, &added) || !is_single_phrase(pair.older, &value) {
        return None;
    }
    let one = phrase_of(pair.older.statement, clause, value[0]).preposition;
    let other = phrase_of(pair.newer.statement, pair.newer.clause(), added[0]).preposition;
    // "Supports JSON" and "now supports YAML": values of one family exclude each other only where one is allowed.
    let many = one.is_empty()
        && (verb.is_some_and(|verb| !has_one_value(Some(verb), "", false)) || has_many_values(pair.older));
    if !many && are_opposed(pair, &value, &added) {
        return Some((spell(&value, &added), Kinship::Same));
    }
    // "Works at Acme" and "now works at night": a name does not give way to what is none.
    let is_named = |side: ClauseOf<'_>, places: &[usize]| {
        let named = |token: &Token| token.capital || matches!(token.kind, TokenKind::Name | TokenKind::Code);
        places.iter().any(|at| named(side.token(*at)))
    };
    if !former_known && !cues.correction && is_named(pair.older, &value) != is_named(pair.newer, &added) {
        return None;
    }
    // "We use Black for Kestrel": what something is for, of or about is a part of the subject.
    let employed = verb.is_some_and(|verb| matches!(&*verb.key, "work" | "employ"));
    if !former_known
        && !cues.correction
        && !employed
        && matches!(one, "for" | "of" | "about" | "against" | "between" | "without")
    {
        return None;
    }
    // Who moves to another desk does not move to another town.
    if former_words_are_unnamed(&pair.cues) && !is_same_kind(pair, &value, &added) {
        return None;
    }
    let purpose = has_shared_purpose(pair);
    // "In Berlin" and "in Germany", "in the sales team" and "in hospital": only values of one sort replace each other.
    let told = former_known || cues.correction || one.is_empty() && (purpose || modifies_shared(pair, &value, &added));
    let labelled = one.is_empty() && verb.is_none() && is_attribute_of(pair);
    let kinship = if told { Kinship::Same } else { kinship(pair, &value, &added) };
    let kinship = if labelled && kinship == Kinship::Unknown { Kinship::Same } else { kinship };
    if kinship == Kinship::Other {
        return None;
    }
    // Who works for somebody works at the same place.
    let employs = |word: &str| employed && matches!(word, "at" | "for" | "by" | "with");
    let same_employer = employs(one) && employs(other);
    if !same_employer && !is_same_place(one, other, change.is_some() || former_known) {
        return None;
    }
    let placed = matches!(one, "in" | "at" | "on" | "near" | "from");
    let single = former_known
        || cues.correction
        || match change {
            Some(ChangeVerb::Switch) => purpose && verb.is_none_or(|verb| verb.key == "use"),
            Some(ChangeVerb::Move) => placed,
            Some(ChangeVerb::Rename) => true,
            Some(_) => false,
            None if uses(pair.older) => purpose,
            None if verb.is_none() && (has_many_values(pair.older) || belongs_to_group(pair, &value)) => false,
            None if verb.is_none() && is_one_of_many(pair.older, value[0]) => false,
            None if verb.is_none() && one.is_empty() && takes_objects(pair.older) => false,
            None => {
                has_one_value(verb, one, is_person(pair))
                    || one.is_empty() && !leads_many(pair) && modifies_shared(pair, &value, &added)
            }
        };
    let complement = verb.is_some() || former_known || cues.correction || is_one_complement(pair, &value, &added);
    (single && complement).then(|| (spell(&value, &added), kinship))
}

/// Returns true if the subject is the name of an attribute with one value: "our password is heron", "default branch: trunk".
fn is_attribute_of(pair: &ClausePair<'_>) -> bool {
    let lexicon = Lexicon::shared();
    let note = pair.older.clause().predicate.is_none();
    note || pair.subjects[0].iter().any(|at| {
        let token = pair.older.token(*at);
        lexicon.has_one_name(&token.key) && !token.possessor && !token.capital
    })
}

/// Returns true if a value stands behind an adjective or noun that takes many of them: who is allergic to nuts can be
/// allergic to latex as well, and the mother of one child is the mother of two. "The desk is in Porto" has none before it.
fn is_one_of_many(side: ClauseOf<'_>, value: usize) -> bool {
    let clause = side.clause();
    let verb = clause.verb.or(clause.predicate);
    let start = verb.map_or(clause.subject.end, |verb| verb + 1);
    (start..value).any(|at| side.token(at).is_content() && side.mark(at) == Mark::Plain)
}

/// Returns true if an adjective stands before a day of the week: what is open on Saturdays may be open on Sundays as well.
pub(super) fn is_open_on(side: ClauseOf<'_>, value: usize) -> bool {
    let weekly =
        matches!(side.token(value).kind, TokenKind::DateTime(when) if when.weekday.is_some() && when.day.is_none());
    let adjective = |at: usize| {
        let token = side.token(at);
        token.kind == TokenKind::Word
            && !token.canon.ends_with("ed")
            && token.canon != "due"
            && side.mark(at) == Mark::Plain
    };
    let clause = side.clause();
    let copula = clause.predicate.filter(|at| is_copula(&side.token(*at).canon));
    weekly && copula.is_some_and(|start| (start + 1..value).any(adjective))
}

/// Returns true for what a person can do for several groups or things: "leads the design team", "runs the day shift".
fn leads_many(pair: &ClausePair<'_>) -> bool {
    let verb = pair.older.clause().verb.map(|at| pair.older.token(at).key.as_str());
    is_person(pair)
        && matches!(verb, Some("lead" | "manag" | "run" | "chair" | "maintain" | "teach" | "edit" | "coach" | "train"))
}

/// Returns true if the subject may be a person: a name or a pronoun.
fn is_person(pair: &ClausePair<'_>) -> bool {
    pair.subjects[0].is_empty() || pair.subjects[0].iter().any(|at| pair.older.token(*at).capital)
}

fn former_words_are_unnamed(cues: &ClauseCues) -> bool {
    cues.former.is_none() && matches!(cues.change, Some((ChangeVerb::Move | ChangeVerb::Transfer, _)))
}

/// Returns true if two values can be of the same kind: both are names, both codes, or both descriptions with a common
/// noun or without one.
fn is_same_kind(pair: &ClausePair<'_>, value: &[usize], added: &[usize]) -> bool {
    let described = |side: ClauseOf<'_>, places: &[usize]| places.iter().any(|at| !side.token(*at).capital);
    let coded = |side: ClauseOf<'_>, places: &[usize]| places.iter().any(|at| side.token(*at).kind == TokenKind::Code);
    described(pair.older, value) == described(pair.newer, added) && coded(pair.older, value) == coded(pair.newer, added)
}

/// Returns true for verbs without much meaning that take many objects: "has a boat", "owns a house".
fn has_many_values(side: ClauseOf<'_>) -> bool {
    let at = side.clause().verb.or(side.clause().predicate);
    at.is_some_and(|at| {
        matches!(
            &*side.token(at).key,
            "have" | "has" | "had" | "own" | "possess" | "get" | "make" | "do" | "includ" | "contain" | "give"
        )
    })
}

/// Returns true if the clause has a verb that says little and may take a second object: "supports JSON".
fn takes_objects(side: ClauseOf<'_>) -> bool {
    let verb = side.clause().verb.map(|at| side.token(at));
    verb.is_some_and(|verb| !is_copula(&verb.canon) && !has_one_value(Some(verb), "", false))
}

/// Returns true for "uses", which says too little to count as a verb of its own: who uses one thing for nothing in
/// particular can use a second one.
fn uses(side: ClauseOf<'_>) -> bool {
    side.clause().verb.is_some_and(|at| side.token(at).key == "use")
}

/// Returns true if somebody is said to be in a group of which one can be in several: "on the hiring panel".
fn belongs_to_group(pair: &ClausePair<'_>, value: &[usize]) -> bool {
    let Some(last) = value.last() else { return false };
    let group = |at: usize| {
        matches!(
            &*pair.older.token(at).key,
            "panel"
                | "committe"
                | "committee"
                | "board"
                | "council"
                | "juri"
                | "jury"
                | "list"
                | "rota"
                | "group"
                | "band"
                | "club"
                | "channel"
                | "thread"
                | "project"
        )
    };
    is_person(pair) && (*last..(last + 2).min(pair.older.clause().span.end)).any(group)
}

/// Returns the tokens of the older clause that the newer one names as former; none if it names
/// something that the older clause does not have, or only in its subject.
fn former_words(pair: &ClausePair<'_>) -> Option<Vec<usize>> {
    let Some(former) = pair.cues.former.clone() else { return Some(Vec::new()) };
    let mut words = Vec::new();
    for place in former {
        let token = pair.newer.token(place);
        if matches!(token.kind, TokenKind::Function | TokenKind::Negator) || super::clause_pair::is_negligible(token) {
            continue;
        }
        // "30 instead of 14" leaves out the unit.
        let bare = |at: &usize| match (pair.older.token(*at).kind, token.kind) {
            (TokenKind::Number(_), TokenKind::Number(figure)) => {
                figure.measure == NumberUnit::Plain && is_written_with(pair.older, *at, figure.value)
            }
            _ => false,
        };
        // "A JSON file instead of a CSV file" repeats a word of the value.
        let again = |at: &usize| matches(pair.older.token(*at), token);
        let span = pair.older.clause().span.clone();
        let known = pair.own_of(place).or_else(|| span.clone().find(bare)).or_else(|| span.clone().find(again));
        let at = known.filter(|at| !pair.subjects[0].contains(at) && pair.older.mark(*at) == Mark::Plain)?;
        words.push(at);
    }
    (!words.is_empty()).then_some(words)
}

/// Returns true if a number in a unit is written with the given figure: "14 days" and "14".
fn is_written_with(side: ClauseOf<'_>, at: usize, figure: f64) -> bool {
    let first = side.token(at).at;
    let alone = &side.statement.words.pieces[first..=first];
    crate::pairs::number::parse(alone, 0).is_some_and(|(number, _)| (number.value - figure).abs() < 1e-9)
}

/// The kinds of words of a value.
struct Values {
    dates: usize,
    numbers: usize,
    words: usize,
}

fn kinds(side: ClauseOf<'_>, places: &[usize]) -> Values {
    let dates = places.iter().filter(|at| matches!(side.token(**at).kind, TokenKind::DateTime(_))).count();
    let numbers = places.iter().filter(|at| is_figure(side.token(**at))).count();
    Values { dates, numbers, words: places.len() - dates - numbers }
}

fn is_figure(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Number(_))
        || token.kind == TokenKind::Code && token.canon.chars().all(|c| !c.is_alphabetic() || c == 'v')
}

fn same_measures(pair: &ClausePair<'_>, value: &[usize], added: &[usize]) -> bool {
    value.len() == added.len()
        && value.iter().zip(added).all(|(one, other)| {
            match (pair.older.token(*one).kind, pair.newer.token(*other).kind) {
                (TokenKind::Number(one), TokenKind::Number(other)) => one.measure == other.measure,
                (TokenKind::Code, TokenKind::Code) => true,
                (TokenKind::Code, TokenKind::Number(number)) | (TokenKind::Number(number), TokenKind::Code) => {
                    number.measure == NumberUnit::Plain
                }
                _ => false,
            }
        })
}

fn dates_differ(pair: &ClausePair<'_>, value: &[usize], added: &[usize]) -> bool {
    let dates = |side: ClauseOf<'_>, places: &[usize]| -> Vec<_> {
        let found = places.iter().filter_map(|at| match side.token(*at).kind {
            TokenKind::DateTime(when) => Some(when),
            _ => None,
        });
        found.collect()
    };
    let (old, new) = (dates(pair.older, value), dates(pair.newer, added));
    old.len() == new.len() && old.iter().zip(&new).all(|(one, other)| one.is_comparable(other) && !one.agrees(other))
}

/// Returns true if a date only says when the change happened.
fn is_date_of_change(side: ClauseOf<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| side.token(at).canon.as_str());
    matches!(side.token(at).kind, TokenKind::DateTime(_))
        && matches!(before, "in" | "on" | "since" | "from" | "this" | "last")
}

fn is_single_phrase(side: ClauseOf<'_>, places: &[usize]) -> bool {
    let mut starts = places.iter().map(|at| phrase_of(side.statement, side.clause(), *at).start);
    let first = starts.next();
    starts.all(|start| Some(start) == first)
}

fn are_opposed(pair: &ClausePair<'_>, value: &[usize], added: &[usize]) -> bool {
    let strip = |key: &str| key.strip_prefix("re").filter(|rest| rest.len() >= 4).unwrap_or(key).to_owned();
    let ([one], [other]) = (value, added) else { return false };
    let (one, other) = (strip(&pair.older.token(*one).key), strip(&pair.newer.token(*other).key));
    Lexicon::shared().opposition(&one, &other).is_some()
}

/// Returns true if a word behind the verb is shared: "use Zulip for tickets".
fn has_shared_purpose(pair: &ClausePair<'_>) -> bool {
    pair.matched.iter().any(|(at, place)| {
        !pair.subjects[0].contains(at)
            && !pair.subjects[1].contains(place)
            && pair.older.clause().verb != Some(*at)
            && pair.newer.mark(*place) == Mark::Plain
    })
}

/// Returns true if both values modify the same shared noun: "second violin" and "first violin".
fn modifies_shared(pair: &ClausePair<'_>, value: &[usize], added: &[usize]) -> bool {
    let (Some(one), Some(other)) = (value.last(), added.last()) else { return false };
    pair.matched.contains(&(one + 1, other + 1))
}

/// Returns true unless both complements may be true: "Ada is a teacher" and "Ada is now a mother".
fn is_one_complement(pair: &ClausePair<'_>, value: &[usize], added: &[usize]) -> bool {
    let article = |side: ClauseOf<'_>, at: usize| at > 0 && matches!(&*side.token(at - 1).canon, "a" | "an");
    let indefinite = value.iter().any(|at| article(pair.older, *at)) || added.iter().any(|at| article(pair.newer, *at));
    let person = pair.subjects[0].iter().any(|at| pair.older.token(*at).capital);
    let preposition = phrase_of(pair.older.statement, pair.older.clause(), value[0]).preposition;
    let named = value.iter().any(|at| pair.older.token(*at).capital);
    let note = pair.older.clause().predicate.is_none();
    !indefinite && (!person || !preposition.is_empty() || named || note)
}

fn spell_out(side: ClauseOf<'_>, places: &[usize]) -> String {
    let pieces = &side.statement.words.pieces;
    let tokens = &side.statement.words.tokens;
    let written = |at: usize| {
        let end = tokens.get(at + 1).map_or(pieces.len(), |next| next.at);
        pieces[tokens[at].at..end].iter().map(|piece| piece.lower.as_str()).collect::<Vec<_>>().join(" ")
    };
    places.iter().take(4).map(|at| written(*at)).collect::<Vec<_>>().join(" ")
}
