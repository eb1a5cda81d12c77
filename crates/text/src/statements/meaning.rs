//! Statements that say the same in other words, by meaning: near for the encoder, and without a difference that counts.

use super::Form;
use super::cues::Cue;
use super::statement::{Statement, StatementKind};
use crate::language::Language;
use crate::pairs::align::{have_common_root, matches};
use crate::pairs::comparison::StatementPair;
use crate::pairs::token::{Proportion, Token, TokenKind};

/// How far the cosine of a text that was put together anew may lie below that of a near duplicate.
const REBUILT: f64 = 0.17;

/// Returns true if two English statements say the same in other words. In other languages the encoder finds a text and its
/// opposite near, so that words alone decide there.
pub(super) fn restates(older: &Statement, newer: &Statement, cosine: f64, near: f64) -> bool {
    let fit = |statement: &Statement| {
        statement.form == Form::Prose
            && statement.language == Some(Language::English)
            && !statement.words.question
            && !statement.words.is_long()
    };
    if cosine < near - REBUILT || !fit(older) || !fit(newer) {
        return false;
    }
    let pair = StatementPair::new(&older.words, &newer.words);
    says_nothing_else(&pair)
        && is_rebuilt(&pair)
        && !is_exchange_of_parties(older, newer, &pair)
        && nothing_that_counts_differs(older, newer, &pair)
}

/// Returns true if nothing differs between two statements that a paraphrase keeps: names, numbers, dates, negation,
/// quantity, modality, time, condition, opposites.
fn nothing_that_counts_differs(older: &Statement, newer: &Statement, pair: &StatementPair<'_>) -> bool {
    let alignment = &pair.alignment;
    let rivals = alignment.numbers.len() + alignment.dates.len() + alignment.names.len() + alignment.opposites.len();
    let weighty = |token: &&Token| {
        token.capital && !token.opens
            || matches!(token.kind, TokenKind::Name | TokenKind::Code | TokenKind::Number(_) | TokenKind::DateTime(_))
    };
    let lasting = |statement: &Statement| matches!(statement.kind, StatementKind::State | StatementKind::Instruction);
    rivals == 0
        && alignment.shared_content() > 0
        && !alignment.rest.iter().flatten().any(weighty)
        && lasting(older) == lasting(newer)
        && older.words.exclusive == newer.words.exclusive
        && times(older) == times(newer)
        && Limits::of(older) == Limits::of(newer)
        && identifiers(older) == identifiers(newer)
}

/// Returns which words of time and change a statement has. Verbs of change are left out: "grew up" is none.
fn times(statement: &Statement) -> [bool; 6] {
    [Cue::Now, Cue::Since, Cue::NoLonger, Cue::Correction, Cue::Past, Cue::Also].map(|cue| statement.cues.has(cue))
}

/// What limits a statement, whatever the words.
#[derive(Debug, PartialEq, Eq)]
struct Limits {
    negated: bool,
    whole: bool,
    part: bool,
    able: bool,
    bound: bool,
    conditional: bool,
    alternative: bool,
    compared: bool,
}

impl Limits {
    fn of(statement: &Statement) -> Self {
        let tokens = statement.tokens();
        let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&&*token.canon));
        let quantity = |test: &dyn Fn(Proportion) -> bool| {
            tokens.iter().any(|token| matches!(token.kind, TokenKind::Quantifier(proportion) if test(proportion)))
        };
        Self {
            negated: tokens.iter().filter(|token| token.kind == TokenKind::Negator).count() % 2 == 1,
            whole: quantity(&|proportion| proportion == Proportion::ALL),
            part: quantity(&|proportion| proportion != Proportion::ALL),
            able: has(&["can", "could", "may", "might", "able"]),
            bound: has(&["must", "should", "shall"]),
            conditional: has(&["if", "unless", "until", "except", "when", "whenever", "would", "will"]),
            alternative: has(&["or", "but"]),
            compared: has(&["than"]),
        }
    }
}

/// Returns true if the shared words stand in another order.
fn is_rebuilt(pair: &StatementPair<'_>) -> bool {
    let mut shared = pair.alignment.shared.clone();
    shared.sort_unstable();
    shared.windows(2).any(|two| two[0].1 > two[1].1)
}

/// Returns true if every word of one text has its partner in the other, but for words that say little. The encoder finds "the
/// importer fills the cache" and "the importer reads the cache" near, so a word of its own keeps both.
fn says_nothing_else(pair: &StatementPair<'_>) -> bool {
    pair.alignment.rest.iter().flatten().all(|token| token.light)
}

