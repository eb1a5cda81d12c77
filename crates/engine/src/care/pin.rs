//! `pin` and `unpin`: exempts a block from curation.

use std::fmt;

use elfmem_core::{BlockId, OperationKind};
use elfmem_store::Store;
use serde::Serialize;

use super::request::{Pin, Unpin};
use super::{RedirectNote, live_block};
use crate::Result;
use crate::memory::Memory;
use crate::trace;

/// Result of `pin` and `unpin`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PinResult {
    /// The block id.
    pub block_id: BlockId,
    /// Whether the block is pinned.
    pub pinned: bool,
    /// Whether that changed.
    pub changed: bool,
    /// The requested block, if this one superseded it.
    pub led_from: Option<BlockId>,
}

impl fmt::Display for PinResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.block_id.short();
        match (self.pinned, self.changed) {
            (true, true) => write!(f, "Pinned block {id}: it never fades away.")?,
            (true, false) => write!(f, "Block {id} is pinned already.")?,
            (false, true) => write!(f, "Unpinned block {id}.")?,
            (false, false) => write!(f, "Block {id} is not pinned.")?,
        }
        write!(f, "{}", RedirectNote(&self.led_from))
    }
}

impl<S: Store> Memory<S> {
    /// Keeps a block from ever being archived for having faded. See [`Pin`].
    pub fn pin(&self, request: impl Into<Pin>) -> Result<PinResult> {
        let _span = trace::verb("pin");
        self.set_pin(OperationKind::Pin, &request.into().block_id, true)
    }

    /// Lets a pinned block fade like any other. See [`Unpin`].
    pub fn unpin(&self, request: impl Into<Unpin>) -> Result<PinResult> {
        let _span = trace::verb("unpin");
        self.set_pin(OperationKind::Unpin, &request.into().block_id, false)
    }

    fn set_pin(&self, operation: OperationKind, id: &str, pinned: bool) -> Result<PinResult> {
        self.change(operation, |transaction, moment| {
            let (block, led_from) = live_block(&*transaction, &moment.trust, id)?;
            transaction.update_block(&block.id, &mut |block| block.pinned = pinned)?;
            Ok(PinResult { block_id: block.id, pinned, changed: block.pinned != pinned, led_from })
        })
    }
}
