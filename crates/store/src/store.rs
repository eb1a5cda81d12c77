//! A database that holds a memory.

use elfmem_core::ScopeView;

use crate::{CheckProgress, Digest, Finding, JournalHeader, Snapshot, StoreError, Transaction};

/// Holds a memory durably and hands out consistent readings and atomic changes of it.
///
/// # Guarantees every implementation gives
/// * A snapshot sees one state, whatever others write meanwhile.
/// * A transaction happens as a whole or not at all; what was acknowledged survives the death of the process.
/// * Writers take turns. A busy store is waited for and tried again within a bound, then [`StoreError::Busy`].
/// * The journal row of a change is part of the same transaction; without changes there is none.
/// * Nothing outside the view is read, listed, counted or changed.
pub trait Store: Send + Sync {
    /// Reads one consistent state.
    fn read<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnOnce(&dyn Snapshot) -> Result<T, E>,
        E: From<StoreError>;

    /// Changes the memory. When `work` fails, nothing has happened.
    ///
    /// `work` may run more than once: it must have no effect but through the transaction.
    fn write<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> Result<T, E>,
        E: From<StoreError>;

    /// Does what was put off so that nobody had to wait for it. Nothing that is read changes by it; leaving it out costs only
    /// that somebody waits later.
    fn checkpoint(&self) -> Result<(), StoreError>;

    /// Makes sure that nothing that was removed can be read from the store's files any more; whether that is so. It is not
    /// while another process still reads an older state: then running it again later finishes it.
    ///
    /// Cost: the whole memory is written anew.
    fn scrub(&self) -> Result<bool, StoreError>;

    /// Looks the whole store through, all scopes of it, and says what is not as it should be. Of what the view does not see, only
    /// how much is told, never which.
    ///
    /// Cost: everything is read.
    fn examine(&self, view: &ScopeView, watch: CheckProgress<'_>) -> Result<Vec<Finding>, StoreError>;

    /// Makes everything anew that is derived from something else, one transaction for each structure. Where rows of the memory
    /// change, they are rows that the view sees, and the journal has them under `header`, with a summary of the store's own.
    fn repair(&self, view: &ScopeView, header: &JournalHeader) -> Result<(), StoreError>;

    /// Sums over everything the store holds, all scopes of it, without what is derived or incidental.
    ///
    /// Cost: everything is read.
    fn digest(&self) -> Result<Digest, StoreError>;

    /// How large the store is, free room in it included.
    fn bytes(&self) -> Result<u64, StoreError>;

    /// Where the memory is, for people.
    fn location(&self) -> String;
}
