//! Changing a state within a view.

use std::sync::Arc;

use elfmem_core::{BlockId, Scope};
use elfmem_store::{
    Internal, JournalRecord, JournalSelection, Recorder, Row, RowEdit, RowKey, RowKind, RowQuery, StoreError,
    WriteBlocks, WriteEvents, WriteEvidence, WriteGraph, WriteJournal, WriteProposals, WriteRows, WriteSettings,
    WriteVectors,
};

use crate::Result;
use crate::open::Open;
use crate::state::Working;
use crate::table::{Stored, TableKey, table_key};

impl Open<Working<'_>> {
    /// The row that the view may replace or remove: of contexts, enrolments and links the one of its own scope.
    fn writable(&self, key: &RowKey) -> Option<TableKey> {
        match key.kind() {
            RowKind::Context | RowKind::Enrolment | RowKind::Link => {
                let own = table_key(key.clone(), self.view.own());
                self.state.get(&own).map(|_| own)
            }
            _ => self.find(key).map(|stored| table_key(key.clone(), &stored.scope)),
        }
    }

    /// Whether another row has the key, the number or the subject of a row.
    fn is_taken(&self, key: &TableKey, row: &Row) -> bool {
        let other = |position: u64| {
            let table = self.state.table(row.kind());
            table.is_some_and(|table| table.contains_position(position.try_into().unwrap_or(i64::MAX)))
        };
        self.state.get(key).is_some()
            || match row {
                Row::Link(link) => other(link.sequence),
                Row::Proposal(proposal) => {
                    let query = RowQuery::of(RowKind::Proposal, std::slice::from_ref(&proposal.block_id));
                    let mut subjects = self.select(query).into_iter().filter_map(|(_, stored)| match &*stored.row {
                        Row::Proposal(known) => Some(known.subject()),
                        _ => None,
                    });
                    other(proposal.number.unsigned_abs()) || subjects.any(|subject| subject == proposal.subject())
                }
                _ => false,
            }
    }

    /// Refuses a row that belongs to a block that does not exist. Links and events may outlive their blocks.
    fn check_blocks(&self, row: &Row) -> Result<()> {
        if matches!(row.kind(), RowKind::Block | RowKind::Link | RowKind::Event) {
            return Ok(());
        }
        match row.blocks().find(|block| self.block_scope(block).is_none()) {
            Some(block) => Err(StoreError::Missing { what: "block", id: block.to_string() }),
            None => Ok(()),
        }
    }

    fn position_of(&mut self, row: &Row) -> i64 {
        match row {
            Row::Link(link) => {
                let number = i64::try_from(link.sequence).unwrap_or(i64::MAX);
                self.state.take_number(RowKind::Link, number);
                number
            }
            Row::Proposal(proposal) => {
                self.state.take_number(RowKind::Proposal, proposal.number);
                proposal.number
            }
            _ => self.state.next_position(),
        }
    }

    /// Replaces a row in place: its scope and its position stay, and so does the number of a link.
    fn replace(&mut self, key: &TableKey, mut row: Row) -> Option<Row> {
        let before = self.state.get(key)?.clone();
        if let (Row::Link(link), Row::Link(before)) = (&mut row, &*before.row) {
            link.sequence = before.sequence;
        }
        self.state.set(key, Some(before.replaced_by(row)));
        Some(before.whole())
    }

    /// Removes a row, and with a block everything that belongs to it but events.
    fn remove(&mut self, key: &TableKey) -> Option<Row> {
        let before = self.state.set(key, None)?;
        if let RowKey::Block(id) = &key.0 {
            let attached: Vec<TableKey> = self.state.attached_to(id).cloned().collect();
            for key in attached.iter().filter(|key| key.0.kind() != RowKind::Event) {
                self.state.set(key, None);
            }
            let staged: Vec<(String, BlockId)> =
                self.state.staged.keys().filter(|(_, block)| block == id).cloned().collect();
            staged.into_iter().for_each(|key| self.state.set_staged(key, None));
        }
        Some(before.whole())
    }
}

