//! Writing rows.

use elfmem_core::Scope;

use super::{Internal, ReadRows, Row, RowKey, RowKind, RowQuery};
use crate::{Recorder, Result, StoreError};

/// What becomes of a row that [`WriteRows::rewrite_rows`] shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowEdit {
    /// It stays as it is stored.
    Keep,
    /// It is stored as it was edited. Its key stays.
    Replace,
    /// It is removed.
    Remove,
}

/// Writes rows. All methods that change something need an [`Internal`]: they leave no trace in the journal by themselves.
///
/// This is where scopes are enforced for writing. A row is replaced or removed only if the view sees it and, if its kind
/// [has a scope](RowKind::has_scope) and it is no event, only in the view's own scope.
pub trait WriteRows: ReadRows {
    /// Returns the record of what this transaction changed so far.
    fn recorder(&mut self, internal: Internal) -> &mut Recorder;

    /// Stores a row unless its key is taken; whether it was stored. A row of a kind that [has a scope](RowKind::has_scope) goes to
    /// `scope`. The key of a block or an event may be taken by a row that the view does not see.
    ///
    /// # Errors
    /// The row belongs to a block that does not exist.
    fn insert_row(&mut self, row: &Row, scope: &Scope, internal: Internal) -> Result<bool>;

    /// Replaces the row of the same key; what it was. Stores nothing and returns none when there is no such row.
    fn update_row(&mut self, row: &Row, internal: Internal) -> Result<Option<Row>>;

    /// Removes a row; what it was. With a block go all rows that [belong](Row::blocks) to it, whatever their scope, except events.
    fn delete_row(&mut self, key: &RowKey, internal: Internal) -> Result<Option<Row>>;

    /// Shows `edit` the rows that a query selects, those of other scopes too, and does with each what it says. Nothing is recorded.
    fn rewrite_rows(
        &mut self,
        query: RowQuery<'_>,
        edit: &mut dyn FnMut(&mut Row) -> RowEdit,
        internal: Internal,
    ) -> Result<()>;

    /// Returns a number for a new link or proposal: larger than every number that was ever given.
    fn next_number(&mut self, kind: RowKind, internal: Internal) -> Result<i64>;
}

/// Stores a row and records it, unless its key is taken; whether it was stored.
pub(crate) fn insert_recorded(rows: &mut (impl WriteRows + ?Sized), row: &Row) -> Result<bool> {
    let inserted = insert_unrecorded(rows, row)?;
    if inserted {
        rows.recorder(Internal(())).record_row(None, Some(row));
    }
    Ok(inserted)
}

/// Stores a row and records it, replacing the one of the same key.
pub(crate) fn put_recorded(rows: &mut (impl WriteRows + ?Sized), row: &Row) -> Result<()> {
    if !insert_recorded(rows, row)? {
        update_recorded(rows, row)?.ok_or_else(|| taken(row))?;
    }
    Ok(())
}

/// Replaces a row and records it; what it was. Does nothing when there is no such row.
pub(crate) fn update_recorded(rows: &mut (impl WriteRows + ?Sized), row: &Row) -> Result<Option<Row>> {
    let before = rows.update_row(row, Internal(()))?;
    if let Some(before) = &before {
        rows.recorder(Internal(())).record_row(Some(before), Some(row));
    }
    Ok(before)
}

/// Removes a row and records it; whether there was one.
pub(crate) fn delete_recorded(rows: &mut (impl WriteRows + ?Sized), key: &RowKey) -> Result<bool> {
    let before = rows.delete_row(key, Internal(()))?;
    if let Some(before) = &before {
        rows.recorder(Internal(())).record_row(Some(before), None);
    }
    Ok(before.is_some())
}

/// Stores a row of the view's own scope without a trace in the journal, unless its key is taken; whether it was stored.
pub(crate) fn insert_unrecorded(rows: &mut (impl WriteRows + ?Sized), row: &Row) -> Result<bool> {
    let scope = rows.scope().clone();
    rows.insert_row(row, &scope, Internal(()))
}

/// Stores a row without a trace in the journal, replacing the one of the same key.
pub(crate) fn put_unrecorded(rows: &mut (impl WriteRows + ?Sized), row: &Row) -> Result<()> {
    if !insert_unrecorded(rows, row)? {
        rows.update_row(row, Internal(()))?.ok_or_else(|| taken(row))?;
    }
    Ok(())
}

/// The error of a key that belongs to a row outside the view.
fn taken(row: &Row) -> StoreError {
    StoreError::Missing { what: row.kind().as_str(), id: row.journal_id() }
}
