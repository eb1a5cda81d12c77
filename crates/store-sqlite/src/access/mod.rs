//! The traits of [`elfmem_store`] for an open transaction, one file a noun.
//!
//! The required methods are in `rows.rs`, `journal.rs` and `vectors.rs`. Everything else here overrides a derived method because one
//! statement does it faster.

mod blocks;
mod events;
mod evidence;
mod feed;
mod graph;
mod journal;
mod proposals;
mod rows;
mod settings;
mod vectors;

type Result<T> = std::result::Result<T, elfmem_store::StoreError>;
