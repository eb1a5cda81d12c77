//! One unit of meaning in an analysed text.

use super::date::When;
use super::number::Number;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Holds the sentence together.
    Function,
    /// Turns a statement round: not, without, fails to.
    Negator,
    /// How much of it holds: all, some, often. The share it stands for, from and to.
    Quantifier(Share),
    /// An ordinary word.
    Word,
    /// A name.
    Name,
    /// An identifier, a path, a version.
    Code,
    /// A number.
    Number(Number),
    /// A date or a time.
    When(When),
}

/// A part of a whole, between 0 (none) and 1 (all); the ends belong to it or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Share {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Just above nothing and just below everything.
const A_LITTLE: f64 = 0.01;

impl Share {
    /// Everything: also what a plain statement claims.
    pub(super) const ALL: Self = Self { low: 1.0, high: 1.0 };
    /// More than nothing.
    pub(super) const SOME: Self = Self { low: A_LITTLE, high: 1.0 };
    /// Not everything.
    pub(super) const NOT_ALL: Self = Self { low: 0.0, high: 1.0 - A_LITTLE };
    /// More than nothing, and said to be no more.
    pub(super) const ONLY_SOME: Self = Self { low: A_LITTLE, high: 0.9 };
    /// More than half.
    pub(super) const MOST: Self = Self { low: 0.51, high: 1.0 - A_LITTLE };
    /// About half.
    pub(super) const HALF: Self = Self { low: 0.4, high: 0.6 };
    /// A small part.
    pub(super) const FEW: Self = Self { low: A_LITTLE, high: 0.35 };
    /// A good part.
    pub(super) const OFTEN: Self = Self { low: 0.3, high: 1.0 };

    /// What is left when the statement is turned round.
    pub(super) fn flipped(self) -> Self {
        Self { low: 1.0 - self.high, high: 1.0 - self.low }
    }

    /// Whether no share is in both.
    pub(super) fn excludes(self, other: Self) -> bool {
        self.low > other.high || other.low > self.high
    }
}

/// One token.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// Its canonical spelling: two texts with the same spellings in the same order say the same.
    pub(super) canon: String,
    /// What it is compared by: the stem of the word or of one that says the same.
    pub(super) key: String,
    pub(super) kind: Kind,
    /// Whether it is known as a verb.
    pub(super) verb: bool,
    /// Whether it says little of its own.
    pub(super) light: bool,
    /// Whether it stands before the verb: part of what the sentence is about.
    pub(super) topic: bool,
    /// Whether it owns the next.
    pub(super) possessor: bool,
    /// Whether it belongs to "not X" or "instead of X" behind a statement.
    pub(super) contrast: bool,
    /// Whether the word before it is "of", "no" or a number: it is what is counted.
    pub(super) opens: bool,
    pub(super) sentence: usize,
    /// Which word of the text it starts at.
    pub(super) at: usize,
}

impl Token {
    /// Whether it carries content: what two texts must share to be about the same.
    pub(super) fn is_content(&self) -> bool {
        !matches!(self.kind, Kind::Function | Kind::Negator | Kind::Quantifier(_)) && !self.contrast
    }

    /// Whether it stands for a thing: a difference in it is a difference in what is spoken of.
    pub(super) fn is_heavy(&self) -> bool {
        self.is_content() && !self.light && !self.verb && !self.is_adverb()
    }

    fn is_adverb(&self) -> bool {
        self.kind == Kind::Word && self.canon.len() > 4 && self.canon.ends_with("ly") && self.canon != "family"
    }
}
