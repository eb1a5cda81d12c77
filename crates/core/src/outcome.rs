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
    /// How far it may raise the confidence: set where its source is not trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<Confidence>,
}

/// What is believed after one outcome. One with a ceiling raises belief up to there; where that is reached it does not count at all, or
/// a flood of them would outweigh what comes later.
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
    /// What was believed before it.
    pub fn before(&self) -> Belief {
        Belief { confidence: self.confidence_before, evidence: self.evidence_before }
    }

    /// What was believed after it.
    pub fn after(&self) -> Belief {
        let evidence = match self.ceiling {
            None => self.evidence_before.more(self.weight),
            Some(_) => after_outcome(self.before(), self.signal, self.weight, self.ceiling).evidence,
        };
        Belief { confidence: self.confidence_after, evidence }
    }

    /// The same outcome, following on `before`.
    #[must_use]
    pub fn following(&self, before: Belief) -> Self {
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
    fn outcomes_with_a_ceiling_raise_belief_up_to_it_and_a_flood_of_them_weighs_nothing() {
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
