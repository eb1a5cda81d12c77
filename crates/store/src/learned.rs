//! What a block learns from being used: the part of its row that most operations change.

use elfmem_core::{ActiveHours, Block, BlockId, BlockStatus, Confidence, DecayRate, Evidence};
use serde::Serialize;

/// Belief and use of a block, by the names they have in its row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Learned {
    /// How much it is believed.
    pub confidence: Confidence,
    /// How much evidence there is for that.
    pub outcome_evidence: Evidence,
    /// How often it was of use.
    pub reinforcement_count: u32,
    /// How fast it fades.
    pub decay_lambda: DecayRate,
    /// When it was last of use.
    pub last_reinforced_at: ActiveHours,
}

/// A block without its text: where it stands in its life, and what it has learned.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedBlock {
    /// Where it stands.
    pub status: BlockStatus,
    /// What took its place, if something did.
    pub superseded_by: Option<BlockId>,
    /// What it has learned.
    pub learned: Learned,
}

impl LearnedBlock {
    /// A block without its text.
    pub fn of(block: &Block) -> Self {
        Self { status: block.status, superseded_by: block.superseded_by.clone(), learned: Learned::of(block) }
    }
}

impl Learned {
    /// What a block has learned so far.
    pub fn of(block: &Block) -> Self {
        Self {
            confidence: block.confidence,
            outcome_evidence: block.outcome_evidence,
            reinforcement_count: block.reinforcement_count,
            decay_lambda: block.decay_lambda,
            last_reinforced_at: block.last_reinforced_at,
        }
    }

    /// Gives it to a block.
    pub fn give_to(self, block: &mut Block) {
        block.confidence = self.confidence;
        block.outcome_evidence = self.outcome_evidence;
        block.reinforcement_count = self.reinforcement_count;
        block.decay_lambda = self.decay_lambda;
        block.last_reinforced_at = self.last_reinforced_at;
    }

    /// Counts one use. The stamp never moves backwards.
    pub fn use_once(&mut self, now: ActiveHours) {
        self.reinforcement_count = self.reinforcement_count.saturating_add(1);
        self.last_reinforced_at = self.last_reinforced_at.later_of(now);
    }
}
