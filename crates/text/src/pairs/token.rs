//! A token of an analysed text.

use super::date::PartialDateTime;
use super::number::Number;

/// The class of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TokenKind {
    /// A function word.
    Function,
    /// A negation: not, without, fails to.
    Negator,
    /// A quantifier such as all, some or often, with its proportion.
    Quantifier(Proportion),
    /// A content word.
    Word,
    /// A name.
    Name,
    /// An identifier, path or version.
    Code,
    /// A number.
    Number(Number),
    /// A date or a time.
    DateTime(PartialDateTime),
}

/// A range of proportions, from 0 (none) to 1 (all).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Proportion {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Offset that excludes an end of the range.
const A_LITTLE: f64 = 0.01;

impl Proportion {
    /// Everything; also the claim of a plain statement.
    pub(crate) const ALL: Self = Self { low: 1.0, high: 1.0 };
    /// More than nothing.
    pub(crate) const SOME: Self = Self { low: A_LITTLE, high: 1.0 };
    /// Not everything.
    pub(crate) const NOT_ALL: Self = Self { low: 0.0, high: 1.0 - A_LITTLE };
    /// More than nothing, explicitly not everything.
    pub(crate) const ONLY_SOME: Self = Self { low: A_LITTLE, high: 0.9 };
    /// More than half.
    pub(crate) const MOST: Self = Self { low: 0.51, high: 1.0 - A_LITTLE };
    /// About half.
    pub(crate) const HALF: Self = Self { low: 0.4, high: 0.6 };
    /// A small part.
    pub(crate) const FEW: Self = Self { low: A_LITTLE, high: 0.35 };
    /// A large part.
    pub(crate) const OFTEN: Self = Self { low: 0.3, high: 1.0 };

    /// Returns the proportion claimed by the negated statement.
    pub(crate) fn flipped(self) -> Self {
        Self { low: 1.0 - self.high, high: 1.0 - self.low }
    }

    /// Returns true if the two ranges do not overlap.
    pub(crate) fn excludes(self, other: Self) -> bool {
        self.low > other.high || other.low > self.high
    }
}

/// A token with its normal form and grammatical marks.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// The normalised spelling. Texts with equal spellings in equal order are duplicates.
    pub(crate) canon: String,
    /// The comparison key: the stem of the word or of its synonym.
    pub(crate) key: String,
    pub(crate) kind: TokenKind,
    /// Whether the word is a known verb.
    pub(crate) verb: bool,
    /// Whether the word adds little meaning.
    pub(crate) light: bool,
    /// Whether the token belongs to the subject, before the verb.
    pub(crate) topic: bool,
    /// Whether the token owns the next one.
    pub(crate) possessor: bool,
    /// Whether the token belongs to a contrast such as "not X" or "instead of X".
    pub(crate) contrast: bool,
    /// Whether the word is written with a capital letter.
    pub(crate) capital: bool,
    /// Whether the token starts a sentence.
    pub(crate) opens: bool,
    pub(crate) sentence: usize,
    /// Index of the first word of the token.
    pub(crate) at: usize,
}

impl Token {
    /// Returns true for tokens that two texts about the same subject must share.
    pub(crate) fn is_content(&self) -> bool {
        !matches!(self.kind, TokenKind::Function | TokenKind::Negator | TokenKind::Quantifier(_)) && !self.contrast
    }

    /// Returns true for tokens that denote a thing. If they differ, the subject differs.
    pub(crate) fn is_heavy(&self) -> bool {
        self.is_content() && !self.light && !self.verb && !self.is_adverb()
    }

    fn is_adverb(&self) -> bool {
        self.kind == TokenKind::Word && self.canon.len() > 4 && self.canon.ends_with("ly") && self.canon != "family"
    }
}
