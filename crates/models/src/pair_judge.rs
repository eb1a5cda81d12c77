//! The trait of models that judge pairs of texts.

use elfmem_text::statements::PairProbabilities;

use crate::error::ModelError;

/// Says how a newer text relates to an older one.
pub trait PairJudge: Send + Sync {
    /// Returns the name shown in reports.
    fn name(&self) -> &str;

    /// Returns true if a pair takes a few milliseconds, without a network. Recall asks only such a model; a dream asks any.
    fn is_local(&self) -> bool {
        false
    }

    /// Returns how probable each relation is, for pairs of an older and a newer text. A pair that the model cannot read has
    /// none.
    fn judge(&self, pairs: &[[&str; 2]]) -> Result<Vec<Option<PairProbabilities>>, ModelError>;
}
