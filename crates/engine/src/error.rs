//! Errors an agent can act on: each says what happened and what to do next.

use crate::catalog::{self, Verb, VerbId};
use elfmem_core::block::LabelError;
use elfmem_core::{BlockId, Timestamp};
use elfmem_index::IndexError;
use elfmem_models::ModelError;
use elfmem_store::StoreError;
use elfmem_text::phrase::one_line;
use elfmem_text::secrets::{Redactions, redact};

use crate::care::CareError;
use crate::connect::ConnectError;
use crate::documents::DocumentError;
use crate::events::EventError;
use crate::memory_files::FileError;
use crate::transfer::TransferError;
use crate::undo::UndoError;

/// The class of an error, named as in the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A session is missing.
    Session,
    /// A setting is wrong.
    Config,
    /// The database could not do it.
    Storage,
    /// There is no such frame.
    Frame,
    /// What was given cannot be used.
    Input,
    /// There is no such block.
    NotFound,
    /// A model could not do it.
    Model,
    /// The memory was filled by another model.
    EmbeddingLock,
    /// The state of the memory does not allow it.
    Conflict,
    /// An edge could not be placed.
    Connect,
    /// An edge could not be placed: source and target are one block.
    SelfLoop,
    /// An edge could not be placed: a block is not active.
    BlockNotActive,
    /// An edge could not be placed: a block has too many edges that may not give way.
    DegreeLimit,
}

impl ErrorKind {
    /// The name that programs see.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Session => "SessionError",
            Self::Config => "ConfigError",
            Self::Storage => "StorageError",
            Self::Frame => "FrameError",
            Self::Input => "InputError",
            Self::NotFound => "NotFoundError",
            Self::Model => "ModelError",
            Self::EmbeddingLock => "EmbeddingLockError",
            Self::Conflict => "ConflictError",
            Self::Connect => "ConnectError",
            Self::SelfLoop => "SelfLoopError",
            Self::BlockNotActive => "BlockNotActiveError",
            Self::DegreeLimit => "DegreeLimitError",
        }
    }

    /// Whether it says why an edge could not be placed: `ConnectError` and its three special cases.
    pub fn is_connect_error(self) -> bool {
        matches!(self, Self::Connect | Self::SelfLoop | Self::BlockNotActive | Self::DegreeLimit)
    }
}

