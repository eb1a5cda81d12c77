//! Finds first-person statements of value, constraint, style and goal.
//!
//! Only the *start* of a sentence counts: `I never deploy on Fridays`, `My goal is …`. So
//! quotations, speaker labels (`Bob: I never …`) and reported speech (`She said I must …`) do not
//! match. Questions, one-off plans and past events are not statements about the agent. In long
//! texts, "I" is their author.

use std::collections::BTreeSet;

use super::words::{ADVERBS, ANSWERING, ANSWERS, GOALS, LOOSE_MUST, OCCASIONS, OTHERS, REPORTED, STYLES, VALUES};
use crate::analyst::SelfAspect;

/// Maximum length in characters of a text whose "I" is the agent.
const MAX_STATEMENT_CHARS: usize = 600;

/// Introductory clauses allowed before the statement, up to a comma.
const OPENINGS: &[&str] =
    &["when ", "whenever ", "before ", "as a ", "as an ", "above all", "by default", "in general"];

/// Returns the distinct aspects that a text states about its speaker.
pub(super) fn stated_aspects(text: &str) -> BTreeSet<SelfAspect> {
    if text.chars().nth(MAX_STATEMENT_CHARS).is_some() {
        return BTreeSet::new();
    }
    sentences(text).filter_map(aspect_of).collect()
}

/// Splits text into sentences with their final punctuation. A full stop inside a word (`v2.1`) is
/// not an end.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let mut stops = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, c)) = stops.next() {
            let at_word_end = stops.peek().is_none_or(|(_, next)| next.is_whitespace());
            if matches!(c, '\n' | ';') || (matches!(c, '.' | '!' | '?') && at_word_end) {
                let end = at + c.len_utf8();
                return Some(&text[std::mem::replace(&mut start, end)..end]);
            }
        }
        (start < text.len()).then(|| &text[std::mem::replace(&mut start, text.len())..])
    })
    .map(str::trim)
    .filter(|sentence| !sentence.is_empty())
}

fn aspect_of(sentence: &str) -> Option<SelfAspect> {
    if sentence.ends_with('?') {
        return None;
    }
    let lower = sentence.to_lowercase().replace('’', "'");
    let statement = without_opening(lower.trim_start_matches(['-', '*', '•', ' ']));
    if !statement.starts_with(char::is_alphabetic) {
        return None;
    }
    let words: Vec<&str> = statement
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-')
        .filter(|word| !word.is_empty())
        .collect();
    match words.as_slice() {
        ["i", rest @ ..] => first_person(rest),
        ["i'm", "not", "allowed", "to", _, ..] => Some(SelfAspect::Constraint),
        ["i'm", "committed", "to", _, ..] => Some(SelfAspect::Value),
        ["my", rest @ ..] => possessive(rest),
        ["what", "i", "value", ..] | ["what", "matters", "most", "to", "me", "is", ..] => Some(SelfAspect::Value),
        _ => None,
    }
}

/// Strips an introductory clause.
fn without_opening(sentence: &str) -> &str {
    match sentence.split_once(", ") {
        Some((opening, rest)) if OPENINGS.iter().any(|known| opening.starts_with(known)) => rest,
        _ => sentence,
    }
}

/// Classifies the words after "I".
fn first_person(words: &[&str]) -> Option<SelfAspect> {
    let skipped = words.iter().take_while(|word| ADVERBS.contain(word)).count();
    let always = words[..skipped].contains(&"always");
    match &words[skipped..] {
        ["value" | "prize", what, ..] | ["believe", "in", what, ..] | ["care", "about", what, ..]
            if !OTHERS.contain(what) =>
        {
            Some(SelfAspect::Value)
        }
        ["am", "committed", "to", _, ..] => Some(SelfAspect::Value),
        ["aim" | "strive", "to" | "for", _, ..] => Some(SelfAspect::Goal),
        rest => rule(rest).or_else(|| manner(rest, always)),
    }
}

/// Classifies rules: what must or must not be done.
fn rule(words: &[&str]) -> Option<SelfAspect> {
    let standing = !words.iter().any(|word| OCCASIONS.contain(word));
    let stated = match words {
        ["never", rest @ ..] => rest.iter().find(|word| !ADVERBS.contain(word)).is_some_and(|verb| !is_report(verb)),
        ["must" | "should" | "shall", "never" | "always" | "not", _, ..] => true,
        ["will" | "may" | "can" | "would", "never", verb, ..] => !is_report(verb) && *verb != "forget",
        ["must", verb, _, ..] => !LOOSE_MUST.contain(verb),
        ["may", "not", _, ..] | ["am", "not", "allowed", "to", _, ..] | ["refuse", "to", _, ..] => true,
        _ => false,
    };
    (stated && standing).then_some(SelfAspect::Constraint)
}

