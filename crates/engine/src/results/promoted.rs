//! Inbox blocks that a verb promoted on the way.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Fate;
use elfmem_core::id::BlockId;

/// An inbox block that was consolidated because a verb named it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PromotedBlock {
    /// The block that waited in the inbox.
    pub block_id: BlockId,
    /// What became of it.
    pub fate: Fate,
    /// The block that it repeats or replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_id: Option<BlockId>,
}

impl fmt::Display for PromotedBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.block_id.short();
        match (self.fate, &self.other_id) {
            (Fate::Rejected, Some(other)) => {
                write!(f, "Block {id} from the inbox repeats block {}, which stands for it.", other.short())
            }
            (Fate::Superseded | Fate::Updated, Some(other)) => {
                write!(f, "Block {id} was promoted from the inbox first and replaces block {}.", other.short())
            }
            _ => write!(f, "Block {id} was promoted from the inbox first."),
        }
    }
}

/// Writes a sentence for each promoted block, each after a space.
pub(super) fn write_promoted(f: &mut fmt::Formatter<'_>, promoted: &[PromotedBlock]) -> fmt::Result {
    promoted.iter().try_for_each(|block| write!(f, " {block}"))
}
