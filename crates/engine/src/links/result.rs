//! Results of `link` and `unlink`.

use std::fmt;

use elfmem_core::{BlockId, LinkKey};
use serde::Serialize;

use crate::belief_updates::ConfidenceChange;

/// The effect of a link on the confidence of one block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ConfidenceEffect {
    /// The block id.
    pub block_id: BlockId,
    /// The confidence before.
    pub before: f64,
    /// The confidence after.
    pub after: f64,
}

impl ConfidenceEffect {
    pub(super) fn new(block_id: &BlockId, change: ConfidenceChange) -> Self {
        Self { block_id: block_id.clone(), before: change.before, after: change.after }
    }
}

/// Result of `link`, and of each link of an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LinkResult {
    /// The link.
    #[serde(flatten)]
    pub key: LinkKey,
    /// The layers it connects: `block_to_block`, `block_to_context`, `context_to_context` or
    /// `context_to_block`.
    pub layer: String,
    /// Whether it is new.
    pub created: bool,
    /// Whether its target exists. A link to a context that does not exist is pending.
    pub resolved: bool,
    /// The changes of confidence.
    pub effects: Vec<ConfidenceEffect>,
}

fn write_effects(f: &mut fmt::Formatter<'_>, effects: &[ConfidenceEffect]) -> fmt::Result {
    for ConfidenceEffect { block_id, before, after } in effects {
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
            write!(f, " Pending until {} exists.", self.key.to.short())?;
        }
        write_effects(f, &self.effects)
    }
}

/// Result of `unlink`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UnlinkResult {
    /// The link.
    #[serde(flatten)]
    pub key: LinkKey,
    /// Whether it existed.
    pub removed: bool,
    /// The changes of confidence.
    pub effects: Vec<ConfidenceEffect>,
}

impl fmt::Display for UnlinkResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.removed {
            true => write!(f, "Unlinked: {}.", self.key)?,
            false => write!(f, "There is no such link: {}.", self.key)?,
        }
        write_effects(f, &self.effects)
    }
}
