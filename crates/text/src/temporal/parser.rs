//! The token stream that all time rules read, with its lookup helpers.

use jiff::Timestamp;
use jiff::civil::Date;

use super::calendar::date_of;
use super::classify::TimeTokenKind;
use super::numbers;
use super::span::TimeSpan;
use super::token::{Gap, TimeToken, tokens};
use super::value::TimeValue;

/// The reference time of relative expressions.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReferenceTime {
    pub(super) at: Timestamp,
    pub(super) today: Date,
    /// Whether the question is about the future, so that `on Monday` is the next one.
    pub(super) future: bool,
}

/// The tokens of a text. Without a reference time, only complete dates are parsed.
#[derive(Debug)]
pub(super) struct TimeParser {
    pub(super) tokens: Vec<TimeToken>,
    pub(super) now: Option<ReferenceTime>,
}

/// A time parsed from a token sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimeMatch {
    pub(super) value: TimeValue,
    pub(super) end: usize,
    /// Whether the time is approximate: `a few days ago`.
    pub(super) vague: bool,
}

impl TimeMatch {
    pub(super) fn new(value: TimeValue, end: usize) -> Self {
        Self { value, end, vague: false }
    }

    pub(super) fn fixed(span: TimeSpan, end: usize) -> Self {
        Self::new(TimeValue::Fixed(span), end)
    }

    pub(super) fn vague_if(self, vague: bool) -> Self {
        Self { vague: self.vague || vague, ..self }
    }
}

impl TimeParser {
    /// Tokenizes a text in which only complete dates count.
    pub(super) fn without_reference(text: &str) -> Self {
        Self { tokens: tokens(text), now: None }
    }

    /// Tokenizes a question asked at `at`.
    pub(super) fn with_reference(text: &str, at: Timestamp) -> Self {
        let tokens = tokens(text);
        let future = tokens.iter().enumerate().any(|(index, token)| match token.word.as_str() {
            "will" | "shall" | "upcoming" => true,
            "going" => tokens.get(index + 1).is_some_and(|next| next.word == "to"),
            _ => false,
        });
        Self { tokens, now: Some(ReferenceTime { at, today: date_of(at), future }) }
    }

    /// Returns the word at a position, or an empty string.
    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    pub(super) fn kind(&self, at: usize) -> TimeTokenKind {
        self.tokens.get(at).map_or(TimeTokenKind::Other, |token| token.kind)
    }

    /// Returns the separator after a token. The last token is followed by [`Gap::Stop`].
    pub(super) fn gap(&self, at: usize) -> Gap {
        self.tokens.get(at).map_or(Gap::Stop, |token| token.gap)
    }

    /// Returns the word before a position if no punctuation separates them.
    pub(super) fn word_before(&self, at: usize) -> &str {
        match at.checked_sub(1) {
            Some(before) if self.gap(before) == Gap::Open => self.word(before),
            _ => "",
        }
    }

    /// Returns true if a clause ends after this token.
    pub(super) fn ends_clause(&self, at: usize) -> bool {
        self.gap(at) != Gap::Open || matches!(self.word(at + 1), "and" | "or" | "but")
    }

    /// Returns the position after any of `words`, such as `the` or `of the`.
    pub(super) fn skip(&self, at: usize, words: &[&str]) -> usize {
        let mut at = at;
        while words.contains(&self.word(at)) && self.gap(at) == Gap::Open {
            at += 1;
        }
        at
    }

    /// Parses a four-digit year within `years`.
    pub(super) fn year(&self, at: usize, years: &std::ops::RangeInclusive<i16>) -> Option<i16> {
        match self.kind(at) {
            TimeTokenKind::Number(value, 4) => i16::try_from(value).ok().filter(|year| years.contains(year)),
            _ => None,
        }
    }

    /// Parses a day of the month: `7`, `7th` or `seventh`.
    pub(super) fn day(&self, at: usize) -> Option<i8> {
        match self.kind(at) {
            TimeTokenKind::Number(value, 1..=2) => i8::try_from(value).ok().filter(|day| (1..=31).contains(day)),
            TimeTokenKind::Ordinal(day) => Some(day),
            TimeTokenKind::Word => numbers::ordinal(self.word(at)),
            _ => None,
        }
    }

    /// Returns true if the day is written as an ordinal, which is never a count.
    pub(super) fn is_ordinal(&self, at: usize) -> bool {
        matches!(self.kind(at), TimeTokenKind::Ordinal(_) | TimeTokenKind::Word)
    }

    /// Parses a number of units: `3`, `three`, `a`, `a couple of`, `a few`. Returns the count,
    /// whether it is vague, and the next position.
    pub(super) fn count(&self, at: usize) -> Option<(u32, bool, usize)> {
        let after_article = at + usize::from(self.word(at) == "a" && self.gap(at) == Gap::Open);
        match self.word(after_article) {
            "couple" => return Some((2, true, self.skip(after_article + 1, &["of"]))),
            "few" => return Some((3, true, after_article + 1)),
            "several" => return Some((4, true, after_article + 1)),
            _ => {}
        }
        match self.kind(at) {
            TimeTokenKind::Number(value, 1..=4) if value > 0 => Some((value, false, at + 1)),
            TimeTokenKind::Word if matches!(self.word(at), "a" | "an") => Some((1, false, at + 1)),
            TimeTokenKind::Word => numbers::count(self.word(at)).map(|count| (count, false, at + 1)),
            _ => None,
        }
    }
}
