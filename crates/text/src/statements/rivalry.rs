//! How likely it is that two statements give one thing two values, where no rule can tell.
//!
//! A logistic regression over the cosine and over what the words of two statements share. It archives nothing: what it finds is
//! marked as a contradiction, so that both stay and a person or an agent can settle it. `elfmem-bench rivals` fits the weights.

use super::Form;
use super::clause_pair::ClauseOf;
use super::cues::{Cue, Mark};
use super::residue::{Residue, is_heavy};
use super::statement::{Statement, StatementKind};
use super::verdict::PairThresholds;
use crate::pairs::token::{Token, TokenKind};

/// The features of a pair, in this order.
pub const RIVAL_FEATURES: [&str; 20] = [
    "cosine, 0 at the prefilter and 1 at near",
    "share of the older words that the newer one has",
    "share of the older subject that the newer one has",
    "share of the newer subject that the older one has",
    "both shares multiplied",
    "the same owners",
    "no name is longer in the newer one",
    "a name in each that the other does not have",
    "a number in each that the other does not have",
    "a date in each that the other does not have",
    "the newer one announces a change",
    "the newer one has a verb of change",
    "the newer one adds something",
    "the newer one names what the older one says as former",
    "a state and an event",
    "two events",
    "one is a hypothesis",
    "one is a plan",
    "words of the older one, logarithm",
    "words of the newer one, logarithm",
];

/// The reason of a contradiction that was found so.
pub const RIVALS: &str = "probably two values of one thing";

/// The constant and the weights.
const WEIGHTS: [f64; RIVAL_FEATURES.len() + 1] = [
    -0.986, 0.550, 0.408, -0.258, -0.598, -0.744, 0.007, -1.159, -0.141, -0.044, 0.206, 0.151, -0.192, -0.587, 0.125,
    2.009, 0.429, -0.467, 0.000, -0.723, 1.833,
];

/// The probability from which a pair is marked. With an author left out it marked a quarter of the updates that the rules
/// miss, and one of 127 pairs of others that are both true.
pub(super) const LIKELY: f64 = 0.75;

/// Words that both statements must have, and the share of the older subject that the newer one must name: long texts that
/// have a person or a unit in common speak of many things.
const MIN_COMMON: usize = 2;
const MIN_SUBJECT: f64 = 0.5;

/// Returns the probability that both statements give one thing two values; none if one of them is not prose in a known
/// language, if the older one says several things, if they have too little in common, or if the newer one repeats its values.
pub(super) fn likelihood(older: &Statement, newer: &Statement, cosine: f64, thresholds: PairThresholds) -> Option<f64> {
    let fit = |statement: &Statement| {
        statement.form == Form::Prose && statement.language.is_some() && !statement.words.question
    };
    if !fit(older) || !fit(newer) || older.language != newer.language || older.clauses.len() > 1 {
        return None;
    }
    if !have_much_in_common(older, newer) || repeats_values(older, newer) {
        return None;
    }
    let features = rival_features(older, newer, cosine, thresholds);
    let sum: f64 = features.iter().zip(&WEIGHTS[1..]).map(|(feature, weight)| feature * weight).sum();
    Some(1.0 / (1.0 + (-(WEIGHTS[0] + sum)).exp()))
}

/// Returns true if the newer statement names the subject of the older one, and two words of it in all.
fn have_much_in_common(older: &Statement, newer: &Statement) -> bool {
    let matched: Vec<usize> = Residue::new(older, newer).matched.iter().map(|(own, _)| *own).collect();
    let common = matched.iter().filter(|at| is_heavy(older, **at)).count();
    common >= MIN_COMMON && share_of_subject(older, |at| matched.contains(&at)) >= MIN_SUBJECT
}

/// Returns the share of the words of a statement's first subject that are known; a half if it has none.
fn share_of_subject(statement: &Statement, known: impl Fn(usize) -> bool) -> f64 {
    let first = statement.clauses.first().map(|_| ClauseOf { statement, number: 0 }.subject_words());
    let words = first.unwrap_or_default();
    match words.len() {
        0 => 0.5,
        count => words.iter().filter(|at| known(**at)).count() as f64 / count as f64,
    }
}

