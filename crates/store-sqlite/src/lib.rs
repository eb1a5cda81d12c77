//! The default store of elfmem: one SQLite file in WAL mode.
//!
//! Tables and columns of the seeds keep their names and meaning, so a database of the Python elfmem (0.15 to 0.20) opens in
//! place (after a verified backup). The schema is in `src/migrations/`.
//!
//! What this crate is *not*: it decides nothing about memory. It keeps rows, the full-text index over them and the journal in step,
//! and gives the guarantees of [`elfmem_store::Store`].
//!
//! ```
//! use elfmem_core::{ScopeView, Timestamp};
//! use elfmem_store::{Store, StoreError};
//! use elfmem_store_sqlite::SqliteStore;
//!
//! let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?;
//! let frames = store.read(&ScopeView::default(), |snapshot| snapshot.list_frames())?;
//! assert_eq!(frames.len(), 5);
//! # Ok::<(), StoreError>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod access;
mod adopt;
mod archive;
mod backup;
mod blocks;
mod chain;
mod changes;
mod co_retrieval;
mod connection;
mod contexts;
mod contradictions;
mod curation;
mod digest;
mod edges;
mod errors;
mod events;
mod examine;
#[cfg(feature = "faults")]
pub mod faults;
mod feed;
mod file_identity;
mod foreign;
mod frames;
mod identify;
mod journal;
mod key;
mod links;
mod migrations;
mod outcomes;
mod pool;
mod position;
mod private_file;
mod proposals;
mod read_only;
mod restore;
mod rows;
mod schema;
mod scopes;
mod search;
mod sessions;
mod store;
mod trace;
mod transaction;
mod updates;
mod uses;
mod vectors;
mod visibility;
mod wal;

pub use adopt::{Adoption, AdoptionCounts, BadRows, Conversion};
pub use backup::{BackupReport, CopyProgress, Overwrite, RunMode};
pub use connection::{OpenOptions, Synchronous};
pub use foreign::{Maker, python_blocks};
pub use identify::looks_encrypted;
pub use key::Key;
pub use restore::{RestoreReport, restore};
pub use store::SqliteStore;
pub use wal::MAX_LOG_BYTES;
