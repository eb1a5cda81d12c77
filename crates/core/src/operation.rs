//! The kinds of operation that a journal holds, and what each kind means to the others.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

/// Declares [`OperationKind`] from the names that are stored.
macro_rules! operation_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal,)+) => {
        /// What an operation did.
        ///
        /// Stored and shown by its name. A name that this code does not know, of a newer or an older file, is kept as it is.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum OperationKind {
            $($(#[doc = $doc])+ $kind,)+
            /// An operation with a name that this code does not know.
            Other(SmolStr),
        }

        impl OperationKind {
            /// Every kind with a name of its own.
            pub const KNOWN: &'static [Self] = &[$(Self::$kind),+];

            /// Returns the name that is stored and shown.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$kind => $name,)+
                    Self::Other(name) => name,
                }
            }

            /// Reads a stored name.
            pub fn from_name(name: &str) -> Self {
                match name {
                    $($name => Self::$kind,)+
                    other => Self::Other(other.into()),
                }
            }
        }
    };
}

operation_kinds! {
    /// Created an empty memory.
    Create = "create",
    /// Converted a database of the Python elfmem.
    Adopt = "adopt",
    /// Took in what another program wrote to an adopted database.
    FoundOutside = "found_outside",
    /// Migrated the file to a newer schema.
    Migrate = "migrate",
    /// Rebuilt derived data.
    Repair = "repair",
    /// Began a session.
    BeginSession = "begin_session",
    /// Ended a session.
    EndSession = "end_session",
    /// Stored a block.
    Learn = "learn",
    /// Stored a block, asked for by the other name of `learn`.
    Remember = "remember",
    /// Stored many blocks.
    LearnAll = "learn_all",
    /// Stored a document as a chain of blocks.
    LearnDocument = "learn_document",
    /// Added entities to the knowledge graph.
    CreateEntities = "create_entities",
    /// Added relations to the knowledge graph.
    CreateRelations = "create_relations",
    /// Added observations to entities.
    AddObservations = "add_observations",
    /// Removed entities with their observations and relations.
    DeleteEntities = "delete_entities",
    /// Removed observations of entities.
    DeleteObservations = "delete_observations",
    /// Removed relations.
    DeleteRelations = "delete_relations",
    /// Wrote a memory file.
    WriteFile = "write_file",
    /// Renamed a memory file or folder.
    RenameFile = "rename_file",
    /// Deleted a memory file or folder.
    DeleteFile = "delete_file",
    /// Answered a question.
    Recall = "recall",
    /// Rendered a frame.
    Frame = "frame",
    /// Added a frame.
    AddFrame = "frame_add",
    /// Edited a frame.
    EditFrame = "frame_edit",
    /// Removed a frame.
    RemoveFrame = "frame_remove",
    /// Stored vectors of blocks.
    Embed = "embed",
    /// Re-embedded the memory with another model.
    MigrateEmbeddings = "migrate_embeddings",
    /// Consolidated the inbox.
    Dream = "dream",
    /// Had blocks analysed again.
    Rescore = "rescore",
    /// Archived decayed blocks and pruned edges.
    Curate = "curate",
    /// Dropped edges beyond the degree cap.
    TrimEdges = "trim_edges",
    /// Counted blocks that were recalled together.
    Associate = "associate",
    /// Fitted relevance to outcomes.
    Calibrate = "calibrate",
    /// Recorded how well blocks served.
    Outcome = "outcome",
    /// Retracted an outcome.
    RetractOutcome = "retract_outcome",
    /// Retracted what a source brought.
    RetractSource = "retract_source",
    /// Connected two blocks.
    Connect = "connect",
    /// Connected many pairs of blocks.
    ConnectMany = "connects",
    /// Connected blocks found by queries.
    ConnectByQuery = "connect_by_query",
    /// Removed an edge.
    Disconnect = "disconnect",
    /// Stated a link.
    Link = "link",
    /// Removed a link.
    Unlink = "unlink",
    /// Added a block to a context.
    Enrol = "enrol",
    /// Stored an event.
    StoreEvent = "store_event",
    /// Stored many events, each on its own.
    StoreEvents = "store_events",
    /// Stored many events, all or none.
    StoreEventsAtomically = "store_events_atomically",
    /// Turned mistakes into patterns and patterns into skills.
    Graduate = "graduate",
    /// Made proposals.
    Propose = "propose",
    /// Accepted proposals.
    Accept = "accept",
    /// Rejected proposals.
    Reject = "reject",
    /// Resolved a contradiction.
    Resolve = "resolve",
    /// Edited a block.
    Edit = "edit",
    /// Added tags to a block.
    AddTags = "add_tags",
    /// Removed tags from a block.
    RemoveTags = "remove_tags",
    /// Pinned a block.
    Pin = "pin",
    /// Unpinned a block.
    Unpin = "unpin",
    /// Let one block take the place of another.
    Supersede = "supersede",
    /// Archived a block on request.
    Forget = "forget",
    /// Archived all blocks of a document on request.
    ForgetDocument = "forget_document",
    /// Kept replacements that consolidation had made.
    KeepReplaced = "keep_replaced",
    /// Restored an archived block.
    Restore = "restore",
    /// Removed a block and all of its text.
    Purge = "purge",
    /// Removed secrets from stored text.
    RedactSecrets = "redact_secrets",
    /// Imported a memory or texts.
    Import = "import",
    /// Undid another operation.
    Undo = "undo",
}