/// Why a verb did nothing. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[error("{} — Recovery: {}", self.message(), self.recovery())]
pub enum Error {
    /// `end_session` without a session.
    NoSession,
    /// A setting is wrong.
    Config {
        /// What is wrong with it.
        message: String,
        /// What to set instead.
        recovery: String,
    },
    /// There is no frame of that name.
    UnknownFrame {
        /// What was asked for.
        name: String,
        /// The frames there are.
        valid: Vec<String>,
    },
    /// A frame cannot be made or used as it is.
    BadFrame {
        /// Which frame.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The span of time asked about holds no moment.
    EmptyTimeSpan {
        /// Where it begins.
        since: Timestamp,
        /// Where it ends.
        until: Timestamp,
    },
    /// The database could not do it.
    Storage(StoreError),
    /// There is no text.
    EmptyContent,
    /// The question has no text.
    EmptyQuestion,
    /// The text is too long for one block.
    ContentTooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// The cues are too long.
    CueTooLong {
        /// How long they are together.
        bytes: usize,
        /// How long they may be.
        limit: usize,
    },
    /// The text holds a character that no text holds.
    NulInContent,
    /// The text holds secrets, and the memory refuses them.
    SecretInText {
        /// Which kinds, and how many of each.
        found: Redactions,
    },
    /// A block whose source is not trusted was to say who the agent is.
    Untrusted {
        /// Which block.
        id: BlockId,
        /// The tag or category.
        label: String,
        /// Where the block comes from.
        source_name: String,
        /// By which way.
        brought_by: String,
    },
    /// An untrusted source was to change what a trusted one said.
    ForeignChange {
        /// The kind of row.
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// An untrusted block was to take the place of a trusted one.
    UntrustedSuccessor {
        /// The block that stays.
        old: BlockId,
        /// The block that cannot replace it.
        new: BlockId,
        /// Where that comes from.
        source_name: String,
    },
    /// Two different texts have the same id.
    IdCollision {
        /// The id.
        id: BlockId,
    },
    /// A tag or category cannot be used.
    BadLabel(LabelError),
    /// More tags than a block may have.
    TooManyTags {
        /// How many were given.
        given: usize,
        /// How many there may be.
        limit: usize,
    },
    /// No block has that id, or an id that begins so.
    UnknownBlock {
        /// What was asked for.
        id: String,
    },
    /// Several blocks have an id that begins so.
    AmbiguousId {
        /// What was asked for.
        id: String,
        /// Some of the blocks it could be.
        candidates: Vec<BlockId>,
    },
    /// A model could not do it.
    Model(ModelError),
    /// The vectors of a model cannot be used.
    Index(IndexError),
    /// The memory was filled by another model.
    OtherModel {
        /// The model that filled it.
        locked: String,
        /// The model in use.
        current: String,
    },
    /// An analysis that was handed in cannot be used.
    BadAnalysis {
        /// Of which block.
        id: BlockId,
        /// What is wrong with it.
        problem: String,
    },
    /// Two blocks do not contradict each other, as far as the memory knows.
    NoContradiction {
        /// One of them.
        a: BlockId,
        /// The other.
        b: BlockId,
    },
    /// A block cannot be tended as asked.
    Care(CareError),
    /// A document is not there, or its name names several.
    Document(DocumentError),
    /// The knowledge graph has no entity of that name.
    UnknownEntity {
        /// What was asked for.
        name: String,
    },
    /// A command on a memory file failed.
    File(FileError),
    /// An operation cannot be undone.
    Undo(UndoError),
    /// Nothing went out or came in.
    Transfer(TransferError),
    /// The text cannot be an id.
    BadId {
        /// What was given.
        id: String,
    },
    /// An event, a context or a link was refused.
    Event(EventError),
    /// An edge could not be placed.
    Connect(ConnectError),
    /// An outcome of that name is on record and says something else.
    OtherOutcome {
        /// Its name.
        id: String,
    },
    /// Nothing here comes from a source of that name.
    UnknownSource {
        /// What was asked for.
        name: String,
        /// Some of the sources there are.
        known: Vec<String>,
    },
    /// No outcome of that name is on record.
    UnknownOutcome {
        /// What was asked for.
        id: String,
    },
    /// Another program recorded the outcome, without what it built on.
    OutcomeOfAnother {
        /// The outcome.
        id: String,
    },
    /// A number cannot be what it was given for.
    BadNumber {
        /// What it was given for.
        what: &'static str,
        /// The number.
        value: f64,
        /// What it must be.
        wanted: &'static str,
    },
    /// A message of a conversation cannot be used.
    BadMessage {
        /// Which one; the first is 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
        /// What to give instead.
        recovery: &'static str,
    },
    /// No verb has that name.
    UnknownVerb {
        /// What was asked for.
        name: String,
    },
    /// A verb was given something it does not take.
    BadArgument {
        /// Which verb.
        verb: &'static Verb,
        /// What is wrong.
        problem: String,
    },
    /// A text cannot be what it was given for.
    BadText {
        /// What it was given for.
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl Error {
    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoSession => ErrorKind::Session,
            Self::Config { .. } => ErrorKind::Config,
            Self::UnknownFrame { .. } | Self::BadFrame { .. } => ErrorKind::Frame,
            Self::Storage(_) => ErrorKind::Storage,
            Self::UnknownBlock { .. }
            | Self::NoContradiction { .. }
            | Self::UnknownOutcome { .. }
            | Self::OutcomeOfAnother { .. }
            | Self::UnknownEntity { .. }
            | Self::UnknownSource { .. } => ErrorKind::NotFound,
            Self::File(error) => error.kind(),
            Self::Model(_) | Self::Index(_) => ErrorKind::Model,
            Self::OtherModel { .. } => ErrorKind::EmbeddingLock,
            Self::Care(error) => error.kind(),
            Self::Document(error) => error.kind(),
            Self::Undo(UndoError::NoOperation { .. }) => ErrorKind::NotFound,
            Self::Undo(_) => ErrorKind::Conflict,
            Self::Connect(error) => error.kind(),
            Self::Event(error) => error.kind(),
            Self::Transfer(error) => error.kind(),
            Self::BadAnalysis { .. }
            | Self::EmptyTimeSpan { .. }
            | Self::CueTooLong { .. }
            | Self::EmptyContent
            | Self::EmptyQuestion
            | Self::ContentTooLong { .. }
            | Self::NulInContent
            | Self::SecretInText { .. }
            | Self::Untrusted { .. }
            | Self::ForeignChange { .. }
            | Self::UntrustedSuccessor { .. }
            | Self::IdCollision { .. }
            | Self::BadLabel(_)
            | Self::TooManyTags { .. }
            | Self::AmbiguousId { .. }
            | Self::OtherOutcome { .. }
            | Self::BadNumber { .. }
            | Self::BadText { .. }
            | Self::BadMessage { .. }
            | Self::UnknownVerb { .. }
            | Self::BadArgument { .. }
            | Self::BadId { .. } => ErrorKind::Input,
        }
    }

    /// Whether the same call may succeed later without anyone doing anything.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Storage(error) => error.is_retryable(),
            Self::Model(error) => error.is_retryable(),
            _ => false,
        }
    }

