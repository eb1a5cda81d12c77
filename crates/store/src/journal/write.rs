//! Describing the operation of a transaction, and taking words out of the journal.

use super::{ChangedLabels, ChangedRow, JournalHeader, JournalLinks, JournalRecord, ReadJournal};
use crate::{Internal, Result, WriteRows};

/// Describes the operation that a transaction is.
pub trait WriteJournal: ReadJournal + WriteRows {
    /// Shows `edit` the operations of the journal, those of other scopes too, and stores those for which it returns true. A store may
    /// leave out operations whose summary and changes hold none of the texts `mentioning`; an empty list means all operations.
    fn rewrite_journal(
        &mut self,
        mentioning: &[&str],
        edit: &mut dyn FnMut(&mut JournalRecord) -> bool,
        internal: Internal,
    ) -> Result<()>;

    /// Describes the operation. Must be called before the end of a transaction that changed something.
    fn describe(&mut self, header: JournalHeader) {
        self.recorder(Internal(())).describe(header);
    }

    /// Sets how the operation relates to others: the run it is part of, the operation it undoes.
    fn set_journal_links(&mut self, links: JournalLinks) {
        self.recorder(Internal(())).set_links(links);
    }

    /// Lists the changes that this transaction made to the tags and categories of blocks so far, one entry for each.
    fn changed_labels(&mut self) -> Result<Vec<ChangedLabels>> {
        self.recorder(Internal(())).changed_labels()
    }

    /// Lists the rows that this transaction changed so far, one entry for each change.
    fn changed_rows(&mut self) -> Result<Vec<ChangedRow>> {
        self.recorder(Internal(())).changed_rows()
    }
}