/// Returns true if both say the same words with the same verb, put together differently: "the Drin flows into the Vell",
/// "the Vell flows into the Drin". A passive is no such exchange.
fn is_exchange_of_parties(older: &Statement, newer: &Statement, pair: &StatementPair<'_>) -> bool {
    let passive = |statement: &Statement| statement.tokens().iter().any(|token| token.canon == "by");
    let verb = |statement: &Statement| {
        statement.clauses.first().and_then(|clause| clause.verb).map(|at| statement.tokens()[at].clone())
    };
    let same_verb = match (verb(older), verb(newer)) {
        (Some(one), Some(other)) => matches(&one, &other) || have_common_root(&one, &other),
        (one, other) => one.is_none() && other.is_none(),
    };
    if passive(older) != passive(newer) {
        return false;
    }
    // "Ines supervises Karl", "Karl is the supervisor of Ines": the noun of a verb says who is who only in a few forms, and
    // one that names who acts changes nothing in the order.
    let sides = &pair.alignment.sides;
    let relation = |at: usize, place: usize| {
        sides[0][at].verb != sides[1][place].verb || sides[0][at].canon != sides[1][place].canon
    };
    let related = pair.alignment.shared.iter().filter(|(at, place)| relation(*at, *place));
    let nouns: Vec<&str> = related.flat_map(|(at, place)| [&*sides[0][*at].canon, &*sides[1][*place].canon]).collect();
    let acts = nouns.iter().any(|noun| noun.ends_with("er") || noun.ends_with("or"));
    let suffers = nouns.iter().any(|noun| noun.ends_with("ency") || noun.ends_with("ence") || noun.ends_with("ee"));
    let named =
        |token: &Token| token.capital || matches!(token.kind, TokenKind::Name | TokenKind::Code | TokenKind::Number(_));
    let names = pair.alignment.shared.iter().filter(|(at, place)| named(sides[0][*at]) && named(sides[1][*place]));
    let mut places: Vec<(usize, usize)> = names.copied().collect();
    places.sort_unstable();
    let crossed = places.windows(2).any(|two| two[0].1 > two[1].1);
    same_verb || acts || crossed && !suffers
}

/// Returns the identifiers of a text, as they are written: words with a sign inside.
fn identifiers(statement: &Statement) -> Vec<String> {
    let mut found: Vec<String> = statement
        .text()
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| word.contains(['_', '/', '@', '#', '.']) || word.matches('-').count() > 1)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use crate::statements::{PairThresholds, Verdict, judge_texts};

    fn is_paraphrase(older: &str, newer: &str, cosine: f64) -> bool {
        let verdict = judge_texts(older, newer, cosine, PairThresholds { near: 0.92, ..PairThresholds::BUILT_IN });
        matches!(verdict, Verdict::Paraphrase { .. })
    }

    #[test]
    fn another_build_of_the_same_words_is_a_paraphrase() {
        for (older, newer) in [
            ("Package tern depends on package gull.", "Package gull is a dependency of package tern."),
            ("A dozen eggs go into the batter.", "The batter takes twelve eggs."),
        ] {
            assert!(is_paraphrase(older, newer, 0.88), "{older} / {newer}");
            assert!(!is_paraphrase(older, newer, 0.6), "{older} / {newer}");
        }
    }

    #[test]
    fn a_high_cosine_does_not_hide_what_counts() {
        for (older, newer) in [
            ("The Drin flows into the Vell.", "The Vell flows into the Drin."),
            ("Ines supervises Karl.", "Karl is the supervisor of Ines."),
            ("The scheduler feeds the worker.", "The worker is the feeder of the scheduler."),
            ("Alder funds Birch.", "Birch gives funding to Alder."),
            ("Hedwig is Roswitha's mother.", "Roswitha is Hedwig's mother."),
            ("The cello needs new strings.", "The cello needs a new bow."),
            ("The cache is filled by the importer.", "The importer reads the cache."),
            ("Ivan is Olga's boss.", "Olga drives to work with Ivan."),
            ("A dozen eggs go into the batter.", "The batter takes ten eggs."),
            ("A dozen eggs go into the batter.", "The batter may take twelve eggs."),
            ("A dozen eggs go into the batter.", "The batter does not take twelve eggs."),
            ("L'essai du 14 juin a réussi.", "L'essai du 14 juin a échoué."),
        ] {
            assert!(!is_paraphrase(older, newer, 0.97), "{older} / {newer}");
        }
    }
}
