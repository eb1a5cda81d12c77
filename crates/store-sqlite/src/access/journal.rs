//! The journal.

use elfmem_core::{BlockId, SessionId};
use elfmem_store::{
    Answer, Internal, JournalEntry, JournalQuery, JournalRecord, JournalSelection, JournalVisitor, NumberedChange,
    Operation, ReadJournal, RowEdit, WriteJournal,
};

use super::Result;
use crate::journal;
use crate::transaction::SqliteTransaction;

impl ReadJournal for SqliteTransaction<'_> {
    fn scan_journal(&self, after: i64, visit: JournalVisitor<'_>, _: Internal) -> Result<()> {
        journal::scan(self.connection, after, visit)
    }

    fn get_journal_position(&self) -> Result<i64> {
        journal::position(self.connection)
    }

    fn get_position_before_days(&self, days: u32) -> Result<i64> {
        journal::position_before_days(self.connection, days)
    }

    fn get_journal(&self, query: &JournalQuery) -> Result<Vec<JournalEntry>> {
        journal::read(self.connection, &self.scopes, query)
    }

    fn get_operations(&self, query: &JournalQuery) -> Result<Vec<Operation>> {
        journal::operations(self.connection, &self.scopes, query)
    }

    fn get_changes(&self, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
        journal::changes_of(self.connection, seqs)
    }

    fn get_later_changes(&self, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
        journal::later_changes(self.connection, seqs)
    }

    fn get_block_changes(&self, id: &BlockId) -> Result<Vec<NumberedChange>> {
        journal::block_changes(self.connection, id)
    }

    fn get_undos(&self) -> Result<Vec<(i64, i64)>> {
        journal::undos(self.connection)
    }

    fn get_run(&self, run: &str) -> Result<Vec<i64>> {
        journal::run(self.connection, run)
    }

    fn get_shown_ids(&self, session: &SessionId, limit: u32) -> Result<Vec<BlockId>> {
        journal::shown_ids(self.connection, session, limit)
    }

    fn get_answers_after(&self, position: i64, limit: u32) -> Result<Vec<Answer>> {
        journal::answers_after(self.connection, self.own_scope(), position, limit)
    }
}

impl WriteJournal for SqliteTransaction<'_> {
    fn rewrite_journal(
        &mut self,
        selection: JournalSelection<'_>,
        edit: &mut dyn FnMut(&mut JournalRecord) -> RowEdit,
        _: Internal,
    ) -> Result<()> {
        journal::rewrite(self.connection, selection, edit)
    }
}
