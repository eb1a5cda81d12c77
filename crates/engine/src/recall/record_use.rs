//! Recording that blocks were shown: it counts as use of the blocks and of the edges between them. New edges between blocks
//! that are often shown together are derived later, from the journal ([`crate::associate`]).

use elfmem_core::{BlockId, BlockStatus, EdgeKey, OperationKind};
use elfmem_store::{Store, Transaction};

use crate::Result;
use crate::memory::Memory;
use crate::moment::Moment;

/// Blocks that were shown together.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShownBlocks {
    /// The blocks, best first.
    pub(crate) ids: Vec<BlockId>,
    /// The edges among them.
    pub(crate) edges: Vec<EdgeKey>,
}

impl<S: Store> Memory<S> {
    /// Records the use of blocks that were shown. A memory that cannot be written still answers: then the history says that
    /// the use was not counted.
    pub(super) fn record_use(&self, operation: OperationKind, summary: &str, shown: ShownBlocks) {
        let counted = self.change(operation.clone(), |transaction, moment| {
            reinforce(transaction, moment, &shown)?;
            Ok(summary.to_owned())
        });
        let mut running = self.running();
        if let Err(error) = counted {
            let at = self.options.clock.now();
            running.history.record(operation, format!("{summary} (not counted: {})", error.message()), at);
        }
        running.breadcrumbs.record_recalled(shown.ids);
    }
}

fn reinforce(transaction: &mut dyn Transaction, moment: &Moment, shown: &ShownBlocks) -> Result<()> {
    // Another process may have archived or removed a block in the meantime: it is not counted.
    let mut statuses = transaction.get_statuses(&shown.ids)?;
    statuses.retain(|_, status| *status != BlockStatus::Archived);
    let present: Vec<BlockId> = shown.ids.iter().filter(|id| statuses.contains_key(*id)).cloned().collect();
    transaction.reinforce_blocks(&present, moment.hours)?;
    Ok(transaction.reinforce_edges(&shown.edges, moment.hours)?)
}