    /// What happened. A secret that was given, or that a server quoted, is not repeated.
    pub fn message(&self) -> String {
        redact(&self.describe()).0.into_owned()
    }

    /// Returns the message before secrets are redacted.
    fn describe(&self) -> String {
        match self {
            Self::NoSession => "No session is open.".to_owned(),
            Self::Config { message, .. } => message.clone(),
            Self::UnknownFrame { name, .. } => format!("Unknown frame '{name}'."),
            Self::BadFrame { name, problem } => format!("The frame '{name}' cannot be used: {problem}."),
            Self::CueTooLong { bytes, limit } => {
                format!("The cues are too long: {bytes} bytes together, at most {limit}.")
            }
            Self::EmptyTimeSpan { since, until } => format!("No time lies between {since} and {until}."),
            Self::Storage(error) => with_causes(error),
            Self::EmptyContent => "There is nothing to store: the content is empty.".to_owned(),
            Self::EmptyQuestion => "There is nothing to look for: the question is empty.".to_owned(),
            Self::ContentTooLong { bytes, limit } => {
                format!("The content is too long for one block: {bytes} bytes, at most {limit}.")
            }
            Self::NulInContent => "The content holds a NUL byte, so it is not text.".to_owned(),
            Self::SecretInText { found } => format!("The text holds secrets, and this memory refuses them: {found}."),
            Self::Untrusted { id, label, source_name, brought_by } => format!(
                "Block {} comes from '{source_name}' ({brought_by}), which is not trusted, and '{label}' says who the agent is.",
                id.short()
            ),
            Self::ForeignChange { what, id } => {
                format!("The {what} '{id:.60}' belongs to a trusted source, and who asks to change it is not trusted.")
            }
            Self::UntrustedSuccessor { old, new, source_name } => format!(
                "Block {} is trusted. The text of block {} (source '{source_name}') comes from somebody who is not, and cannot take its place.",
                old.short(),
                new.short()
            ),
            Self::IdCollision { id } => {
                format!("Block {} has the id of this text and holds another text. Nothing was changed.", id.short())
            }
            Self::BadLabel(error) => format!("The {error}."),
            Self::TooManyTags { given, limit } => format!("{given} tags are too many: a block may have {limit}."),
            Self::UnknownBlock { id } => format!("There is no block '{id}'."),
            Self::AmbiguousId { id, candidates } => {
                let shown: Vec<&str> = candidates.iter().map(BlockId::as_str).collect();
                format!("'{id}' could be several blocks: {}.", shown.join(", "))
            }
            Self::BadId { id } => format!("'{id}' is not a block id."),
            Self::Connect(error) => error.message(),
            Self::Event(error) => error.message(),
            Self::Transfer(error) => error.message(),
            Self::OtherOutcome { id } => format!("Outcome '{id}' is on record with another signal or weight."),
            Self::UnknownSource { name, .. } => format!("Nothing that is not archived comes from the source '{name}'."),
            Self::UnknownOutcome { id } => format!("No outcome '{id}' is on record."),
            Self::OutcomeOfAnother { id } => {
                format!("Outcome '{id}' was recorded by the Python elfmem, which does not keep what it built on.")
            }
            Self::BadNumber { what, value, wanted } => format!("The {what} must be {wanted}, and {value} was given."),
            Self::BadText { what, problem } => format!("The {what} {problem}."),
            Self::BadMessage { number, problem, .. } => format!("Message {number} of the conversation {problem}."),
            Self::UnknownVerb { name } => format!("There is no verb '{name}'."),
            Self::BadArgument { verb, problem } => format!("Invalid arguments of {}: {problem}.", verb.name),
            Self::Model(error) => format!("{error}."),
            Self::Index(error) => format!("The vectors cannot be used: {error}."),
            Self::OtherModel { locked, current } => {
                format!("The memory was filled by the model '{locked}', and '{current}' is in use.")
            }
            Self::Care(error) => error.message(),
            Self::Document(error) => error.message(),
            Self::UnknownEntity { name } => format!("Entity with name {name} not found"),
            Self::File(error) => error.message(),
            Self::Undo(error) => error.message(),
            Self::BadAnalysis { id, problem } => format!("The analysis of block '{id}' cannot be used: {problem}."),
            Self::NoContradiction { a, b } => {
                format!("No contradiction between {} and {} is on record.", a.short(), b.short())
            }
        }
    }

