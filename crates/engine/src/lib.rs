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

mod age;
mod associate;
mod attend;
mod belief_updates;
mod breadcrumbs;
mod calibration;
mod care;
pub mod catalog;
mod clock;
mod connect;
mod contradictions;
mod curate;
mod documents;
mod dream;
mod echo;
mod error;
mod events;
mod examine;
mod graduate;
mod history;
mod host_session;
mod import;
mod input;
mod insights;
mod knowledge_graph;
mod learn;
mod lineage;
mod links;
mod log;
mod memory;
mod memory_files;
mod memory_index;
mod migrate;
mod models;
mod moment;
mod operations;
mod outcome;
mod progress;
mod proposals;
mod recall;
mod reembed;
pub mod render;
mod request;
pub mod results;
mod review;
mod secrets;
mod sessions;
mod status;
mod supersede;
mod trace;
mod transfer;
mod trust;
mod undo;
mod undo_window;
mod verbs;
mod verify;
mod waiting;

pub use crate::catalog::guide;
pub use crate::results::{
    ConnectAction, ConnectByQueryResult, ConnectResult, ConnectsResult, ConsolidateResult, CurateResult, Decision,
    DisconnectAction, DisconnectResult, DisplacedEdge, Explanation, FadedBlock, Fate, FoundContradiction, FrameResult,
    LearnDocumentResult, LearnMessagesResult, LearnResult, LearnStatus, LearnedFact, LeftOut, LeftOutReason,
    OperationRecord, OutcomeResult, PromotedBlock, QueryAction, RecallResult, RetractResult, ScoredBlock, SkippedBlock,
    Stage, Strength, Summary, SystemStatus, Via, WhyResult,
};
pub use calibration::{CalibrationPoint, CalibrationStatus};
pub use care::{
    AddTags, BlockDetails, BlockSummary, CareError, Edit, EditResult, Forget, ForgetResult, ListBlocks, ListedBlock,
    Pin, PinResult, Purge, PurgeResult, RemoveTags, Restore, RestoreResult, ShowBlock, Supersede, SupersedeResult,
    TagResult, Unpin,
};
pub use catalog::Guide;
pub use clock::{Clock, SystemClock};
pub use connect::{Connect, ConnectByQuery, ConnectError, ConnectMany, Disconnect, IfExists};
pub use contradictions::{
    ContradictionChoice, ContradictionDetails, ListContradictions, ResolveContradiction, ResolveResult,
};
pub use curate::{AutoCurate, Curate};
pub use documents::{DocumentDetails, DocumentError, ForgetDocument, ForgetDocumentResult, ListDocuments};
pub use dream::{Dream, HostAnalyses, HostAnalysis, HostContradiction, ListPending, PendingBlock, Rescore};
pub use error::{Error, ErrorKind};
pub use events::{
    BatchItem, ContextBlock, ContextDetails, ContextGraph, ContextListing, ContextMode, ContextType, Enrol,
    EnrolResult, EventError, EventLink, EventListing, EventOptions, EventStatus, GraphEdge, GraphNode, ListContexts,
    ListEvents, ListedEvent, MAX_BATCH_EVENTS, Relationship, ShowContext, ShowContextGraph, StoreEvent,
    StoreEventResult, StoreEvents, StoreEventsResult,
};
pub use examine::Examination;
pub use graduate::{Graduate, GraduateResult, GraduationStep};
pub use host_session::HostSession;
pub use import::{ImportFormat, ParsedImport, TextFile};
pub use insights::{GenerateInsights, InsightResult, InsightSource};
pub use knowledge_graph::{
    AddedObservations, CreatedEntities, CreatedRelations, DeletedItems, EntityObservations, GraphEntity, GraphRelation,
    KnowledgeGraph, ObservationDeletion, ObservationsAdded, UntrustedItem,
};
pub use learn::{ConversationMessage, Learn, LearnDocument, LearnMessages, MAX_CONTENT_BYTES};
pub use lineage::{
    Blame, BlameResult, Influence, InfluenceResult, KeptBlock, LineageBlock, OutcomeDetails, RetractSource,
    RetractSourceResult, RetractedBlock, StoredBy,
};
pub use links::{
    AddLink, Chain, ChainDirection, ChainNode, ConfidenceEffect, LinkResult, ListLinks, ShowChain, Unlink, UnlinkResult,
};
pub use memory::{Memory, Options};
pub use memory_files::{FileCommand, FileError};
pub use memory_index::Footprint;
pub use migrate::{MigrateEmbeddings, MigrateResult, MigrationProgress};
pub use models::{EmbedderChoice, LateEmbedder, Models, PairJudgeChoice};
pub use operations::{ListOperations, PastOperation, ReadLog};
pub use outcome::{Outcome, RetractOutcome};
pub use progress::{Progress, ProgressListener};
pub use proposals::{AcceptProposals, ListProposals, ProposalDetails, ProposalsResult, ProposedBlock, RejectProposals};
pub use recall::{
    AddFrame, ContextTypes, EditFrame, FrameRemoved, FrameStored, FrameWeights, ListFrames, Recall, RemoveFrame,
    RenderFrame, RetrieveFormat, RetrieveMemories, RetrieveResult, RetrievedMemory, Why,
};
pub use request::{Request, is_of_kind, whole_number};
pub use review::{KeepReplaced, KeepReplacedResult, ReplacedBlock, ReviewReplaced};
pub use secrets::{ScanSecrets, SecretBlock, SecretsScan};
pub use sessions::{BeginSession, EndOfSession, EndSession, SessionBegun, SessionEnded, SessionStyle};
pub use status::Status;
pub use transfer::{ExportOptions, ExportResult, ImportOptions, ImportResult, SkippedRows, TransferError};
pub use undo::{SkippedOperation, Undo, UndoCounts, UndoEffect, UndoError, UndoResult, UndoneConsolidation};
pub use undo_window::{UNDO_WINDOW_DAYS, UndoWindow};
pub use verbs::{Reply, answer_json, check_question};
pub use verify::{Verification, Verify};
pub use waiting::EmbeddedBlocks;

/// What every verb answers with when it fails.
pub type Result<T> = std::result::Result<T, Error>;
