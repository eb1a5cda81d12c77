//! Opening a memory.

use std::ops::Deref;

use elfmem_engine::{Clock, Options, Result, SystemClock};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};

/// A memory of an agent.
///
/// All verbs are methods of [`elfmem_engine::Memory`], which this type dereferences to. They take
/// `&self`: share a memory between threads by reference or in an [`Arc`](std::sync::Arc).
#[derive(Debug)]
pub struct Memory {
    engine: elfmem_engine::Memory<SqliteStore>,
}

impl Memory {
    /// Opens the memory in a SQLite file, or creates it.
    ///
    /// Folders on the way are created. A database of the Python elfmem 0.15 is migrated after a
    /// verified backup.
    ///
    /// # Errors
    /// The path cannot be written, or the file is damaged, encrypted, newer or of another program.
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self> {
        Self::open_with(path, Options::default())
    }

    /// Opens the memory in a SQLite file with other settings than the defaults.
    ///
    /// # Errors
    /// The path cannot be written, or the file is damaged, encrypted, newer or of another program.
    pub fn open_with(path: impl AsRef<std::path::Path>, options: Options) -> Result<Self> {
        let store = SqliteStore::open(path, OpenOptions::default(), options.clock.now())?;
        Ok(Self { engine: elfmem_engine::Memory::open(store, options) })
    }

    /// Creates a memory that exists only as long as this value.
    ///
    /// # Errors
    /// The store cannot be created.
    pub fn in_memory() -> Result<Self> {
        Self::in_memory_with(Options::default())
    }

    /// Creates a memory that exists only as long as this value, with other settings.
    ///
    /// # Errors
    /// The store cannot be created.
    pub fn in_memory_with(options: Options) -> Result<Self> {
        let store = SqliteStore::in_memory(SystemClock.now())?;
        Ok(Self { engine: elfmem_engine::Memory::open(store, options) })
    }
}

impl Deref for Memory {
    type Target = elfmem_engine::Memory<SqliteStore>;

    fn deref(&self) -> &Self::Target {
        &self.engine
    }
}
