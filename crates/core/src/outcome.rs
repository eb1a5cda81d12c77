//! Outcomes on record. What is believed when one of them is taken away is in [`crate::testimony`].

use serde::{Deserialize, Serialize};

use crate::belief::{Belief, Evidence, PRIOR_MASS};
use crate::id::BlockId;
use crate::time::Timestamp;
use crate::unit::{Confidence, Signal};

/// Above this a signal is good: it keeps blocks fresh and joins them.
pub const REINFORCE_ABOVE: f64 = 0.5;
/// Below this a signal is bad: blocks fade faster.
pub const PENALISE_BELOW: f64 = 0.20;
/// The weight of a new edge between blocks that served together, for a perfect signal.
pub const EDGE_WEIGHT_SCALE: f64 = 0.8;

/// What one outcome did to one block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeRecord {
    /// Which outcome.
    pub outcome_id: String,
    /// Which block.
    pub block_id: BlockId,
    /// Its place among the outcomes of the block.
    pub sequence: u64,
    /// How well the block served.
    pub signal: Signal,
    /// How much that counts.
    pub weight: f64,
    /// Who said so.
    pub source: String,
    /// How much the block was believed before.
    pub confidence_before: Confidence,
    /// And after.
    pub confidence_after: Confidence,
    /// How much of that was observed before.
    pub evidence_before: Evidence,
    /// When it was.
    pub created_at: Timestamp,
}

impl OutcomeRecord {
    /// What was believed before it.
    pub fn before(&self) -> Belief {
        Belief { confidence: self.confidence_before, evidence: self.evidence_before }
    }

    /// What was believed after it.
    pub fn after(&self) -> Belief {
        Belief { confidence: self.confidence_after, evidence: self.evidence_before.more(self.weight) }
    }

    /// The same outcome, following on `before`.
    #[must_use]
    pub fn following(&self, before: Belief) -> Self {
        let after = before.after_outcome(self.signal, self.weight, PRIOR_MASS);
        Self {
            confidence_before: before.confidence,
            evidence_before: before.evidence,
            confidence_after: after.confidence,
            ..self.clone()
        }
    }
}
