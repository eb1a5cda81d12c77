//! The fields of a block that use and outcomes change: the part of its row that most operations write.

use elfmem_core::{ActiveHours, Block, BlockId, BlockStatus, Confidence, DecayRate, Evidence};
use serde::Serialize;

/// Confidence, decay and use of a block, by the names they have in its row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LearnedState {
    /// The confidence in it.
    pub confidence: Confidence,
    /// The evidence behind the confidence.
    pub outcome_evidence: Evidence,
    /// How often it was used.
    pub reinforcement_count: u32,
    /// Its decay rate per active hour.
    pub decay_lambda: DecayRate,
    /// When it was last used.
    pub last_reinforced_at: ActiveHours,
}

/// A block without its text: its status and its learned state.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockState {
    /// Its status.
    pub status: BlockStatus,
    /// The block that superseded it.
    pub superseded_by: Option<BlockId>,
    /// Its learned state.
    pub learned: LearnedState,
}

impl BlockState {
    /// Reads the state of a block.
    pub fn of(block: &Block) -> Self {
        Self { status: block.status, superseded_by: block.superseded_by.clone(), learned: LearnedState::of(block) }
    }
}

impl LearnedState {
    /// Reads the learned state of a block.
    pub fn of(block: &Block) -> Self {
        Self {
            confidence: block.confidence,
            outcome_evidence: block.outcome_evidence,
            reinforcement_count: block.reinforcement_count,
            decay_lambda: block.decay_lambda,
            last_reinforced_at: block.last_reinforced_at,
        }
    }

    /// Writes the learned state into a block.
    pub fn apply_to(self, block: &mut Block) {
        block.confidence = self.confidence;
        block.outcome_evidence = self.outcome_evidence;
        block.reinforcement_count = self.reinforcement_count;
        block.decay_lambda = self.decay_lambda;
        block.last_reinforced_at = self.last_reinforced_at;
    }

    /// Counts one use. The time of last use never moves backwards.
    pub fn record_use(&mut self, now: ActiveHours) {
        self.reinforcement_count = self.reinforcement_count.saturating_add(1);
        self.last_reinforced_at = self.last_reinforced_at.later_of(now);
    }
}
