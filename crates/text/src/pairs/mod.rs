//! Classifies a pair of statements by rules: duplicate, near duplicate, update, contradiction or
//! distinct.
//!
//! Used when no language model is configured. Cosine similarity alone cannot decide: "the port is
//! 5432" and "the port is 5433" are as similar as two wordings of one fact. So the cosine only
//! selects candidate pairs, and the differing words decide. Duplicates and contradictions are
//! classified together, because they look alike. Two near-identical statements that differ in a
//! number, a date, a name, a negation, an antonym or a quantity contradict each other and are never
//! merged.
//!
//! Steps: [`AnalysedText`] converts a text to normalised tokens (numbers, dates, names, negations),
//! the alignment finds shared and replaced tokens, and the rules look at the position of the
//! difference. A difference in the subject makes two facts; a difference in the predicate makes a
//! conflict. If uncertain, the statements are distinct: an extra block costs little, a wrong merge
//! loses a memory.
//!
//! ```
//! use elfmem_text::pairs::{PairThresholds, Verdict, judge};
//!
//! let verdict = judge("The port is 5432.", "The port is 5433.", 0.97, PairThresholds::BUILT_IN);
//! assert!(matches!(verdict, Verdict::Contradiction { .. }));
//! ```

mod abbreviations;
mod align;
mod analysed_text;
mod certainty;
mod change;
mod conflict;
mod date;
mod hashing;
mod lexicon;
mod markup;
mod number;
mod polarity;
mod roles;
mod rules;
mod scan;
mod spelling;
mod subject;
#[cfg(test)]
mod tests;
mod token;
mod topics;
mod units;
mod update;

use std::fmt;

pub use analysed_text::AnalysedText;

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
    /// Thresholds for the built-in embedder.
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

/// The relation of a newer text to an older one. Each reason is a short sentence that names the
/// deciding words.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The same statement with cosmetic differences: the newer one is rejected, the older
    /// reinforced.
    Duplicate {
        /// The deciding words.
        reason: String,
    },
    /// A close paraphrase: the newer text replaces the older.
    NearDuplicate {
        /// The deciding words.
        reason: String,
    },
    /// The newer text says that the state described by the older has changed, and replaces it.
    Update {
        /// The deciding words.
        reason: String,
    },
    /// Both cannot be true, and nothing says that one follows the other.
    Contradiction {
        /// The deciding difference.
        kind: ContradictionKind,
        /// Certainty in `[0, 1]`.
        score: f64,
        /// The deciding words.
        reason: String,
    },
    /// Both statements are kept, related or not.
    Distinct {
        /// The deciding words.
        reason: String,
    },
}

impl Verdict {
    /// Returns the sentence that names the deciding words.
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

/// Classifies the relation of a newer text to an older one.
///
/// Cost: tens of microseconds for two sentences, mostly analysis. To compare one text with many,
/// analyse each once and call [`judge_analysed`].
pub fn judge(older: &str, newer: &str, cosine: f64, thresholds: PairThresholds) -> Verdict {
    judge_analysed(&AnalysedText::new(older), &AnalysedText::new(newer), cosine, thresholds)
}

/// Classifies two analysed texts. See [`judge`].
pub fn judge_analysed(older: &AnalysedText, newer: &AnalysedText, cosine: f64, thresholds: PairThresholds) -> Verdict {
    rules::decide(older, newer, cosine, thresholds)
}
