//! What was shown was of use: it counts for the blocks and for the edges between them. What edges may come of it is found out
//! later, from the journal ([`crate::associate`]).

use elfmem_core::{BlockId, BlockStatus, EdgeKey, OperationKind};
use elfmem_store::{Store, Transaction};

use crate::Result;
use crate::memory::Memory;
use crate::moment::Moment;

/// What is to be counted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    /// What was shown, best first.
    pub(crate) ids: Vec<BlockId>,
    /// Edges among them.
    pub(crate) edges: Vec<EdgeKey>,
}

impl<S: Store> Memory<S> {
    /// Counts the use of what was shown. A memory that can only be read still answers: then the history says that the use
    /// was not counted.
    pub(super) fn count_shown(&self, operation: OperationKind, summary: &str, shown: Shown) {
        let counted = self.change(operation.clone(), |transaction, moment| {
            count(transaction, moment, &shown)?;
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

fn count(transaction: &mut dyn Transaction, moment: &Moment, shown: &Shown) -> Result<()> {
    // Another process may have archived or removed something in the meantime: what is gone is not counted.
    let mut standing = transaction.get_statuses(&shown.ids)?;
    standing.retain(|_, status| *status != BlockStatus::Archived);
    let here: Vec<BlockId> = shown.ids.iter().filter(|id| standing.contains_key(*id)).cloned().collect();
    transaction.reinforce_blocks(&here, moment.hours)?;
    Ok(transaction.reinforce_edges(&shown.edges, moment.hours)?)
}
