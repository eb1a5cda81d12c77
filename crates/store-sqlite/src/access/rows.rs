//! Rows.

use elfmem_core::{BlockId, Scope, ScopeView};
use elfmem_store::{Internal, ReadRows, Recorder, Row, RowEdit, RowKey, RowKind, RowQuery, RowVisitor, WriteRows};

use super::Result;
use crate::transaction::SqliteTransaction;
use crate::{blocks, rows};

impl ReadRows for SqliteTransaction<'_> {
    fn view(&self) -> &ScopeView {
        &self.view
    }

    fn get_row(&self, key: &RowKey) -> Result<Option<Row>> {
        rows::get(self, key)
    }

    fn scan_rows(&self, query: RowQuery<'_>, visit: RowVisitor<'_>) -> Result<()> {
        let visit = &mut |row: &Row, position: i64, _: &str| visit(row, position);
        match query.spans_scopes() {
            true => rows::scan(self.connection, &rows::every_scope(self.connection)?, query, visit),
            false => rows::scan(self.connection, &self.scopes, query, visit),
        }
    }

    fn is_empty(&self) -> Result<bool> {
        rows::is_empty(self.connection)
    }

    fn is_hidden(&self, id: &BlockId, _: Internal) -> Result<bool> {
        blocks::is_hidden(self.connection, &self.scopes, id)
    }
}

impl WriteRows for SqliteTransaction<'_> {
    fn recorder(&mut self, _: Internal) -> &mut Recorder {
        &mut self.recorder
    }

    fn insert_row(&mut self, row: &Row, scope: &Scope, _: Internal) -> Result<bool> {
        rows::insert(self.connection, scope.as_str(), row)
    }

    fn update_row(&mut self, row: &Row, _: Internal) -> Result<Option<Row>> {
        let before = rows::writable(self, &row.key())?;
        if let Some(before) = &before {
            rows::replace(self.connection, self.own_scope(), before, row)?;
        }
        Ok(before)
    }

    fn delete_row(&mut self, key: &RowKey, _: Internal) -> Result<Option<Row>> {
        let before = rows::writable(self, key)?;
        if let Some(before) = &before {
            rows::remove(self.connection, self.own_scope(), before)?;
        }
        Ok(before)
    }

    fn rewrite_rows(
        &mut self,
        query: RowQuery<'_>,
        edit: &mut dyn FnMut(&mut Row) -> RowEdit,
        _: Internal,
    ) -> Result<()> {
        rows::rewrite(self.connection, query, edit)
    }

    fn next_number(&mut self, kind: RowKind, _: Internal) -> Result<i64> {
        rows::next_number(self.connection, kind)
    }
}
