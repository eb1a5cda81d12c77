//! A database that holds a memory.

use elfmem_core::ScopeView;

use crate::{CheckProgress, Digest, Finding, JournalHeader, Snapshot, StoreError, Transaction};

/// Rows that cannot be read as rows of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftBehind {
    /// What they are: the name of a table.
    pub what: String,
    /// How many.
    pub count: u64,
    /// Why.
    pub reason: String,
}

/// Holds a memory and hands out consistent snapshots and atomic transactions.
///
/// # Guarantees of every implementation
/// * A snapshot reads one state, whatever others write meanwhile.
/// * A transaction is applied as a whole or not at all. What a durable store acknowledged survives the death of the process.
/// * Writers take turns. A busy store is waited for and retried within a bound, then [`StoreError::Busy`].
/// * The journal entry of a change is part of the same transaction. A transaction that changes nothing has no entry.
/// * Nothing outside the view is read, listed, counted or changed.
pub trait Store: Send + Sync {
    /// Reads one consistent state.
    fn read<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnOnce(&dyn Snapshot) -> Result<T, E>,
        E: From<StoreError>;

    /// Changes the memory. When `work` fails, nothing has changed.
    ///
    /// `work` may run more than once: it must have no effect except through the transaction.
    fn write<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> Result<T, E>,
        E: From<StoreError>;

    /// Makes sure that nothing that was removed can be read from the store's files any more; whether that is so. While another process
    /// reads an older state it is not: running it again later finishes it.
    ///
    /// Cost: the whole memory is rewritten.
    fn scrub(&self) -> Result<bool, StoreError>;

    /// Checks the whole store, all scopes of it, and lists what is wrong. Of rows that the view does not see only the number is told.
    ///
    /// Cost: everything is read.
    fn examine(&self, view: &ScopeView, progress: CheckProgress<'_>) -> Result<Vec<Finding>, StoreError>;

    /// Rebuilds everything that is derived from something else, one transaction for each structure. Rows of the memory change only if
    /// the view sees them, and the journal has these changes under `header`, with a summary of the store's own.
    fn repair(&self, view: &ScopeView, header: &JournalHeader) -> Result<(), StoreError>;

    /// Computes checksums of everything the store holds, all scopes of it, without what is derived or incidental. Checksums of different
    /// implementations are not comparable.
    ///
    /// Cost: everything is read.
    fn digest(&self) -> Result<Digest, StoreError>;

    /// Returns the size of the store, free pages included.
    fn bytes(&self) -> Result<u64, StoreError>;

    /// Returns where the memory is, for people.
    fn location(&self) -> String;

    /// Names rows that the store keeps for another program, or did not take over from it. They are in no
    /// [`visit_rows`](crate::ReadRows::visit_rows).
    fn left_behind(&self) -> Result<Vec<LeftBehind>, StoreError> {
        Ok(Vec::new())
    }

    /// Gives room that is not used any more back to the system, if it is much; whether it did.
    fn give_back_room(&self) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Does work that was deferred so that no caller had to wait for it. Reads give the same results before and after. Without it a
    /// later call may take longer.
    fn checkpoint(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