/// Returns true if the newer statement says every name, number and date again that the older one gives its subject.
pub(super) fn repeats_values(older: &Statement, newer: &Statement) -> bool {
    let residue = Residue::new(older, newer);
    let valued = |at: usize| {
        let token = &older.tokens()[at];
        let typed =
            matches!(token.kind, TokenKind::Number(_) | TokenKind::DateTime(_) | TokenKind::Code | TokenKind::Name);
        let subject = older.clauses.first().is_some_and(|clause| clause.subject.contains(&at));
        !subject && (typed || token.capital && !token.opens)
    };
    let again = |at: usize| {
        let place = residue.matched.iter().find(|(own, _)| *own == at).map(|(_, place)| *place);
        place.is_some_and(|place| newer.cues.mark(place) != Mark::Former)
    };
    let values: Vec<usize> = (0..older.tokens().len()).filter(|at| valued(*at)).collect();
    !values.is_empty() && values.into_iter().all(again)
}

/// Returns what tells two values of one thing from two things. See [`RIVAL_FEATURES`].
pub fn rival_features(
    older: &Statement,
    newer: &Statement,
    cosine: f64,
    thresholds: PairThresholds,
) -> [f64; RIVAL_FEATURES.len()] {
    let residue = Residue::new(older, newer);
    let flag = |value: bool| f64::from(u8::from(value));
    let heavy = |statement: &Statement| (0..statement.tokens().len()).filter(|at| is_heavy(statement, *at)).count();
    let alone = |statement: &Statement, places: &[usize], test: &dyn Fn(&Token) -> bool| {
        places.iter().any(|at| test(&statement.tokens()[*at]))
    };
    let both =
        |test: &dyn Fn(&Token) -> bool| flag(alone(older, &residue.left, test) && alone(newer, &residue.added, test));
    let named = |token: &Token| {
        token.is_heavy() && (token.capital && !token.opens || matches!(token.kind, TokenKind::Name | TokenKind::Code))
    };
    let own = share_of_subject(older, |at| residue.matched.iter().any(|(one, _)| *one == at));
    let other = share_of_subject(newer, |at| residue.matched.iter().any(|(_, place)| *place == at));
    let left = residue.left.iter().filter(|at| is_heavy(older, **at)).count();
    let kind = |kind: StatementKind| flag(older.kind == kind || newer.kind == kind);
    let events = [older, newer].map(|statement| statement.kind == StatementKind::Episode);
    let former = residue.matched.iter().any(|(_, place)| newer.cues.mark(*place) == Mark::Former);
    let scale = (thresholds.near - thresholds.contradiction_prefilter).max(0.01);
    [
        (cosine - thresholds.contradiction_prefilter) / scale,
        1.0 - left as f64 / heavy(older).max(1) as f64,
        own,
        other,
        own * other,
        flag(residue.same_owners()),
        flag(residue.same_phrases()),
        both(&named),
        both(&|token| matches!(token.kind, TokenKind::Number(_))),
        both(&|token| matches!(token.kind, TokenKind::DateTime(_))),
        flag(newer.cues.announces()),
        flag(newer.cues.change().is_some()),
        flag(newer.cues.has(Cue::Also)),
        flag(former),
        flag(!events[0] && events[1]),
        flag(events[0] && events[1]),
        kind(StatementKind::Hypothesis),
        kind(StatementKind::Plan),
        (heavy(older) as f64).ln_1p(),
        (heavy(newer) as f64).ln_1p(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(older: &str, newer: &str, cosine: f64) -> Option<f64> {
        likelihood(&Statement::parse(older), &Statement::parse(newer), cosine, PairThresholds::BUILT_IN)
    }

    #[test]
    fn news_about_a_state_is_likelier_than_news_about_something_else() {
        let state = "The spare key is under the blue flowerpot.";
        let news = "I took the spare key from under the pot and gave it to the neighbour.";
        let other = "The neighbour asked whether the dog may stay.";
        assert!(score(state, news, 0.85) > score(state, other, 0.3));
        assert!(score(state, news, 0.85) > Some(LIKELY));
        assert!(score(state, other, 0.3) < Some(0.5));
    }

    #[test]
    fn texts_that_share_a_person_or_a_unit_are_no_rivals() {
        let long = "Luna chewed out her stitches on day 3. Restitched by Felix at no cost, next check on Friday.";
        assert_eq!(score("Felix has Wednesdays off.", long, 0.9), None);
        assert_eq!(score("The nightly build starts at 02:30 UTC.", "Maintainer call at 19:00 UTC.", 0.9), None);
    }

    #[test]
    fn what_repeats_the_values_is_no_rival() {
        assert_eq!(score("The wiki listens on port 3306.", "The wiki moved from port 9090 to port 3306.", 0.9), None);
        assert_eq!(score("Ada lives in Porto. Bert lives in Faro.", "Ada moved to Braga.", 0.9), None);
    }
}
