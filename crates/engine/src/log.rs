//! `log`: journal entries of the whole memory or of one block.

use elfmem_store::{JournalEntry, JournalQuery, Store};

use crate::Result;
use crate::memory::{Memory, resolve_exactly};

impl<S: Store> Memory<S> {
    /// The newest `limit` operations in the order they ran, of the whole memory or of one block.
    ///
    /// USE WHEN: you want to know what changed, when and by whom, across restarts. DON'T USE WHEN: the operations alone
    /// are enough; [`operations`](Self::operations). COST: fast, one read. RETURNS: [`JournalEntry`]s, each change with
    /// before and after. NEXT: [`undo`](Self::undo) with a number.
    ///
    /// # Errors
    /// An id that no block has, or that several could have.
    pub fn log(&self, block: Option<&str>, limit: u32) -> Result<Vec<JournalEntry>> {
        self.read(|snapshot| {
            let block = block.map(|id| resolve_exactly(snapshot, id)).transpose()?;
            Ok(snapshot.get_journal(&JournalQuery { block, limit: Some(limit), ..JournalQuery::default() })?)
        })
    }
}
