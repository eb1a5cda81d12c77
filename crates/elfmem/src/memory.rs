//! Opening a memory.

use std::ops::Deref;

use elfmem_engine::{Options, Result};
use elfmem_store_memory::InMemoryStore;
#[cfg(feature = "sqlite")]
use elfmem_store_sqlite::{OpenOptions, SqliteStore};

use crate::AnyStore;

/// A memory of an agent.
///
/// All verbs are methods of [`elfmem_engine::Memory`], which this type dereferences to. They take
/// `&self`: share a memory between threads by reference or in an [`Arc`](std::sync::Arc).
#[derive(Debug)]
pub struct Memory {
    engine: elfmem_engine::Memory<AnyStore>,
}

impl Memory {
    /// Opens the memory in a SQLite file, or creates it.
    ///
    /// Folders on the way are created. A database of the Python elfmem 0.15 is migrated after a
    /// verified backup.
    ///
    /// # Errors
    /// The path cannot be written, or the file is damaged, encrypted, newer or of another program.
    #[cfg(feature = "sqlite")]
    #[cfg_attr(docsrs, doc(cfg(feature = "sqlite")))]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self> {
        Self::open_with(path, Options::default())
    }

    /// Opens the memory in a SQLite file with other settings than the defaults.
    ///
    /// # Errors
    /// Fails like [`open`](Self::open).
    #[cfg(feature = "sqlite")]
    #[cfg_attr(docsrs, doc(cfg(feature = "sqlite")))]
    pub fn open_with(path: impl AsRef<std::path::Path>, options: Options) -> Result<Self> {
        let store = SqliteStore::open(path, OpenOptions::default(), options.clock.now())?;
        Ok(Self::over(AnyStore::Sqlite(store), options))
    }

    /// Creates a memory in process memory: no file, no SQLite. It ends with this value.
    ///
    /// # Errors
    /// The store cannot be created.
    pub fn in_memory() -> Result<Self> {
        Self::in_memory_with(Options::default())
    }

    /// Creates a memory in process memory with other settings than the defaults.
    ///
    /// # Errors
    /// Fails like [`in_memory`](Self::in_memory).
    pub fn in_memory_with(options: Options) -> Result<Self> {
        let store = InMemoryStore::new(options.clock.now())?;
        Ok(Self::over(AnyStore::InMemory(store), options))
    }

    fn over(store: AnyStore, options: Options) -> Self {
        Self { engine: elfmem_engine::Memory::open(store, options) }
    }
}

impl Deref for Memory {
    type Target = elfmem_engine::Memory<AnyStore>;

    fn deref(&self) -> &Self::Target {
        &self.engine
    }
}
