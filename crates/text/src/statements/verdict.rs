//! The possible relations of a newer statement to an older one.

use std::fmt;

/// Cosine and score thresholds of the rules.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairThresholds {
    /// Cosine from which equal content words make a duplicate. Below it they make a near duplicate.
    pub exact: f64,
    /// Cosine from which paraphrases with equal content words may be merged.
    pub near: f64,
    /// Cosine from which a pair is checked for a contradiction.
    pub contradiction_prefilter: f64,
    /// Score, not cosine, from which a contradiction is reported.
    pub contradiction: f64,
}

impl PairThresholds {
    /// Thresholds for the built-in static embedder.
    pub const BUILT_IN: Self = Self { exact: 0.99, near: 0.95, contradiction_prefilter: 0.70, contradiction: 0.80 };
}

impl Default for PairThresholds {
    fn default() -> Self {
        Self::BUILT_IN
    }
}

/// The difference that makes two texts contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContradictionKind {
    /// A number.
    Number,
    /// A date or a time.
    Date,
    /// A name, an identifier, or exchanged subject and object.
    Name,
    /// One text affirms what the other negates.
    Negation,
    /// Words with opposite meanings.
    Antonym,
    /// An amount, count or frequency.
    Quantity,
}

impl fmt::Display for ContradictionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Name => "name",
            Self::Negation => "negation",
            Self::Antonym => "antonym",
            Self::Quantity => "quantity",
        })
    }
}

/// The relation of a newer statement to an older one. Each reason is a short sentence that names
/// the deciding words.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The same statement with cosmetic differences: the newer one is rejected, the older
    /// reinforced.
    Duplicate {
        /// The deciding words.
        reason: String,
    },
    /// The same statement in other words: the newer text replaces the older.
    Paraphrase {
        /// The deciding words.
        reason: String,
    },
    /// A later state of the same attribute of the same subject: the newer text replaces the older.
    Supersedes {
        /// The deciding words.
        reason: String,
    },
    /// Both cannot be true, and nothing says that one follows the other. Both stay.
    Contradicts {
        /// The deciding difference.
        kind: ContradictionKind,
        /// Certainty in `[0, 1]`.
        score: f64,
        /// The deciding words.
        reason: String,
    },
    /// A part of the older statement is out of date, or both say the same in two languages. Both
    /// stay, and a text that says everything still true is proposed.
    Proposal {
        /// The proposed text.
        merged: String,
        /// The deciding words.
        reason: String,
    },
    /// Both stay.
    Related {
        /// The deciding words.
        reason: String,
        /// Whether the rules know that both are true, and not only that they found nothing.
        certain: bool,
    },
}

impl Verdict {
    /// Returns the sentence that names the deciding words.
    pub fn reason(&self) -> &str {
        match self {
            Self::Duplicate { reason }
            | Self::Paraphrase { reason }
            | Self::Supersedes { reason }
            | Self::Contradicts { reason, .. }
            | Self::Proposal { reason, .. }
            | Self::Related { reason, .. } => reason,
        }
    }

    /// Returns the verdict with the reason as `say` words it.
    pub(super) fn with_reason(mut self, say: impl FnOnce(String) -> String) -> Self {
        match &mut self {
            Self::Duplicate { reason }
            | Self::Paraphrase { reason }
            | Self::Supersedes { reason }
            | Self::Contradicts { reason, .. }
            | Self::Proposal { reason, .. }
            | Self::Related { reason, .. } => *reason = say(std::mem::take(reason)),
        }
        self
    }

    /// Returns true if one of the two statements is archived.
    pub fn archives(&self) -> bool {
        matches!(self, Self::Duplicate { .. } | Self::Paraphrase { .. } | Self::Supersedes { .. })
    }

    /// Returns the verdict that keeps both, known to be both true.
    pub(super) fn both_true(reason: impl Into<String>) -> Self {
        Self::Related { reason: reason.into(), certain: true }
    }

    /// Returns the verdict that keeps both because nothing else could be established.
    pub(super) fn unknown(reason: impl Into<String>) -> Self {
        Self::Related { reason: reason.into(), certain: false }
    }
}
