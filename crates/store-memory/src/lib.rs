//! A store that lives in memory: for tests, and for ephemeral memories of some thousand blocks.
//!
//! It implements the required methods of [`elfmem_store`] over ordered maps and derives nearly everything else. Snapshots share the
//! state with the store: while somebody reads an older state, a writer copies the tables that it changes. Values are shared, so
//! a copy is a copy of maps.
//!
//! What this crate is *not*: it writes nothing to disk, and it is not tuned for a hundred thousand blocks. Many derived methods read
//! all rows of a kind.
//!
//! ```
//! use elfmem_core::{ScopeView, Timestamp};
//! use elfmem_store::{Store, StoreError};
//! use elfmem_store_memory::InMemoryStore;
//!
//! let store = InMemoryStore::new(Timestamp::UNIX_EPOCH)?;
//! let frames = store.read(&ScopeView::default(), |snapshot| snapshot.list_frames())?;
//! assert_eq!(frames.len(), 5);
//! # Ok::<(), StoreError>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod digest;
mod examine;
mod open;
mod postings;
mod state;
mod store;
mod table;
mod write;

pub use store::InMemoryStore;

type Result<T> = std::result::Result<T, elfmem_store::StoreError>;
