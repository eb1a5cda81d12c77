//! What elfmem asks of a database.
//!
//! A [`Store`] hands out two things: a [`Snapshot`], which reads one consistent state, and a [`Transaction`], which
//! reads and changes it and either happens as a whole or not at all. Both are bound to a
//! [`ScopeView`](elfmem_core::ScopeView), so isolation between scopes has one home: no code above the store filters by hand.
//!
//! Every change goes through [`Store::write`]. A store notes what each row was and what it became, and appends that to
//! the journal in the same transaction; whoever writes a verb cannot forget it.
//!
//! What this crate is *not*: it holds no driver and no SQL. `elfmem-store-sqlite` is the default implementation; any other must pass the suite in `conformance` (feature `conformance`).
//!
//! ```
//! use elfmem_core::{BlockStatus, ScopeView};
//! use elfmem_store::{BlockQuery, Store, StoreError};
//!
//! /// The newest blocks that wait to be consolidated, whichever database holds them.
//! fn waiting<S: Store>(store: &S) -> Result<usize, StoreError> {
//!     store.read(&ScopeView::default(), |snapshot| {
//!         let query = BlockQuery { status: Some(BlockStatus::Inbox), ..BlockQuery::default() };
//!         Ok(snapshot.list_blocks(&query)?.len())
//!     })
//! }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
mod events;
mod examine;
mod feed;
mod fields;
mod journal;
mod learned;
mod proposal;
mod query;
mod rows;
mod settings;
mod snapshot;
mod store;
mod transaction;

pub use error::{ErrorKind, StoreError};
pub use events::{
    Context, ContextQuery, CountedContext, Enrolment, Event, EventQuery, EventSnapshot, EventTransaction, LinkQuery,
    StatedLink,
};
pub use examine::{Check, CheckProgress, Digest, Finding};
pub use feed::{Aspect, BlockChange, BlockFilter, IndexEdge, IndexRow, RankingState};
pub use journal::{
    Answer, Change, Entity, JournalEntry, JournalHeader, JournalLinks, JournalQuery, NumberedChange, Operation, PURGED,
    REMOVED_VECTOR, RecordedChange, vector_from_text, vector_text,
};
pub use learned::{BlockState, LearnedState};
pub use proposal::{Proposal, ProposalKind, ProposalState};
pub use query::{
    BlockCounts, BlockOrder, BlockQuery, BlockText, Contradiction, EmbeddedBlock, FadingQuery, NodeState, StoredVector,
    Tombstone,
};
pub use rows::{BlockRow, Provenance, Row, Setting, StagedPair};
pub use settings::{scope_key, split_scope_key};
pub use snapshot::{LAST_ACTIVITY_AT, Snapshot, TOTAL_ACTIVE_HOURS};
pub use store::Store;
pub use transaction::{ChangedLabels, Transaction};
