//! Outcome records. For the belief without some of them, see [`crate::belief_update`].

use serde::{Deserialize, Serialize};

use crate::belief::{Belief, Evidence, PRIOR_MASS};
use crate::id::BlockId;
use crate::time::Timestamp;
use crate::unit::{Confidence, Signal};

/// Signal above which an outcome is positive: it reinforces blocks and creates edges.
pub const REINFORCE_ABOVE: f64 = 0.5;
/// Signal below which an outcome is negative: blocks decay faster.
pub const PENALISE_BELOW: f64 = 0.20;
/// Weight of a new edge between useful blocks, for a signal of 1.
pub const EDGE_WEIGHT_SCALE: f64 = 0.8;

/// The effect of one outcome on one block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeRecord {
    /// The outcome.
    pub outcome_id: String,
    /// The block.
    pub block_id: BlockId,
    /// Position among the belief updates of the block.
    pub sequence: u64,
    /// How useful the block was.
    pub signal: Signal,
    /// Weight of the signal.
    pub weight: f64,
    /// Who reported the outcome.
    pub source: String,
    /// Confidence before.
    pub confidence_before: Confidence,
    /// Confidence after.
    pub confidence_after: Confidence,
    /// Evidence before.
    pub evidence_before: Evidence,
    /// When the outcome was recorded.
    pub created_at: Timestamp,
    /// Upper bound of the confidence, set for untrusted sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<Confidence>,
}

/// Returns the belief after one outcome. With a ceiling, confidence rises up to the ceiling; at the
/// ceiling the outcome adds no evidence either, so that many of them cannot outweigh later ones.
pub fn after_outcome(before: Belief, signal: Signal, weight: f64, ceiling: Option<Confidence>) -> Belief {
    let after = before.after_outcome(signal, weight, PRIOR_MASS);
    match ceiling {
        Some(ceiling) if after.confidence > before.confidence && after.confidence > ceiling => {
            if before.confidence >= ceiling { before } else { Belief { confidence: ceiling, ..after } }
        }
        _ => after,
    }
}

impl OutcomeRecord {
    /// The [`sequence`](Self::sequence) of outcomes that another program recorded. They are history: their effect is in
    /// the belief that the block came with, and they are not replayed.
    pub const HISTORY: u64 = 0;

    /// Returns true if another program recorded the outcome, which therefore cannot be replayed or retracted.
    pub fn is_history(&self) -> bool {
        self.sequence == Self::HISTORY
    }

    /// Returns the belief before the outcome.
    pub fn before(&self) -> Belief {
        Belief { confidence: self.confidence_before, evidence: self.evidence_before }
    }

    /// Returns the belief after the outcome.
    pub fn after(&self) -> Belief {
        let evidence = match self.ceiling {
            None => self.evidence_before.more(self.weight),
            Some(_) => after_outcome(self.before(), self.signal, self.weight, self.ceiling).evidence,
        };
        Belief { confidence: self.confidence_after, evidence }
    }

    /// Recomputes the outcome from another start value.
    #[must_use]
    pub fn reapplied_to(&self, before: Belief) -> Self {
        let after = after_outcome(before, self.signal, self.weight, self.ceiling);
        Self {
            confidence_before: before.confidence,
            evidence_before: before.evidence,
            confidence_after: after.confidence,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capped_outcomes_stop_at_the_ceiling_and_add_no_evidence() {
        let ceiling = Some(Confidence::saturating(0.7));
        let (mut flooded, mut lowered) = (Belief::default(), Belief::default());
        for _ in 0..1_000 {
            flooded = after_outcome(flooded, Signal::saturating(1.0), 1.0, ceiling);
            lowered = after_outcome(lowered, Signal::saturating(0.0), 1.0, ceiling);
        }
        assert_eq!(flooded.confidence.get(), 0.7);
        assert!(flooded.evidence.get() <= 2.0, "{:?}", flooded.evidence);
        assert!(lowered.confidence.get() < 0.01, "doubt has no ceiling");
        let trusted = after_outcome(flooded, Signal::saturating(1.0), 1.0, None);
        assert!(trusted.confidence.get() > 0.7);
        let believed = Belief { confidence: Confidence::saturating(0.9), evidence: Evidence::new(5.0) };
        assert_eq!(after_outcome(believed, Signal::saturating(1.0), 1.0, ceiling), believed);
    }
}
