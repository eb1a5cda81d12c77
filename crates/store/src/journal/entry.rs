//! Operations, as the journal keeps them.

use std::collections::BTreeMap;

use elfmem_core::{ActiveHours, BlockId, BroughtBy, OperationKind, Scope, SessionId, Tag, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Change, Entity};

/// How an operation relates to others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct JournalLinks {
    /// The run it is part of: several transactions of one request, undone together. None for a single operation.
    pub run: Option<String>,
    /// The operation it undid. Of a run, the last operation.
    pub undoes: Option<i64>,
}

/// The description of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// When it ran.
    pub at: Timestamp,
    /// The active hours at that time.
    pub active_hours: ActiveHours,
    /// The session it ran in.
    pub session: Option<SessionId>,
    /// Who asked for it: surface and client.
    pub actor: String,
    /// The kind of operation.
    pub operation: OperationKind,
    /// What it did, in one sentence.
    pub summary: String,
}

/// One operation with its changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Its number; later operations have larger ones.
    pub seq: i64,
    /// The description of the operation.
    #[serde(flatten)]
    pub header: JournalHeader,
    /// How it relates to other operations.
    #[serde(flatten)]
    pub links: JournalLinks,
    /// The changes, in order.
    pub changes: Vec<Change>,
}

/// One operation without its changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Its number; later operations have larger ones.
    pub seq: i64,
    /// The description of the operation.
    #[serde(flatten)]
    pub header: JournalHeader,
    /// How it relates to other operations.
    #[serde(flatten)]
    pub links: JournalLinks,
    /// How many rows it changed.
    pub changed: u64,
    /// The own scope of the view that made it; none in memories from before scopes were recorded.
    #[serde(skip)]
    pub scope: Option<Scope>,
}

/// A change with the number of its operation.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedChange {
    /// The operation's number.
    pub seq: i64,
    /// The change.
    pub change: Change,
}

/// The blocks that a recall or a frame showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// When it was given.
    pub at: Timestamp,
    /// The session it was given in.
    pub session: SessionId,
    /// The blocks, best first.
    pub shown: Vec<BlockId>,
    /// How relevant they were, if a question was asked and a model took part.
    pub relevance: Option<ShownRelevance>,
}

impl Answer {
    /// Reads an answer from the changes of its operation.
    pub fn from_changes(at: Timestamp, session: SessionId, changes: &[Change]) -> Self {
        let of = |entity: Entity| changes.iter().filter(move |change| change.entity == entity);
        let shown = of(Entity::Block).map(|change| BlockId::from_stored(&change.id)).collect();
        let image = of(Entity::Answer).find_map(|change| change.after.clone());
        // What was purged, or written by a later version, is no example of anything.
        let relevance = image.and_then(|image| serde_json::from_value(image).ok());
        Self { at, session, shown, relevance }
    }
}

/// The relevance of blocks that were shown, before any calibration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownRelevance {
    /// The model and the curve that the numbers come from. Numbers of different curves cannot be compared.
    pub curve: String,
    /// The probability of each block that it helps.
    pub relevance: BTreeMap<BlockId, f64>,
}

/// Which operations to read.
#[derive(Debug, Clone, Default)]
pub struct JournalQuery {
    /// Only those that changed this block, its edges included.
    pub block: Option<BlockId>,
    /// Only those with a larger number.
    pub after: Option<i64>,
    /// Only those with a smaller number.
    pub before: Option<i64>,
    /// At most this many, the newest; none for all.
    pub limit: Option<u32>,
}

/// One operation as a store keeps it: with the scope it was made in.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalRecord {
    /// Its number; later operations have larger ones.
    pub seq: i64,
    /// The own scope of the view that made it; none in memories from before scopes were recorded.
    pub scope: Option<Scope>,
    /// The description of the operation.
    pub header: JournalHeader,
    /// How it relates to other operations.
    pub links: JournalLinks,
    /// How many rows it changed.
    pub changed: u64,
    /// The changes, in order. Those of an operation that was folded are fewer.
    pub changes: Vec<Change>,
}

impl JournalRecord {
    /// Returns whether the operation showed blocks: a recall or a frame.
    pub fn is_answer(&self) -> bool {
        self.header.operation.is_answer()
    }
}

/// A row that a transaction changed.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedRow {
    /// The kind of the row.
    pub entity: Entity,
    /// Its name; [`ends`](Self::ends) splits it.
    pub id: String,
    /// What happened to it.
    pub change: RowChange,
}

/// What a transaction did to a row.
#[derive(Debug, Clone, PartialEq)]
pub enum RowChange {
    /// It is new.
    Added,
    /// It was changed.
    Updated(ProvenanceBefore),
    /// It was removed.
    Removed(ProvenanceBefore),
}

/// The provenance of a block before a change, as far as the change says. Empty for other rows.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct ProvenanceBefore {
    /// Its source, if that was changed or the block was removed.
    pub source: Option<String>,
    /// Its way in, if that was changed or the block was removed.
    pub brought_by: Option<BroughtBy>,
}

impl ChangedRow {
    /// Splits the name of the row, as [`Change::ends`](super::Change::ends) does.
    pub fn ends(&self) -> (&str, Option<&str>) {
        super::change::ends(self.entity, &self.id)
    }
}

/// Tags and category that a transaction gave a block.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ChangedLabels {
    /// The block.
    #[serde(skip)]
    pub block_id: Option<BlockId>,
    /// Its tags, if they changed.
    #[serde(default)]
    pub tags: Vec<Tag>,
    /// Its category, if it changed.
    #[serde(default)]
    pub category: Option<elfmem_core::Category>,
}
