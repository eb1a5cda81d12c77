//! What came of a link.

use std::fmt;

use elfmem_core::{BlockId, LinkKey};
use serde::Serialize;

use crate::belief_updates::ConfidenceChange;

/// How far the belief in a block was moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MovedBelief {
    /// Which block.
    pub block_id: BlockId,
    /// How much it was believed before.
    pub before: f64,
    /// And after.
    pub after: f64,
}

impl MovedBelief {
    pub(super) fn of(block_id: &BlockId, moved: ConfidenceChange) -> Self {
        Self { block_id: block_id.clone(), before: moved.before, after: moved.after }
    }
}

/// Result of `link`, and of each link that an event came with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkResult {
    /// What it says.
    #[serde(flatten)]
    pub key: LinkKey,
    /// Between which layers it runs: `block_to_block`, `block_to_context`, `context_to_context` or `context_to_block`.
    pub layer: String,
    /// Whether it is new; a link counts once.
    pub created: bool,
    /// Whether its target is there; a context that is not may still come.
    pub resolved: bool,
    /// Whose confidence it moved.
    pub effects: Vec<MovedBelief>,
}

fn moved(f: &mut fmt::Formatter<'_>, effects: &[MovedBelief]) -> fmt::Result {
    for MovedBelief { block_id, before, after } in effects {
        write!(f, " Confidence of {}: {before:.2} → {after:.2}.", block_id.short())?;
    }
    Ok(())
}

impl fmt::Display for LinkResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.created {
            true => write!(f, "Linked: {}.", self.key)?,
            false => write!(f, "Linked already: {}.", self.key)?,
        }
        if !self.resolved {
            write!(f, " It waits for {} to come.", self.key.to.short())?;
        }
        moved(f, &self.effects)
    }
}

/// Result of `unlink`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnlinkResult {
    /// What it said.
    #[serde(flatten)]
    pub key: LinkKey,
    /// Whether there was one.
    pub removed: bool,
    /// Whose confidence moved.
    pub effects: Vec<MovedBelief>,
}

impl fmt::Display for UnlinkResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.removed {
            true => write!(f, "Unlinked: {}.", self.key)?,
            false => write!(f, "There is no such link: {}.", self.key)?,
        }
        moved(f, &self.effects)
    }
}
