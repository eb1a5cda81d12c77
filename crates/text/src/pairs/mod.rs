//! What a newer text is to an older one, judged by rules.
//!
//! Used when no language model is there to ask. A cosine cannot do it: "the port is 5432" and "the port is 5433" are as
//! near as two wordings of one fact. So the cosine only nominates a pair, and the words that differ decide. Duplicate and
//! contradiction are judged together, because they look alike: a pair that is almost the same and differs in a number, a
//! date, a name, a negation, an opposite or a quantity cannot both hold and is never merged.
//!
//! The steps: [`Analysed`] turns a text into comparable tokens (numbers, dates, names, negations in one spelling), the
//! alignment finds what is shared and what replaced what, and the rules look at where the difference sits. A difference in
//! what the sentence is about makes two facts; a difference in what is said about it makes a conflict. When in doubt the
//! two stay apart: that costs a little room, while a wrong merge loses a memory.
//!
//! ```
//! use elfmem_text::pairs::{PairThresholds, Verdict, judge};
//!
//! let verdict = judge("The port is 5432.", "The port is 5433.", 0.97, PairThresholds::BUILT_IN);
//! assert!(matches!(verdict, Verdict::Contradiction { .. }));
//! ```

mod align;
mod analysed;
mod change;
mod conflict;
mod date;
mod doubt;
mod hashing;
mod lexicon;
mod markup;
mod number;
mod polarity;
mod roles;
mod rules;
mod scan;
mod shortened;
mod spelling;
mod subject;
#[cfg(test)]
mod tests;
mod token;
mod topics;
mod units;
mod update;

use std::fmt;

pub use analysed::Analysed;

/// From which cosines, and from which certainty, the rules may speak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairThresholds {
    /// Cosine from which the same content words make a duplicate; below it they make a near duplicate.
    pub exact: f64,
    /// Cosine from which other wordings of the same content words may be merged.
    pub near: f64,
    /// Cosine from which a pair is looked at for a contradiction.
    pub contradiction_prefilter: f64,
    /// Score, not cosine, from which a contradiction counts as one.
    pub contradiction: f64,
}

impl PairThresholds {
    /// Those of the built-in embedder.
    pub const BUILT_IN: Self = Self { exact: 0.99, near: 0.95, contradiction_prefilter: 0.70, contradiction: 0.80 };
}

impl Default for PairThresholds {
    fn default() -> Self {
        Self::BUILT_IN
    }
}

/// In what two texts contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContradictionKind {
    /// A number.
    Number,
    /// A date or a time.
    Date,
    /// A name or an identifier, or who did it to whom.
    Name,
    /// One says that it is so, the other that it is not.
    Negation,
    /// Words that exclude each other.
    Antonym,
    /// How many, how much or how often.
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

/// What the newer text is to the older one. Every reason is a short sentence that names the words that decided.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The same statement with cosmetic differences: the newer is rejected, the older reinforced.
    Duplicate {
        /// Why.
        reason: String,
    },
    /// The same in slightly other words: the newer takes the place of the older.
    NearDuplicate {
        /// Why.
        reason: String,
    },
    /// The newer says that the state told by the older has changed: it takes its place.
    Update {
        /// Why.
        reason: String,
    },
    /// They cannot both hold, and nothing says that one follows the other.
    Contradiction {
        /// In what.
        kind: ContradictionKind,
        /// How sure that is, in `[0, 1]`.
        score: f64,
        /// Why.
        reason: String,
    },
    /// Both stay, related or not.
    Distinct {
        /// Why.
        reason: String,
    },
}

impl Verdict {
    /// The sentence that names the words that decided.
    pub fn reason(&self) -> &str {
        match self {
            Self::Duplicate { reason }
            | Self::NearDuplicate { reason }
            | Self::Update { reason }
            | Self::Contradiction { reason, .. }
            | Self::Distinct { reason } => reason,
        }
    }
}

/// Judges what the newer text is to the older one.
///
/// Cost: tens of microseconds for two sentences, most of it in the analysis. Who compares one text with many analyses each
/// once and calls [`judge_analysed`].
pub fn judge(older: &str, newer: &str, cosine: f64, thresholds: PairThresholds) -> Verdict {
    judge_analysed(&Analysed::new(older), &Analysed::new(newer), cosine, thresholds)
}

/// [`judge`] for texts that were analysed before.
pub fn judge_analysed(older: &Analysed, newer: &Analysed, cosine: f64, thresholds: PairThresholds) -> Verdict {
    rules::decide(older, newer, cosine, thresholds)
}
