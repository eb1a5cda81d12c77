//! `supersede`: replaces one stored block with another.

use std::fmt;

use elfmem_core::{BlockId, OperationKind};
use elfmem_store::Store;
use serde::Serialize;

use super::request::Supersede;
use super::{CareError, live_block};
use crate::Result;
use crate::memory::Memory;
use crate::supersede::{SuccessorKind, supersede};
use crate::trace;

/// Result of `supersede`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SupersedeResult {
    /// The archived block. Its id now resolves to the new block.
    pub old_id: BlockId,
    /// The block that replaces it.
    pub new_id: BlockId,
    /// Number of edges of the new block.
    pub edges: usize,
}

impl fmt::Display for SupersedeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block {} supersedes {}.", self.new_id.short(), self.old_id.short())
    }
}

impl<S: Store> Memory<S> {
    /// Lets `new` take the place of `old`: it inherits tags, edges, contradictions, belief and counts, and the id of `old` leads to
    /// it from now on. See [`Supersede`].
    ///
    /// # Errors
    /// Twice the same block, an archived block.
    pub fn supersede(&self, request: impl Into<Supersede>) -> Result<SupersedeResult> {
        let _span = trace::verb("supersede");
        let Supersede { old, by } = request.into();
        self.change(OperationKind::Supersede, |transaction, moment| {
            let (old, replaced) = live_block(&*transaction, &moment.trust, &old)?;
            let (new, _) = live_block(&*transaction, &moment.trust, &by)?;
            if old.id == new.id {
                return Err(match replaced {
                    Some(id) => CareError::Replaced { id, by: new.id },
                    None => CareError::SameBlock { id: old.id },
                }
                .into());
            }
            supersede(transaction, moment, &old, &new.id, SuccessorKind::SameKnowledge)?;
            let edges = transaction.get_edges_for_block(&new.id)?.len();
            Ok(SupersedeResult { old_id: old.id, new_id: new.id, edges })
        })
    }
}