    /// What to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::NoSession => "Begin one first with begin_session(); nothing else needs a session.".to_owned(),
            Self::Config { recovery, .. } => recovery.clone(),
            Self::UnknownFrame { valid, .. } => {
                let quoted: Vec<String> = valid.iter().map(|name| format!("'{name}'")).collect();
                format!("Valid frames: {}.", quoted.join(", "))
            }
            Self::BadFrame { .. } => {
                "List the frames with frames(); change one with edit_frame(), or add your own with add_frame(). Its five \
                 weights sum to 1."
                    .to_owned()
            }
            Self::CueTooLong { .. } => "Say in a few words when it should be recalled.".to_owned(),
            Self::EmptyTimeSpan { .. } => "Give a beginning that comes before the end.".to_owned(),
            Self::Storage(error) => error.recovery(),
            Self::EmptyContent => "Give the text to remember.".to_owned(),
            Self::EmptyQuestion => {
                "Ask with at least one word, or see what matters most with frame(name=attention).".to_owned()
            }
            Self::ContentTooLong { .. } => {
                "Store it in parts, or with learn_document(), which cuts it into blocks.".to_owned()
            }
            Self::UnknownSource { known, .. } if known.is_empty() => "Name a source; blame() shows that of a block.".to_owned(),
            Self::UnknownSource { known, .. } => {
                format!("Sources there are: {}. blame() shows where a block came from.", one_line(&known.join(", ")))
            }
            Self::Untrusted { .. } => {
                "Leave the tag off, or say it in your own words with learn(). The trust policy (memory.trusted_sources) adds \
                 sources that speak for you."
                    .to_owned()
            }
            Self::ForeignChange { .. } => {
                "Say it in your own words, or add the source to the trust policy (memory.trusted_sources) if it speaks for you."
                    .to_owned()
            }
            Self::UntrustedSuccessor { .. } => {
                "Say it in your own words with learn(), and let that block take the place.".to_owned()
            }
            Self::IdCollision { id } => format!(
                "Look at it with show(block_id={id}). If its text is not yours, purge it and try again; else change a word of yours."
            ),
            Self::SecretInText { .. } => {
                "Take them out of the text, or store them as they are with allow_secrets. The secrets policy \
                 (memory.secrets) says what is done by default."
                    .to_owned()
            }
            Self::NulInContent => "Remove the NUL bytes, or convert the file to text first.".to_owned(),
            Self::BadLabel(_) => {
                "Use a short word such as 'topic/db', without commas and control characters.".to_owned()
            }
            Self::TooManyTags { limit, .. } => format!("Keep the {limit} that matter most."),
            Self::UnknownBlock { .. } => {
                "Look for it with recall(), and use an id of its answer.".to_owned()
            }
            Self::AmbiguousId { .. } => "Give more characters of the id.".to_owned(),
            Self::Connect(error) => error.recovery(),
            Self::Event(error) => error.recovery(),
            Self::Transfer(error) => error.recovery(),
            Self::OtherOutcome { .. } => "Give the new one another id, or retract the one on record first.".to_owned(),
            Self::OutcomeOfAnother { .. } => {
                "Its effect is in the confidence that the block came with. Record an outcome with the opposite signal instead."
                    .into()
            }
            Self::UnknownOutcome { .. } => {
                "Use the outcome_id that outcome() returned; log() shows it too.".to_owned()
            }
            Self::BadNumber { what, wanted, .. } => format!("Give a {what} that is {wanted}; nothing was changed."),
            Self::BadText { what, .. } => format!("Give another {what}; nothing was changed."),
            Self::BadMessage { recovery, .. } => format!("{recovery} Nothing was changed."),
            Self::UnknownVerb { name } => match catalog::nearest(name, catalog::all().map(|verb| verb.name)) {
                Some(near) => format!("Did you mean '{near}'? guide() lists them all."),
                None => "guide() lists them all.".to_owned(),
            },
            Self::BadArgument { verb, .. } => takes(verb),
            Self::Model(error) => error.recovery(),
            Self::Index(_) => "Run migrate_embeddings() to embed the blocks again.".to_owned(),
            Self::OtherModel { locked, .. } => {
                format!("Run migrate_embeddings() to embed everything with the model in use, or go back to '{locked}'.")
            }
            Self::Care(error) => error.recovery(),
            Self::Document(error) => error.recovery(),
            Self::UnknownEntity { .. } => "Create the entity first, or look for its name in the graph.".to_owned(),
            Self::File(error) => error.recovery(),
            Self::Undo(error) => error.recovery(),
            Self::BadAnalysis { .. } => "Correct it and hand it in again; nothing was changed.".to_owned(),
            Self::NoContradiction { .. } => "List the open ones with contradictions().".to_owned(),
            Self::BadId { .. } => {
                "Use an id as recall() shows it, or at least the first 4 characters of it.".to_owned()
            }
        }
    }
}