/// Why operations of a kind cannot be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotUndoable {
    /// It created or converted the memory.
    MadeTheMemory,
    /// It only moved the clock of use.
    MovedTheClock,
    /// It stored vectors, which are derived from the text.
    StoredVectors,
    /// It removed text for good.
    Purged,
    /// It rebuilt derived data.
    Repaired,
}

impl NotUndoable {
    /// Returns the reason as the end of a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            Self::MadeTheMemory => "it made the memory what it is",
            Self::MovedTheClock => "it only moved the clock of use, which never runs backwards",
            Self::StoredVectors => "vectors are derived from the text and stay",
            Self::Purged => "what was purged is gone",
            Self::Repaired => "it made what is derived agree with its source",
        }
    }
}

impl OperationKind {
    /// Whether it showed blocks to whoever asked. Its first changes are the blocks it showed, in their order.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Recall | Self::Frame)
    }

    /// Returns why it cannot be undone; none if it can.
    pub fn not_undoable(&self) -> Option<NotUndoable> {
        match self {
            Self::Create | Self::Adopt | Self::Migrate => Some(NotUndoable::MadeTheMemory),
            Self::BeginSession | Self::EndSession => Some(NotUndoable::MovedTheClock),
            Self::Embed | Self::MigrateEmbeddings => Some(NotUndoable::StoredVectors),
            Self::Purge | Self::RedactSecrets => Some(NotUndoable::Purged),
            Self::Repair => Some(NotUndoable::Repaired),
            _ => None,
        }
    }

    /// Whether it makes or maintains the memory, most often without having been asked for.
    pub fn is_upkeep(&self) -> bool {
        matches!(
            self,
            Self::Create
                | Self::Adopt
                | Self::Migrate
                | Self::BeginSession
                | Self::EndSession
                | Self::Embed
                | Self::Curate
                | Self::TrimEdges
                | Self::Associate
                | Self::Calibrate
                | Self::Propose
        )
    }

    /// Whether it puts back blocks as they were, with the labels they had.
    pub fn brings_back(&self) -> bool {
        matches!(self, Self::Undo | Self::Import)
    }
}

impl std::fmt::Display for OperationKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for OperationKind {
    fn from(name: &str) -> Self {
        Self::from_name(name)
    }
}

impl PartialEq<str> for OperationKind {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for OperationKind {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl Serialize for OperationKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for OperationKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from_name(&SmolStr::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn every_kind_is_read_back_from_its_name_and_no_two_share_one() {
        let mut names = std::collections::HashSet::new();
        for kind in OperationKind::KNOWN {
            assert_eq!(&OperationKind::from_name(kind.as_str()), kind);
            assert!(names.insert(kind.as_str()), "{kind}");
        }
    }

    #[test]
    fn a_name_that_is_not_known_survives_storing_and_json() {
        for name in ["", "learn_by_heart", "Recall", "größer"] {
            let kind = OperationKind::from_name(name);
            assert!(matches!(kind, OperationKind::Other(_)), "{name}");
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{name}\""));
            assert_eq!(serde_json::from_str::<OperationKind>(&json).unwrap(), kind);
            assert_eq!(kind.to_string(), name);
            assert!(!kind.is_answer() && !kind.brings_back() && kind.not_undoable().is_none());
        }
    }

    #[test]
    fn only_recalls_and_frames_are_answers() {
        let answers = OperationKind::KNOWN.iter().filter(|kind| kind.is_answer());
        assert_eq!(answers.collect::<Vec<_>>(), [&OperationKind::Recall, &OperationKind::Frame]);
    }
}
