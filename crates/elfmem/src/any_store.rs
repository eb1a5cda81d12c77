//! The stores that a memory can be opened on.

use elfmem_core::ScopeView;
use elfmem_store::{
    CheckProgress, Digest, Finding, JournalHeader, LeftBehind, Snapshot, Store, StoreError, Transaction,
};
use elfmem_store_memory::InMemoryStore;
#[cfg(feature = "sqlite")]
use elfmem_store_sqlite::SqliteStore;

/// A store of one of the kinds that this build contains.
#[allow(clippy::large_enum_variant, reason = "a program has one of it, or a few")]
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyStore {
    /// A store in process memory.
    InMemory(InMemoryStore),
    /// A SQLite file.
    #[cfg(feature = "sqlite")]
    #[cfg_attr(docsrs, doc(cfg(feature = "sqlite")))]
    Sqlite(SqliteStore),
}

/// Evaluates a call on the store of whichever variant: a new store needs one line here.
macro_rules! delegate {
    ($any:expr, $store:ident => $call:expr) => {
        match $any {
            AnyStore::InMemory($store) => $call,
            #[cfg(feature = "sqlite")]
            AnyStore::Sqlite($store) => $call,
        }
    };
}

impl Store for AnyStore {
    fn read<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnOnce(&dyn Snapshot) -> Result<T, E>,
        E: From<StoreError>,
    {
        delegate!(self, store => store.read(view, work))
    }

    fn write<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> Result<T, E>,
        E: From<StoreError>,
    {
        delegate!(self, store => store.write(view, work))
    }

    fn scrub(&self) -> Result<bool, StoreError> {
        delegate!(self, store => store.scrub())
    }

    fn examine(&self, view: &ScopeView, progress: CheckProgress<'_>) -> Result<Vec<Finding>, StoreError> {
        delegate!(self, store => store.examine(view, progress))
    }

    fn repair(&self, view: &ScopeView, header: &JournalHeader) -> Result<(), StoreError> {
        delegate!(self, store => store.repair(view, header))
    }

    fn digest(&self) -> Result<Digest, StoreError> {
        delegate!(self, store => store.digest())
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        delegate!(self, store => store.bytes())
    }

    fn location(&self) -> String {
        delegate!(self, store => store.location())
    }

    fn left_behind(&self) -> Result<Vec<LeftBehind>, StoreError> {
        delegate!(self, store => store.left_behind())
    }

    fn give_back_room(&self) -> Result<bool, StoreError> {
        delegate!(self, store => store.give_back_room())
    }

    fn checkpoint(&self) -> Result<(), StoreError> {
        delegate!(self, store => store.checkpoint())
    }
}
