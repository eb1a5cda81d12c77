//! Adaptive memory for LLM agents.
//!
//! [`Memory`] is the whole library: it learns, recalls, keeps time by use, and records every change. It is synchronous
//! and has no runtime; a call returns when it is done. It works over any [`Store`](elfmem_store::Store); the default one is a single SQLite file
//! (`elfmem-store-sqlite`).
//!
//! What this crate is *not*: it prints nothing, reads no environment and knows no database.
//!
//! ```
//! use elfmem_engine::{Memory, Options};
//! use elfmem_core::Timestamp;
//! use elfmem_store_sqlite::SqliteStore;
//!
//! let memory = Memory::open(SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?, Options::default());
//!
//! let stored = memory.remember("Maria is allergic to peanuts")?;
//! assert_eq!(stored.to_string(), "Stored block 0df8edae. Status: created.");
//!
//! let found = memory.recall("which allergies does Maria have?")?;
//! assert_eq!(found.blocks[0].id, stored.block_id);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod associate;
mod attend;
mod belief_updates;
mod breadcrumbs;
mod care;
pub mod catalog;
mod clock;
mod connect;
mod contradictions;
mod curate;
mod document;
mod dream;
mod echo;
mod error;
mod events;
mod examine;
mod graduate;
mod history;
mod import;
mod input;
mod insights;
mod learn;
mod lineage;
mod links;
mod log;
mod memory;
mod memory_index;
mod migrate;
mod models;
mod moment;
mod operations;
mod outcome;
mod proposals;
mod recall;
mod reembed;
pub mod render;
mod request;
pub mod results;
mod secrets;
mod sessions;
mod status;
mod supersede;
mod trace;
mod transfer;
mod trust;
mod undo;
mod verbs;
mod verify;

pub use crate::catalog::guide;
pub use crate::results::{
    ConnectAction, ConnectByQueryResult, ConnectResult, ConnectsResult, ConsolidateResult, CurateResult, Decision,
    DisconnectAction, DisconnectResult, DisplacedEdge, Explanation, Fate, FoundContradiction, FrameResult,
    LearnDocumentResult, LearnResult, LearnStatus, LeftOut, LeftOutReason, OperationRecord, OutcomeResult, QueryAction,
    RecallResult, RetractResult, ScoredBlock, SkippedBlock, Stage, Strength, Summary, SystemStatus, Via, WhyResult,
};
pub use care::{
    BlockDetails, BlockSummary, CareError, Edit, EditResult, ForgetResult, PinResult, PurgeResult, RestoreResult,
    SupersedeResult, TagResult,
};
pub use clock::{Clock, SystemClock};
pub use connect::{Connect, ConnectByQuery, ConnectError, ConnectMany, Disconnect, IfExists};
pub use contradictions::{ContradictionDetails, Resolution, ResolveResult};
pub use curate::AutoCurate;
pub use dream::{
    DEFAULT_PENDING, Dream, HostAnalysis, HostContradiction, PendingBlock, Progress, ProgressListener, Rescore,
};
pub use elfmem_core::curation::Curate;
pub use error::{Error, ErrorKind};
pub use events::{
    BatchItem, ContextBlock, ContextDetails, ContextGraph, ContextListing, ContextMode, ContextType, EnrolResult,
    EventError, EventOptions, EventStatus, GraphEdge, GraphNode, MAX_BATCH_EVENTS, NewEvent, Relationship,
    StoreEventResult, StoreEventsResult,
};
pub use examine::Examination;
pub use graduate::{Graduate, GraduateResult, GraduationStep};
pub use import::{Arrivals, Format, TextFile};
pub use insights::{InsightResult, InsightSource, Insights};
pub use learn::{Learn, LearnDocument, MAX_CONTENT_BYTES};
pub use lineage::{
    BlameResult, InfluenceResult, KeptBlock, LineageBlock, OutcomeDetails, RetractSourceResult, RetractedBlock,
    StoredBy,
};
pub use links::{Chain, ChainDirection, ChainNode, ConfidenceEffect, LinkResult, UnlinkResult};
pub use memory::{Memory, Options};
pub use memory_index::Footprint;
pub use migrate::MigrateResult;
pub use models::{EmbedderChoice, LateEmbedder, Models};
pub use operations::PastOperation;
pub use outcome::Outcome;
pub use proposals::{ProposalDetails, ProposalsResult};
pub use recall::{
    FrameEdit, FrameRemoved, FrameStored, Recall, RenderFrame, Retrieve, RetrieveFormat, RetrieveResult,
    RetrievedMemory, Why,
};
pub use request::{Request, is_of_kind, whole_number};
pub use secrets::{SecretBlock, SecretsScan};
pub use sessions::{SessionBegun, SessionEnded, SessionStyle};
pub use transfer::{ExportOptions, ExportResult, ImportOptions, ImportResult, SkippedRows, TransferError};
pub use undo::{Undo, UndoCounts, UndoEffect, UndoError, UndoResult};
pub use verbs::Reply;
pub use verify::{Verification, Verify};

/// What every verb answers with when it fails.
pub type Result<T> = std::result::Result<T, Error>;
