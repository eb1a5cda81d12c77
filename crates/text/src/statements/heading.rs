//! Notes under one heading: "Kim's holiday: flight booked" and "Kim's holiday: the hotel is cancelled now".
//!
//! What stands before the colon names a list of matters, and each note speaks of one of them. A later note about another
//! matter says nothing about the first.

use super::statement::Statement;
use crate::pairs::token::{Token, TokenKind};

/// Words of a heading at most; more before a colon are a sentence.
const MAX_HEADING: usize = 6;

/// Returns true if both texts have the same heading and speak of different matters under it.
pub fn is_other_matter_under_heading(older: &str, newer: &str) -> bool {
    let (Some((heading, older)), Some((other, newer))) = (split(older), split(newer)) else { return false };
    if heading.to_lowercase() != other.to_lowercase() {
        return false;
    }
    let (older, newer) = (Statement::parse(older), Statement::parse(newer));
    let known = |word: &&Token| older.tokens().iter().any(|token| token.canon == word.canon || token.key == word.key);
    let subject = subject(&newer);
    if !subject.is_empty() {
        return !subject.iter().any(known);
    }
    let (before, after) = (content_words(older.tokens()), content_words(newer.tokens()));
    let has_figures = older.tokens().iter().chain(newer.tokens()).any(is_figure);
    // "Owner: Priti Osbourne" has a name for its value.
    let is_name = |words: &[&Token]| words.iter().all(|word| word.capital || word.kind == TokenKind::Name);
    let are_notes = [&before, &after].iter().all(|words| words.len() > 1 && !is_name(words));
    are_notes && !has_figures && !after.iter().any(known)
}

/// Splits a text at its first colon, if a heading stands before it.
fn split(text: &str) -> Option<(&str, &str)> {
    let (heading, rest) = text.split_once(':')?;
    let is_heading = (1..=MAX_HEADING).contains(&heading.split_whitespace().count());
    (is_heading && rest.starts_with(char::is_whitespace) && !rest.trim().is_empty())
        .then(|| (heading.trim(), rest.trim()))
}

/// Returns the words of the subject that the first clause has before its verb.
fn subject(statement: &Statement) -> Vec<&Token> {
    let clause = statement.clauses.first().filter(|clause| clause.predicate.is_some());
    clause.map(|clause| content_words(&statement.tokens()[clause.subject.clone()])).unwrap_or_default()
}

/// Returns the tokens that tell something.
fn content_words(tokens: &[Token]) -> Vec<&Token> {
    let tells =
        |token: &&Token| !token.light && matches!(token.kind, TokenKind::Word | TokenKind::Name | TokenKind::Code);
    tokens.iter().filter(tells).collect()
}

fn is_figure(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Number(_) | TokenKind::DateTime(_))
}

#[cfg(test)]
mod tests {
    use super::is_other_matter_under_heading;
    use crate::statements::{PairThresholds, Verdict, judge_texts};

    #[test]
    fn another_matter_under_one_heading_replaces_nothing() {
        for (older, newer) in [
            ("Kim's holiday: flight booked", "Kim's holiday: hotel is cancelled now"),
            ("Project Orion: backend finished", "Project Orion: frontend is blocked now"),
            ("Release checklist: changelog written", "Release checklist: tests are failing now"),
            ("Kitchen: tap repaired", "Kitchen: oven broken now"),
            ("Kitchen: oven broken", "Kitchen: fridge works again"),
            ("Anna's onboarding: laptop is ordered", "Anna's onboarding: badge is ordered now"),
            ("Anna's onboarding: mentor is Paul", "Anna's onboarding: badge is ready now"),
            ("Umzug: Küche gestrichen", "Umzug: das Bad ist jetzt fertig"),
        ] {
            assert!(is_other_matter_under_heading(older, newer), "{older} / {newer}");
            for cosine in [0.5, 0.7, 0.9] {
                let verdict = judge_texts(older, newer, cosine, PairThresholds::BUILT_IN);
                assert!(!matches!(verdict, Verdict::Supersedes { .. }), "{older} / {newer}: {verdict:?}");
            }
        }
    }

    #[test]
    fn the_same_matter_and_a_plain_value_are_no_other_matter() {
        for (older, newer) in [
            ("Wifi: figos2023", "Wifi: marmelo-47"),
            ("pager handover: Monday 10:00", "pager handover: Wednesday 14:00, mondays were too crowded"),
            ("Kitchen: the oven is broken", "Kitchen: the oven works again"),
            ("Owner of hutch: Priti Osbourne", "Owner of hutch: Tam Widdershaw"),
            ("Kitchen: tap repaired", "Garden: tap dripping again"),
            ("Standup at 9:30 in the kitchen", "Standup at 9:45 in the kitchen"),
        ] {
            assert!(!is_other_matter_under_heading(older, newer), "{older} / {newer}");
        }
    }
}