/// What a verb takes, in one sentence.
fn takes(verb: &Verb) -> String {
    let names: Vec<String> = verb
        .parameters
        .iter()
        .map(|parameter| match parameter.required {
            // Messages take the place of a content.
            true if verb.id == VerbId::Learn => format!("{} or messages (one is needed)", parameter.name),
            true => format!("{} (needed)", parameter.name),
            false => parameter.name.to_owned(),
        })
        .collect();
    match names.is_empty() {
        true => format!("{} takes nothing; nothing was changed.", verb.name),
        false => format!("{} takes {}; nothing was changed.", verb.name, names.join(", ")),
    }
}

/// An error with what caused it, in one sentence.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let next = inner.to_string();
        if !text.contains(&next) {
            text = format!("{text} ({next})");
        }
        cause = inner.source();
    }
    text
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Storage(error)
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl From<IndexError> for Error {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl From<CareError> for Error {
    fn from(error: CareError) -> Self {
        Self::Care(error)
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<DocumentError> for Error {
    fn from(error: DocumentError) -> Self {
        Self::Document(error)
    }
}

impl From<UndoError> for Error {
    fn from(error: UndoError) -> Self {
        Self::Undo(error)
    }
}

impl From<ConnectError> for Error {
    fn from(error: ConnectError) -> Self {
        Self::Connect(error)
    }
}

impl From<EventError> for Error {
    fn from(error: EventError) -> Self {
        Self::Event(error)
    }
}

impl From<TransferError> for Error {
    fn from(error: TransferError) -> Self {
        Self::Transfer(error)
    }
}

impl From<LabelError> for Error {
    fn from(error: LabelError) -> Self {
        Self::BadLabel(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_elfmem_error_recovery_in_str() {
        let error = Error::Config { message: "bad".into(), recovery: "set it right".into() };
        assert_eq!(error.to_string(), "bad — Recovery: set it right");
        assert_eq!(error.recovery(), "set it right");
    }

    #[test]
    fn test_session_error_is_elfmem_error() {
        let error: &dyn std::error::Error = &Error::NoSession;
        assert!(error.downcast_ref::<Error>().is_some());
        assert_eq!(Error::NoSession.kind().as_str(), "SessionError");
    }

    #[test]
    fn an_unknown_frame_lists_the_valid_ones() {
        let valid = ["self", "attention", "task"].map(str::to_owned).to_vec();
        let error = Error::UnknownFrame { name: "tasks".into(), valid };
        assert_eq!(error.recovery(), "Valid frames: 'self', 'attention', 'task'.");
        assert_eq!(error.kind().as_str(), "FrameError");
    }

    #[test]
    fn an_error_whose_message_holds_its_cause_has_no_source() {
        let cause = || StoreError::Full { source: "no space left".into() };
        let errors = [Error::from(cause()), Error::from(IndexError::WrongDimensions { expected: 2, got: 3 })];
        for error in errors {
            assert!(std::error::Error::source(&error).is_none(), "{error}");
        }
        assert!(Error::from(cause()).to_string().contains("no space left"));
    }

    #[test]
    fn storage_errors_keep_their_recovery_and_are_retryable_when_busy() {
        let busy = Error::from(StoreError::Busy { seconds: 30 });
        assert!(busy.is_retryable());
        assert_eq!(busy.kind().as_str(), "StorageError");
        assert!(!busy.recovery().is_empty());
        let full = StoreError::Full { source: "no space left".into() };
        assert_eq!(
            Error::from(full).message(),
            "the disk is full, or a limit on file sizes was reached: nothing was stored (no space left)"
        );
    }
}
