//! Describing the operation of a transaction, and taking words out of the journal.

use std::collections::HashSet;

use super::fold::FOLDED;
use super::{ChangedLabels, ChangedRow, JournalHeader, JournalLinks, JournalRecord, ReadJournal, ShownRelevance};
use crate::rows::put_unrecorded;
use crate::{Internal, Result, Row, RowEdit, Setting, StoreError, WriteRows};

/// Which operations to rewrite.
#[derive(Debug, Clone, Copy)]
pub struct JournalSelection<'a> {
    /// A store may leave out operations whose summary and changes hold none of these texts; an empty list selects all.
    pub mentioning: &'a [&'a str],
    /// Only operations with a larger number.
    pub after: i64,
    /// Only operations with this or a smaller number.
    pub up_to: i64,
}

impl Default for JournalSelection<'_> {
    fn default() -> Self {
        Self { mentioning: &[], after: 0, up_to: i64::MAX }
    }
}

/// Describes the operation that a transaction is.
pub trait WriteJournal: ReadJournal + WriteRows {
    /// Shows `edit` the selected operations of the journal in their order, those of other scopes too, and does with each what it says.
    /// Their numbers and the number of changed rows stay.
    fn rewrite_journal(
        &mut self,
        selection: JournalSelection<'_>,
        edit: &mut dyn FnMut(&mut JournalRecord) -> RowEdit,
        internal: Internal,
    ) -> Result<()>;

    /// Folds operations that are too old to be undone: those up to the number `up_to`, at most `most` numbers in this transaction.
    /// Returns whether some are left. This is not journaled.
    fn fold_journal(&mut self, up_to: i64, most: u32) -> Result<bool> {
        let mut folded = self.get_folded_journal()?;
        let step = up_to.min(folded.through.saturating_add(i64::from(most)));
        if step <= folded.through {
            return Ok(false);
        }
        let undone: HashSet<i64> = self.get_undos()?.into_iter().map(|(_, undone)| undone).collect();
        let selection = JournalSelection { after: folded.through, up_to: step, ..JournalSelection::default() };
        self.rewrite_journal(selection, &mut |record| folded.fold(record, &undone), Internal(()))?;
        folded.through = step;
        let value = serde_json::to_string(&folded).map_err(StoreError::driver)?;
        put_unrecorded(self, &Row::Setting(Setting { key: FOLDED.to_owned(), value }))?;
        Ok(step < up_to)
    }

    /// Describes the operation. Must be called before the end of a transaction that changed something.
    fn describe(&mut self, header: JournalHeader) {
        self.recorder(Internal(())).describe(header);
    }

    /// Sets how the operation relates to others: the run it is part of, the operation it undoes.
    fn set_journal_links(&mut self, links: JournalLinks) {
        self.recorder(Internal(())).set_links(links);
    }

    /// Records how relevant the blocks were that the operation, an answer, shows.
    fn record_relevance(&mut self, shown: &ShownRelevance) {
        self.recorder(Internal(())).record_relevance(shown);
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
