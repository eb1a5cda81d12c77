//! Dependencies between blocks: `blame`, `influence` and `retract_source`.
//!
//! A provider is a function that returns the dependencies of a block of one kind. All verbs use the
//! list of providers, so a new kind of dependency is one more function.

mod blame;
mod dependencies;
mod request;
mod retract;

use elfmem_core::{BlockId, BlockStatus, BroughtBy};
use serde::Serialize;

pub use blame::{BlameResult, InfluenceResult, OutcomeDetails, StoredBy};
pub use request::{Blame, Influence, RetractSource};
pub use retract::{KeptBlock, RetractSourceResult, RetractedBlock};

/// A source or a dependent of a block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LineageBlock {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// The status.
    pub status: BlockStatus,
    /// The kind of dependency: `took_the_place_of`, `supports`, `elaborates`, `derived_from`.
    pub how: String,
    /// The previous block on the path. `None` for a direct dependency.
    pub through: Option<BlockId>,
    /// The distance in steps.
    pub steps: usize,
    /// The source.
    pub source: String,
    /// How the block entered the memory.
    pub brought_by: BroughtBy,
    /// Whether its source is trusted.
    pub trusted: bool,
}
