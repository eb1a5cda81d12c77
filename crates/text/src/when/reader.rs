//! The tokens of a text and the clock it is read by, with the small questions every rule asks of them.

use jiff::Timestamp;
use jiff::civil::Date;

use super::calendar::date_of;
use super::classify::Kind;
use super::named::Named;
use super::numbers;
use super::span::Span;
use super::token::{Gap, Token, tokens};

/// The instant a question is asked, and where its undated words point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Now {
    pub(super) at: Timestamp,
    pub(super) today: Date,
    /// Whether the question speaks of what is to come, so that `on Monday` is the next one.
    pub(super) ahead: bool,
}

/// A text ready to be read. Without a clock only dates written in full are found.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) tokens: Vec<Token>,
    pub(super) now: Option<Now>,
}

/// A time found in a text: what it is and the first token after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) named: Named,
    pub(super) end: usize,
    /// Whether the words are vague: `a few days ago`.
    pub(super) vague: bool,
}

impl Found {
    pub(super) fn new(named: Named, end: usize) -> Self {
        Self { named, end, vague: false }
    }

    pub(super) fn fixed(span: Span, end: usize) -> Self {
        Self::new(Named::Fixed(span), end)
    }

    pub(super) fn vague_if(self, vague: bool) -> Self {
        Self { vague: self.vague || vague, ..self }
    }
}

impl Reader {
    /// A text of which only full dates count.
    pub(super) fn timeless(text: &str) -> Self {
        Self { tokens: tokens(text), now: None }
    }

    /// A question asked at `at`.
    pub(super) fn asked(text: &str, at: Timestamp) -> Self {
        let tokens = tokens(text);
        let ahead = tokens.iter().enumerate().any(|(index, token)| match token.word.as_str() {
            "will" | "shall" | "upcoming" => true,
            "going" => tokens.get(index + 1).is_some_and(|next| next.word == "to"),
            _ => false,
        });
        Self { tokens, now: Some(Now { at, today: date_of(at), ahead }) }
    }

    /// The word at a place; empty where there is none.
    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    pub(super) fn kind(&self, at: usize) -> Kind {
        self.tokens.get(at).map_or(Kind::Other, |token| token.kind)
    }

    /// What follows a token; the text ends behind its last one.
    pub(super) fn gap(&self, at: usize) -> Gap {
        self.tokens.get(at).map_or(Gap::Stop, |token| token.gap)
    }

    /// The word before a place, when nothing parts the two.
    pub(super) fn word_before(&self, at: usize) -> &str {
        match at.checked_sub(1) {
            Some(before) if self.gap(before) == Gap::Open => self.word(before),
            _ => "",
        }
    }

    /// Whether a clause ends behind this token.
    pub(super) fn ends_clause(&self, at: usize) -> bool {
        self.gap(at) != Gap::Open || matches!(self.word(at + 1), "and" | "or" | "but")
    }

    /// The place behind `the` (or `of the`, `in`), if those words stand here.
    pub(super) fn skip(&self, at: usize, words: &[&str]) -> usize {
        let mut at = at;
        while words.contains(&self.word(at)) && self.gap(at) == Gap::Open {
            at += 1;
        }
        at
    }

    /// A four-digit year out of `years`.
    pub(super) fn year(&self, at: usize, years: &std::ops::RangeInclusive<i16>) -> Option<i16> {
        match self.kind(at) {
            Kind::Number(value, 4) => i16::try_from(value).ok().filter(|year| years.contains(year)),
            _ => None,
        }
    }

    /// A day of the month, as `7`, `7th` or `seventh`.
    pub(super) fn day(&self, at: usize) -> Option<i8> {
        match self.kind(at) {
            Kind::Number(value, 1..=2) => i8::try_from(value).ok().filter(|day| (1..=31).contains(day)),
            Kind::Ordinal(day) => Some(day),
            Kind::Word => numbers::ordinal(self.word(at)),
            _ => None,
        }
    }

    /// Whether the day at a place is written as an ordinal, which no count is.
    pub(super) fn is_ordinal(&self, at: usize) -> bool {
        matches!(self.kind(at), Kind::Ordinal(_) | Kind::Word)
    }

    /// A number of units: `3`, `three`, `a`, `a couple of`, `a few`. Gives the count, whether it is vague, and what follows.
    pub(super) fn count(&self, at: usize) -> Option<(u32, bool, usize)> {
        let after_article = at + usize::from(self.word(at) == "a" && self.gap(at) == Gap::Open);
        match self.word(after_article) {
            "couple" => return Some((2, true, self.skip(after_article + 1, &["of"]))),
            "few" => return Some((3, true, after_article + 1)),
            "several" => return Some((4, true, after_article + 1)),
            _ => {}
        }
        match self.kind(at) {
            Kind::Number(value, 1..=4) if value > 0 => Some((value, false, at + 1)),
            Kind::Word if matches!(self.word(at), "a" | "an") => Some((1, false, at + 1)),
            Kind::Word => numbers::count(self.word(at)).map(|count| (count, false, at + 1)),
            _ => None,
        }
    }
}
