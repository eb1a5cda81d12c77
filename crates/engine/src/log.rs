//! `log`: journal entries of the whole memory or of one block.

use elfmem_store::{JournalEntry, JournalQuery, Store};

use crate::Result;
use crate::memory::{Memory, resolve_exactly};
use crate::operations::{ReadLog, summary_of};
use crate::trace;

impl<S: Store> Memory<S> {
    /// The newest `limit` operations in the order they ran, of the whole memory or of one block. See [`ReadLog`].
    ///
    /// # Errors
    /// An id that no block has, or that several could have.
    pub fn log(&self, request: impl Into<ReadLog>) -> Result<Vec<JournalEntry>> {
        let _span = trace::verb("log");
        let ReadLog { block_id: block, limit } = request.into();
        self.read(|snapshot| {
            let block = block.as_deref().map(|id| resolve_exactly(snapshot, id)).transpose()?;
            let query = JournalQuery { block, limit: Some(limit), ..JournalQuery::default() };
            let mut entries = snapshot.get_journal(&query)?;
            for entry in &mut entries {
                entry.header.summary = summary_of(&entry.header.summary);
            }
            Ok(entries)
        })
    }
}
