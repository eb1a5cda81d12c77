//! What rests on what: `blame`, `influence`, and taking a source back.
//!
//! Each kind of bond between blocks is told by a provider, a function from a block to its grounds. Everything here is built on the list
//! of them, so that another kind of bond is one more function.

mod blame;
mod grounds;
mod retract;

use elfmem_core::{BlockId, BlockStatus, BroughtBy};
use serde::Serialize;

pub use blame::{BlameResult, InfluenceResult, JudgedOutcome, StoredBy};
pub use retract::{KeptBlock, RetractSourceResult, RetractedBlock};

/// A block that another one rests on, or that rests on it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rest {
    /// Which block.
    pub block_id: BlockId,
    /// Its text.
    pub content: String,
    /// Where it stands in its life.
    pub status: BlockStatus,
    /// How the two hang together: `took_the_place_of`, `supports`, `elaborates`, `derived_from`.
    pub how: String,
    /// The block between, when it is not direct.
    pub through: Option<BlockId>,
    /// How many steps away.
    pub steps: usize,
    /// Where it comes from.
    pub source: String,
    /// By which way.
    pub brought_by: BroughtBy,
    /// Whether its source is trusted.
    pub trusted: bool,
}