impl WriteRows for Open<Working<'_>> {
    fn recorder(&mut self, _: Internal) -> &mut Recorder {
        &mut self.recorder
    }

    fn insert_row(&mut self, row: &Row, scope: &Scope, _: Internal) -> Result<bool> {
        self.check_blocks(row)?;
        let key = table_key(row.key(), scope);
        if self.is_taken(&key, row) {
            return Ok(false);
        }
        let position = self.position_of(row);
        self.state.set(&key, Some(Stored::new(row.clone(), scope.clone(), position)));
        Ok(true)
    }

    fn update_row(&mut self, row: &Row, _: Internal) -> Result<Option<Row>> {
        let Some(key) = self.writable(&row.key()) else { return Ok(None) };
        Ok(self.replace(&key, row.clone()))
    }

    fn delete_row(&mut self, key: &RowKey, _: Internal) -> Result<Option<Row>> {
        let Some(key) = self.writable(key) else { return Ok(None) };
        Ok(self.remove(&key))
    }

    fn rewrite_rows(
        &mut self,
        query: RowQuery<'_>,
        edit: &mut dyn FnMut(&mut Row) -> RowEdit,
        internal: Internal,
    ) -> Result<()> {
        let mut edits = Vec::new();
        for (key, stored) in self.select(query.in_every_scope(internal)) {
            let mut row = stored.whole();
            match edit(&mut row) {
                RowEdit::Keep => {}
                RowEdit::Replace => edits.push((key.clone(), Some(row))),
                RowEdit::Remove => edits.push((key.clone(), None)),
            }
        }
        for (key, row) in edits {
            match row {
                Some(row) => _ = self.replace(&key, row),
                None => _ = self.remove(&key),
            }
        }
        Ok(())
    }

    fn next_number(&mut self, kind: RowKind, _: Internal) -> Result<i64> {
        Ok(self.state.next_number(kind))
    }
}

impl WriteJournal for Open<Working<'_>> {
    fn rewrite_journal(
        &mut self,
        selection: JournalSelection<'_>,
        edit: &mut dyn FnMut(&mut JournalRecord) -> RowEdit,
        _: Internal,
    ) -> Result<()> {
        let mut journal = Vec::with_capacity(self.state.journal.len());
        for record in &self.state.journal {
            let mut edited = JournalRecord::clone(record);
            let selected = selection.after < record.seq && record.seq <= selection.up_to;
            match if selected { edit(&mut edited) } else { RowEdit::Keep } {
                RowEdit::Keep => journal.push(Arc::clone(record)),
                RowEdit::Replace => journal.push(Arc::new(edited)),
                RowEdit::Remove => {}
            }
        }
        self.state.set_journal(journal);
        Ok(())
    }
}

impl WriteVectors for Open<Working<'_>> {
    fn stage_vectors(&mut self, model: &str, vectors: &[(BlockId, Vec<f32>)]) -> Result<()> {
        for (id, vector) in vectors {
            if self.state.get(&table_key(RowKey::Block(id.clone()), &Scope::DEFAULT)).is_none() {
                continue;
            }
            self.state.set_staged((model.to_owned(), id.clone()), Some(vector.clone()));
        }
        Ok(())
    }

    fn clear_staged_vectors(&mut self, model: &str) -> Result<()> {
        let staged: Vec<(String, BlockId)> =
            self.state.staged.keys().filter(|(staged, _)| staged == model).cloned().collect();
        staged.into_iter().for_each(|key| self.state.set_staged(key, None));
        Ok(())
    }
}

impl WriteBlocks for Open<Working<'_>> {}
impl WriteGraph for Open<Working<'_>> {}
impl WriteEvidence for Open<Working<'_>> {}
impl WriteEvents for Open<Working<'_>> {}
impl WriteProposals for Open<Working<'_>> {}
impl WriteSettings for Open<Working<'_>> {}
