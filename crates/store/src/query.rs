//! The plain values that go in and out of a store beside blocks and edges.

use elfmem_core::{ActiveHours, Block, BlockId, BlockStatus, Category, EdgeKey, Timestamp};
use serde::{Deserialize, Serialize};

/// In which order blocks come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlockOrder {
    /// As they were stored, the oldest first.
    #[default]
    OldestFirst,
    /// The newest first.
    NewestFirst,
    /// The most recently reinforced first.
    RecentlyUsedFirst,
}

/// Which blocks to list.
#[derive(Debug, Clone, Default)]
pub struct BlockQuery {
    /// Only of this status.
    pub status: Option<BlockStatus>,
    /// Only with a tag that matches this pattern, `%` standing for anything.
    pub tag_pattern: Option<String>,
    /// Only of this category.
    pub category: Option<Category>,
    /// Only reinforced after this hour.
    pub reinforced_after: Option<ActiveHours>,
    /// In which order.
    pub order: BlockOrder,
    /// At most this many; none for all.
    pub limit: Option<u32>,
}

/// A block's text and its kind: what comparing it with others needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockText {
    /// Which block.
    pub id: BlockId,
    /// Its authored text.
    pub content: String,
    /// Its kind.
    pub category: Category,
}

/// A block as a node of the graph: what decides whether it may get another edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeState {
    /// Its status.
    pub status: BlockStatus,
    /// How many edges it has.
    pub degree: usize,
}

/// How many blocks there are of each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BlockCounts {
    /// Waiting to be consolidated.
    pub inbox: u64,
    /// Consolidated.
    pub active: u64,
    /// Out of recall.
    pub archived: u64,
}

/// A block with its vector.
#[derive(Debug, Clone)]
pub struct EmbeddedBlock {
    /// The block.
    pub block: Block,
    /// Its vector.
    pub embedding: Vec<f32>,
}

/// A vector that takes part in recall and dream.
#[derive(Debug, Clone)]
pub struct StoredVector {
    /// Whose it is.
    pub id: BlockId,
    /// Where that block stands: inbox or active.
    pub status: BlockStatus,
    /// The vector.
    pub vector: Vec<f32>,
}

/// Two blocks that cannot both hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contradiction {
    /// The smaller id.
    pub block_a_id: BlockId,
    /// The larger id.
    pub block_b_id: BlockId,
    /// How sure that is, in `[0, 1]`.
    pub score: f64,
    /// Whether someone has settled it.
    pub resolved: bool,
    /// When it was noticed.
    pub created_at: Timestamp,
    /// Why, in the judge's words.
    #[serde(default)]
    pub reason: Option<String>,
    /// What whoever settled it had to say.
    #[serde(default)]
    pub note: Option<String>,
}

impl Contradiction {
    /// A new, unresolved contradiction between two blocks, in id order whichever way they are given; none when they are
    /// the same block.
    pub fn between(a: &BlockId, b: &BlockId, score: f64, created_at: Timestamp) -> Option<Self> {
        let EdgeKey { from_id, to_id } = EdgeKey::canonical(a, b)?;
        let score = score.clamp(0.0, 1.0);
        let (resolved, reason, note) = (false, None, None);
        Some(Self { block_a_id: from_id, block_b_id: to_id, score, resolved, created_at, reason, note })
    }

    /// The side that is not `id`.
    pub fn other(&self, id: &BlockId) -> &BlockId {
        if *id == self.block_a_id { &self.block_b_id } else { &self.block_a_id }
    }
}

/// Which fading blocks to look for.
#[derive(Debug, Clone, Copy)]
pub struct FadingQuery {
    /// What the clock of use reads.
    pub now: ActiveHours,
    /// Recency strictly above this.
    pub above: f64,
    /// Recency at or below this.
    pub up_to: f64,
    /// Used at least so often …
    pub least_uses: u32,
    /// … or believed at least so much on evidence.
    pub least_confidence: f64,
    /// At most this many, those closest to fading away first.
    pub limit: u32,
}

/// What is left of a block whose text was purged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tombstone {
    /// The block there was.
    pub block_id: BlockId,
    /// When it was purged.
    pub purged_at: Timestamp,
    /// By whom.
    pub actor: String,
}
