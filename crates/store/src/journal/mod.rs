//! The journal: what changed, when, by whom, from what to what.

mod change;
mod entry;
mod fields;
mod fold;
mod read;
mod recorder;
mod write;

pub use change::{Change, Entity, PURGED, REMOVED_VECTOR, RecordedChange, vector_from_text, vector_text};
pub use entry::{
    Answer, ChangedLabels, ChangedRow, JournalEntry, JournalHeader, JournalLinks, JournalQuery, JournalRecord,
    NumberedChange, Operation, ProvenanceBefore, RowChange, ShownRelevance,
};
pub use fold::FoldedJournal;
pub use read::{JournalVisitor, ReadJournal};
pub use recorder::{RecordedOperation, Recorder};
pub use write::{JournalSelection, WriteJournal};
