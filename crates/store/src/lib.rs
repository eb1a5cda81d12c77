//! The storage interface of elfmem.
//!
//! A [`Store`] hands out a [`Snapshot`], which reads one consistent state, and a [`Transaction`], which also changes it and is applied
//! as a whole or not at all. Both are bound to a [`ScopeView`](elfmem_core::ScopeView): the store enforces the isolation of scopes, and
//! no code above it filters by scope. Every change goes through [`Store::write`] and is journaled in the same transaction.
//!
//! Snapshots and transactions consist of one trait for each noun: [`ReadBlocks`], [`ReadGraph`], [`ReadJournal`], [`IndexFeed`] and so
//! on. Nearly all their methods are derived from a few required ones, which are listed in `conformance::required`:
//!
//! * [`ReadRows`] and [`WriteRows`] read and write rows of any kind by key or by block;
//! * [`ReadJournal::scan_journal`] and [`WriteJournal::rewrite_journal`] read and redact the journal;
//! * [`ReadVectors::scan_staged_vectors`] and two methods of [`WriteVectors`] stage vectors of another model.
//!
//! A store overrides derived methods where it can do better. `elfmem-store-sqlite` is the default implementation and
//! `elfmem-store-memory` the smallest one. Every implementation must pass the suite in `conformance` (feature `conformance`).
//!
//! This crate contains no database driver and no SQL.
//!
//! ```
//! use elfmem_core::{BlockStatus, ScopeView};
//! use elfmem_store::{BlockQuery, Store, StoreError};
//!
//! /// Counts the blocks that wait to be consolidated, whichever database holds them.
//! fn waiting<S: Store>(store: &S) -> Result<usize, StoreError> {
//!     store.read(&ScopeView::default(), |snapshot| {
//!         let query = BlockQuery { status: Some(BlockStatus::Inbox), ..BlockQuery::default() };
//!         Ok(snapshot.list_blocks(&query)?.len())
//!     })
//! }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod blocks;
#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
mod events;
mod evidence;
mod examine;
mod feed;
mod graph;
mod journal;
mod proposals;
mod rows;
mod settings;
mod snapshot;
mod store;
mod transaction;
mod vectors;

pub use blocks::{
    BlockCounts, BlockOrder, BlockQuery, BlockState, BlockText, DocumentQuery, FadingQuery, LearnedState, REDACTED,
    ReadBlocks, ReplacedQuery, Tombstone, WriteBlocks,
};
pub use error::{BadRow, StoreError, StoreErrorKind};
pub use events::{
    Context, ContextQuery, CountedContext, Enrolment, Event, EventQuery, LinkQuery, ReadEvents, StatedLink, WriteEvents,
};
pub use evidence::{RECENT_OUTCOMES, ReadEvidence, WriteEvidence};
pub use examine::{Check, CheckProgress, Digest, Finding};
pub use feed::{
    Aspect, BlockChange, BlockFilter, IndexEdge, IndexFeed, IndexRow, RankingState, changed_blocks, term_counts,
};
pub use graph::{Contradiction, ContradictionFilter, NodeState, ReadGraph, WriteGraph};
pub use journal::{
    Answer, Change, ChangedLabels, ChangedRow, Entity, FoldedJournal, JournalEntry, JournalHeader, JournalLinks,
    JournalQuery, JournalRecord, JournalSelection, JournalVisitor, NumberedChange, Operation, PURGED, ProvenanceBefore,
    REMOVED_VECTOR, ReadJournal, RecordedChange, RecordedOperation, Recorder, RowChange, ShownRelevance, WriteJournal,
    vector_from_text, vector_text,
};
pub use proposals::{Proposal, ProposalKind, ProposalState, ReadProposals, WriteProposals};
pub use rows::{
    BlockRow, Internal, Provenance, ReadRows, Row, RowEdit, RowKey, RowKind, RowQuery, RowVisitor, Setting, StagedPair,
    Vectors, WriteRows,
};
pub use settings::{LAST_ACTIVITY_AT, ReadSettings, TOTAL_ACTIVE_HOURS, WriteSettings, scope_key, split_scope_key};
pub use snapshot::Snapshot;
pub use store::{LeftBehind, Store};
pub use transaction::Transaction;
pub use vectors::{ReadVectors, StoredVector, VectorVisitor, WriteVectors};

type Result<T> = std::result::Result<T, StoreError>;
