//! What a search index stores of blocks and edges.

use elfmem_core::coarse::CoarseVector;
use elfmem_core::{Block, BlockId, EdgeKey};

/// The fields of a block that ranking needs beside its words and its vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankingState {
    /// Whether it is exempt from decay and pruning.
    pub pinned: bool,
    /// How often it was used.
    pub reinforcement_count: u32,
    /// The confidence in it.
    pub confidence: f32,
    /// Its decay rate per active hour.
    pub decay_lambda: f64,
    /// When it was last used, in active hours.
    pub last_reinforced_at: f64,
}

impl RankingState {
    /// Reads the ranking state of a block.
    pub fn of(block: &Block) -> Self {
        Self {
            pinned: block.pinned,
            reinforcement_count: block.reinforcement_count,
            confidence: block.confidence.get() as f32,
            decay_lambda: block.decay_lambda.get(),
            last_reinforced_at: block.last_reinforced_at.get(),
        }
    }
}

/// One block as a search index stores it: the fields that use does not change. The [`RankingState`] is read apart, for candidates
/// only.
#[derive(Debug)]
pub struct IndexRow<'a> {
    /// The block.
    pub id: BlockId,
    /// Its length in words, as BM25 counts them.
    pub length: u32,
    /// When its event happened, or else when it was stored, in seconds of the epoch.
    pub happened_at: i64,
    /// The surface or person that added it.
    pub source: &'a str,
    /// The way it came, as [`BroughtBy::to_line`](elfmem_core::BroughtBy::to_line) writes it.
    pub origin: &'a str,
    /// The session it was stored in.
    pub session: Option<&'a str>,
    /// Its position in the order in which blocks were stored.
    pub order: i64,
    /// Whether its text ends in a question mark.
    pub asking: bool,
    /// Its cues, one a line.
    pub cue: Option<&'a str>,
    /// Its vector of the requested model, in the coarse form.
    pub vector: Option<CoarseVector<'a>>,
}

/// An edge as a search index stores it.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexEdge {
    /// The two blocks.
    pub key: EdgeKey,
    /// The effective weight, with what use added.
    pub weight: f64,
    /// Whether the blocks contradict each other.
    pub contradicts: bool,
}

/// What changed about a block, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Only its use count and the time of its last use.
    Usage,
    /// Its [`RankingState`], or another field that decides whether it may answer.
    State,
    /// One of its edges.
    Edges,
    /// One of its contradictions.
    Contradictions,
    /// The block was added or removed, changed its status, or has new words or a new vector.
    Content,
}

/// A block that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockChange {
    /// The block.
    pub id: BlockId,
    /// What changed about it.
    pub aspect: Aspect,
}
