//! Collecting the changes of a transaction for the journal.

use elfmem_core::{Block, BlockId};
use serde::Serialize;
use serde_json::json;

use super::{
    ChangedLabels, ChangedRow, Entity, JournalHeader, JournalLinks, PURGED, ProvenanceBefore, RecordedChange,
    RowChange, ShownRelevance, vector_text,
};
use crate::{Result, Row, StoreError};

/// The changes of one transaction, and the operation they belong to.
///
/// Every store owns one per transaction and appends its [`finish`](Self::finish) to the journal before it commits.
#[derive(Debug, Default)]
pub struct Recorder {
    header: Option<JournalHeader>,
    links: JournalLinks,
    changes: Vec<RecordedChange>,
}

/// One operation on its way into the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedOperation {
    /// The description of the operation.
    pub header: JournalHeader,
    /// How it relates to other operations.
    pub links: JournalLinks,
    /// The changes, in order; never empty.
    pub changes: Vec<RecordedChange>,
}

impl Recorder {
    /// Sets the description of the operation.
    pub fn describe(&mut self, header: JournalHeader) {
        self.header = Some(header);
    }

    /// Sets how the operation relates to others.
    pub fn set_links(&mut self, links: JournalLinks) {
        self.links = links;
    }

    /// Records the difference between two states of a row, if there is any.
    pub fn record<T: Serialize>(&mut self, entity: Entity, id: String, before: Option<&T>, after: Option<&T>) {
        self.changes.extend(RecordedChange::between(entity, id, before, after));
    }

    /// Records that a row was added, changed or removed. Kinds of rows that are not journaled are ignored.
    pub fn record_row(&mut self, before: Option<&Row>, after: Option<&Row>) {
        let Some(row) = after.or(before) else { return };
        let Some(entity) = row.kind().entity() else { return };
        let id = row.journal_id();
        macro_rules! record {
            ($($kind:ident),*) => {
                match (before, after) {
                    $(
                        (Some(Row::$kind(before)), Some(Row::$kind(after))) => {
                            self.record(entity, id, Some(before), Some(after));
                        }
                        (None, Some(Row::$kind(after))) => self.record(entity, id, None, Some(after)),
                        (Some(Row::$kind(before)), None) => self.record(entity, id, Some(before), None),
                    )*
                    _ => {}
                }
            };
        }
        record!(
            Edge,
            Contradiction,
            Outcome,
            Proposal,
            Session,
            Frame,
            Event,
            Context,
            Enrolment,
            Link,
            Effect,
            Setting
        );
    }

    /// Records that a block was added or changed.
    pub fn record_block(&mut self, before: Option<&Block>, after: &Block) {
        self.record(Entity::Block, after.id.to_string(), before, Some(after));
    }

    /// Records that a block was removed. Its image has the vector too, as [`REMOVED_VECTOR`](super::REMOVED_VECTOR).
    pub fn record_removed_block(&mut self, block: &Block, vector: Option<&[f32]>) {
        let removed = RemovedBlock { block, embedding: vector.map(vector_text) };
        self.record(Entity::Block, block.id.to_string(), Some(&removed), None);
    }

    /// Records that a block got a vector of another model, or none. Vectors themselves are not journaled: they can be computed again.
    pub fn record_vector(&mut self, id: &BlockId, before: Option<&str>, after: Option<&str>) {
        let image = |model: Option<&str>| Some(json!({ "embedding_model": model }).to_string());
        let (before, after) = (image(before), image(after));
        self.changes.push(RecordedChange { entity: Entity::Block, id: id.to_string(), before, after });
    }

    /// Records how relevant the blocks of an answer were. Without any block there is nothing to record.
    pub fn record_relevance(&mut self, shown: &ShownRelevance) {
        if let Some(first) = shown.relevance.keys().next() {
            self.record(Entity::Answer, first.to_string(), None, Some(shown));
        }
    }

    /// Records that a block was purged, and drops every change of it recorded so far: they hold its words.
    pub fn record_purge(&mut self, id: &BlockId) {
        self.changes.retain(|change| !change.names(id.as_str()));
        let before = Some(json!({ PURGED: true }).to_string());
        self.changes.push(RecordedChange { entity: Entity::Block, id: id.to_string(), before, after: None });
    }

    /// Lists the changes of tags and categories so far, one entry for each.
    ///
    /// # Errors
    /// A recorded image is not JSON, which is a fault in the store.
    pub fn changed_labels(&self) -> Result<Vec<ChangedLabels>> {
        let labelled = self.changes.iter().filter(|change| change.entity == Entity::Block).filter_map(|change| {
            // Most changes of a block are uses of it. These are told from others without parsing them.
            let after = change.after.as_ref()?;
            let has_labels = after.contains("\"tags\":") || after.contains("\"category\":");
            has_labels.then_some((&change.id, after))
        });
        labelled
            .map(|(id, after)| {
                let labels: ChangedLabels = serde_json::from_str(after).map_err(StoreError::driver)?;
                Ok(ChangedLabels { block_id: Some(BlockId::from_stored(id)), ..labels })
            })
            .collect()
    }

    /// Lists the rows that were changed so far, one entry for each change.
    ///
    /// # Errors
    /// A recorded image is not JSON, which is a fault in the store.
    pub fn changed_rows(&self) -> Result<Vec<ChangedRow>> {
        let provenance = |change: &RecordedChange, image: &str| match change.entity {
            Entity::Block => serde_json::from_str(image).map_err(StoreError::driver),
            _ => Ok(ProvenanceBefore::default()),
        };
        self.changes
            .iter()
            .map(|change| {
                let what = match (&change.before, &change.after) {
                    (None, _) => RowChange::Added,
                    (Some(before), Some(_)) => RowChange::Updated(provenance(change, before)?),
                    (Some(before), None) => RowChange::Removed(provenance(change, before)?),
                };
                Ok(ChangedRow { entity: change.entity, id: change.id.clone(), change: what })
            })
            .collect()
    }

    /// Ends the transaction: the operation to append to the journal, or none when nothing changed.
    ///
    /// # Errors
    /// [`StoreError::Undescribed`] when something changed and [`describe`](Self::describe) was not called.
    pub fn finish(self) -> Result<Option<RecordedOperation>> {
        if self.changes.is_empty() {
            return Ok(None);
        }
        let header = self.header.ok_or(StoreError::Undescribed)?;
        Ok(Some(RecordedOperation { header, links: self.links, changes: self.changes }))
    }
}

/// A removed block with its vector.
#[derive(Serialize)]
struct RemovedBlock<'a> {
    #[serde(flatten)]
    block: &'a Block,
    /// Named as [`REMOVED_VECTOR`](super::REMOVED_VECTOR) says.
    embedding: Option<String>,
}
