//! Adaptive memory for LLM agents.
//!
//! An agent stores what it finds out, elfmem consolidates it at a pause, recalls it by intent,
//! learns from what helped, and lets the rest fade. A memory is one SQLite file, or lives in process
//! memory. It needs no server, no API key and no network: the embedding model is inside the crate.
//!
//! ```
//! # fn main() -> elfmem::Result<()> {
//! use elfmem::Memory;
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("memory.db");
//! let memory = Memory::open(path)?;
//! memory.remember("Maria is allergic to peanuts")?;
//! let found = memory.recall("who can't eat nuts?")?;
//! assert_eq!(found.blocks[0].content, "Maria is allergic to peanuts");
//! # Ok(())
//! # }
//! ```
//!
//! # The loop
//!
//! | step | call | cost |
//! |---|---|---|
//! | store | [`Memory::remember`](elfmem_engine::Memory::remember) | one durable write, no model |
//! | recall | [`Memory::recall`](elfmem_engine::Memory::recall), [`Memory::frame`](elfmem_engine::Memory::frame) | about a millisecond |
//! | feed back | [`Memory::outcome`](elfmem_engine::Memory::outcome) | one transaction |
//! | consolidate | [`Memory::dream`](elfmem_engine::Memory::dream) | at a pause |
//! | revert | [`Memory::undo`](elfmem_engine::Memory::undo) | one transaction |
//!
//! Every verb takes one request. A request is built from what is required and chained with what is
//! optional; where one text is enough, the text itself is the request:
//!
//! ```
//! # fn main() -> elfmem::Result<()> {
//! use elfmem::{Learn, Memory, Recall};
//!
//! let memory = Memory::in_memory()?;
//! memory.learn(Learn::new("Deploys go out on Tuesdays").tag("topic/release"))?;
//! let found = memory.recall(Recall::new("when do we deploy?").top_k(3).tag("topic/%"))?;
//! println!("{found}");
//! # Ok(())
//! # }
//! ```
//!
//! Results print as one sentence and serialise as one JSON object. [`Error`] says what happened
//! and, with [`Error::recovery`], what to do next; nothing was changed when a verb fails.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `sqlite` | yes | memories in SQLite files: `Memory::open` |
//! | `builtin-model` | yes | the static embedding model inside the program, 8 MB |
//! | `encoder` | yes | the encoder inside the program, 19 MB: `BuiltinModel::Encoder` |
//! | `model-folders` | no | sentence-transformers models from a folder on disk: `ModelFolder` |
//! | `remote-models` | no | clients for OpenAI-compatible servers and Anthropic |
//! | `tracing` | no | spans and events of the `tracing` crate |
//!
//! Without features, [`Memory::in_memory`] stores, recalls and consolidates by words. An embedder of
//! your own ([`Models`]) adds search by meaning.
//!
//! The crate is synchronous and starts no thread that outlives a call. A [`Memory`] can be shared
//! between threads.
//!
//! What this crate is *not*: it has no logic of its own. `elfmem-engine` implements the verbs over
//! any store; this crate opens a store and re-exports what a program needs.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod any_store;
mod memory;

pub use any_store::AnyStore;
pub use elfmem_core::consolidation::ThresholdOverrides;
pub use elfmem_core::{
    ActiveHours, Block, BlockId, BlockReplacement, BlockStatus, Confidence, DocumentPart, Frame, ReplacementKind,
    Scope, ScopeView, Tag, Timestamp, TrustPolicy,
};
pub use elfmem_engine::{
    AcceptProposals, AddFrame, AddLink, AddTags, BeginSession, Blame, Connect, ConnectByQuery, ConnectMany, Curate,
    Disconnect, Dream, Edit, EditFrame, Enrol, Forget, ForgetDocument, GenerateInsights, Graduate, Guide, Influence,
    KeepReplaced, Learn, LearnDocument, ListBlocks, ListContexts, ListContradictions, ListDocuments, ListEvents,
    ListLinks, ListOperations, ListPending, ListProposals, MigrateEmbeddings, Outcome, Pin, Purge, ReadLog, Recall,
    RejectProposals, RemoveFrame, RemoveTags, RenderFrame, ResolveContradiction, Restore, RetractOutcome,
    RetractSource, RetrieveMemories, ReviewReplaced, ScanSecrets, ShowBlock, ShowChain, ShowContext, ShowContextGraph,
    StoreEvent, StoreEvents, Supersede, Undo, Unlink, Unpin, Verify, Why,
};
pub use elfmem_engine::{
    AddedObservations, CreatedEntities, CreatedRelations, DeletedItems, EntityObservations, FileCommand, FileError,
    GraphEntity, GraphRelation, KnowledgeGraph, ObservationDeletion, ObservationsAdded,
};
pub use elfmem_engine::{
    AutoCurate, Clock, ContextMode, ContextType, EmbedderChoice, EndOfSession, EventLink, EventOptions, ExportOptions,
    IfExists, ImportFormat, ImportOptions, LateEmbedder, Models, Options, PairJudgeChoice, ParsedImport, Progress,
    RetrieveFormat, SessionStyle, SystemClock, TextFile,
};
pub use elfmem_engine::{
    BlameResult, BlockDetails, ConnectByQueryResult, ConnectResult, ConnectsResult, ConsolidateResult, ContextDetails,
    ContextGraph, ContextListing, ContradictionDetails, CurateResult, Decision, DisconnectResult, DisplacedEdge,
    DocumentDetails, EditResult, EnrolResult, EventListing, ExportResult, FadedBlock, Fate, ForgetDocumentResult,
    ForgetResult, FrameResult, GraduateResult, ImportResult, InfluenceResult, InsightResult, KeepReplacedResult,
    LearnDocumentResult, LearnResult, LearnStatus, LeftOut, LeftOutReason, LinkResult, ListedEvent, MigrateResult,
    OperationRecord, OutcomeResult, PastOperation, PendingBlock, PinResult, ProposalDetails, ProposalsResult,
    PurgeResult, RecallResult, ReplacedBlock, ResolveResult, RestoreResult, RetractResult, RetractSourceResult,
    RetrieveResult, RetrievedMemory, ScoredBlock, SecretsScan, SessionBegun, SessionEnded, SkippedBlock,
    SkippedOperation, StoreEventResult, StoreEventsResult, Strength, Summary, SupersedeResult, SystemStatus, TagResult,
    UndoResult, UnlinkResult, Verification, WhyResult,
};
pub use elfmem_engine::{
    CareError, ConnectError, DocumentError, Error, ErrorKind, EventError, Result, TransferError, UndoError,
};
pub use elfmem_models::{
    Analysis, AnalysisRequest, Analyst, BuiltinModel, ContradictionScore, Embedder, HealthReport, ModelError,
    ModelErrorKind, ProposalRequest, ProposedText, QueryEmbedding, SelfAspect, SimilarityProfile, UnweightedQuery,
    Usage, UsageMeter, unit_vector,
};
#[cfg(feature = "remote-models")]
#[cfg_attr(docsrs, doc(cfg(feature = "remote-models")))]
pub use elfmem_models::{ChatAnalyst, ChatSettings, Connection, EmbeddingSettings, OpenAiEmbedder};
#[cfg(feature = "model-folders")]
#[cfg_attr(docsrs, doc(cfg(feature = "model-folders")))]
pub use elfmem_models::{FolderEmbedder, ModelFolder};
pub use elfmem_store::StoreError;
pub use elfmem_text::secrets::SecretsPolicy;
pub use memory::Memory;

/// The example of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}