/// Classifies statements about how the agent answers and works.
fn manner(words: &[&str], always: bool) -> Option<SelfAspect> {
    let stated = match words {
        ["prefer", "to", verb, _, ..] | ["like", "to", verb, _, ..] if ANSWERING.contain(verb) => true,
        ["prefer", "to", "be", "brief" | "concise" | "direct" | "honest" | "plain" | "precise" | "thorough", ..] => {
            true
        }
        ["prefer" | "write" | "give", _, object, ..] if ANSWERS.contain(object) => true,
        ["prefer", "to", "write" | "give" | "keep", rest @ ..] | ["keep", rest @ ..] => {
            rest.iter().take(3).any(|word| ANSWERS.contain(word))
        }
        [verb, _, ..] => always && ANSWERING.contain(verb),
        _ => false,
    };
    stated.then_some(SelfAspect::Style)
}

/// Classifies the words after "my": at most two words, the noun, and the present tense.
fn possessive(words: &[&str]) -> Option<SelfAspect> {
    let verb = words.iter().take(4).position(|word| matches!(*word, "is" | "are"))?;
    let (about, before) = words[..verb].split_last()?;
    if before.iter().any(|word| word.ends_with("'s") || word.ends_with("s'")) {
        // Another person: "my sister's goal".
        None
    } else if GOALS.contain(about) {
        Some(SelfAspect::Goal)
    } else if VALUES.contain(about) {
        Some(SelfAspect::Value)
    } else if STYLES.contain(about) {
        Some(SelfAspect::Style)
    } else {
        None
    }
}

/// Returns true if the word after `never` makes the sentence a report ("I never went") and not a
/// rule ("I never go").
fn is_report(verb: &str) -> bool {
    REPORTED.contain(verb)
        || (verb.ends_with("ed") && !matches!(verb, "need" | "proceed" | "exceed" | "feed" | "embed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(text: &str) -> Vec<&'static str> {
        stated_aspects(text).into_iter().map(SelfAspect::as_str).collect()
    }

    #[test]
    fn explicit_statements_are_recognised() {
        for (text, expected) in [
            ("I value honesty over politeness.", "value"),
            ("I deeply care about accessibility.", "value"),
            ("I believe in small steps", "value"),
            ("My core values are curiosity and care.", "value"),
            ("What matters most to me is that people can trust the answer.", "value"),
            ("I never commit secrets to a repository.", "constraint"),
            ("I must ask before deleting data.", "constraint"),
            ("I must not share private keys.", "constraint"),
            ("I will never pretend to be human.", "constraint"),
            ("I refuse to write malware.", "constraint"),
            ("I’m not allowed to push to main.", "constraint"),
            ("When deploying, I never skip the tests.", "constraint"),
            ("- As an agent, I should always cite sources", "constraint"),
            ("I prefer to answer briefly.", "style"),
            ("I prefer short answers.", "style"),
            ("I always explain my reasoning.", "style"),
            ("I keep my replies under five sentences.", "style"),
            ("My tone is friendly and plain.", "style"),
            ("My goal is to become a better reviewer.", "goal"),
            ("My long-term objective is full test coverage.", "goal"),
            ("I aim to reply within a minute.", "goal"),
            ("I strive for clarity.", "goal"),
        ] {
            assert_eq!(stated(text), [expected], "{text}");
        }
    }

    #[test]
    fn ordinary_facts_state_no_aspect() {
        for text in [
            "User prefers dark mode",
            "I think it rained",
            "The user values honesty.",
            "Bob: I never eat meat.",
            "\"I must never lie\", said the robot.",
            "She said I must go.",
            "Do I value honesty?",
            "I valued the advice.",
            "I never went to Paris.",
            "I never knew my grandfather.",
            "I never really liked jazz.",
            "I must have left my keys at the office.",
            "I must admit the test was wrong.",
            "I must call the dentist tomorrow.",
            "I must say, lovely weather.",
            "I prefer tea.",
            "I prefer dark mode in the editor.",
            "I write code for a living.",
            "I want a coffee.",
            "I will never forget that day.",
            "My goal was to finish by noon.",
            "My dog is happy.",
            "My answer is no.",
            "My sister's goal is to run.",
            "I don't value that library.",
            "If I value speed, I use Rust.",
            "The value is 42. Style matters in CSS.",
            "I have never been to Rome.",
            "I care.",
            "I value your opinion!",
            "I believe in you.",
            "",
            "I",
            "我重视诚实",
        ] {
            assert_eq!(stated(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn stated_aspects_are_distinct() {
        let text = "I value clarity. I never guess. My goal is to help; I value kindness!";
        assert_eq!(stated(text), ["value", "constraint", "goal"]);
    }

    #[test]
    fn long_texts_state_no_aspect() {
        let letter = format!("I value honesty. {}", "And so on. ".repeat(80));
        assert_eq!(stated(&letter), Vec::<&str>::new());
    }
}
