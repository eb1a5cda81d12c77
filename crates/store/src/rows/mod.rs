//! Rows: the generic primitives over the tables of a memory.
//!
//! A store implements the required methods of [`ReadRows`] and [`WriteRows`] once for all kinds of rows. Everything that the traits
//! of the other modules do to blocks, edges, events and the rest is derived from them.

mod key;
mod row;
mod write;

use std::ops::ControlFlow;

use elfmem_core::{BlockId, Scope, ScopeView};

pub use key::{RowKey, RowKind};
pub(crate) use row::RowValue;
pub use row::{BlockRow, Provenance, Row, Setting, StagedPair};
pub use write::{RowEdit, WriteRows};
pub(crate) use write::{
    delete_recorded, insert_recorded, insert_unrecorded, put_recorded, put_unrecorded, update_recorded,
};

use crate::{Result, StoreError};

/// Permission to call a method that goes around the journal or the scopes.
///
/// Only this crate can make one. Code above the store can therefore not change a row without a trace in the journal, nor look past
/// its view.
#[derive(Debug, Clone, Copy)]
pub struct Internal(pub(crate) ());

/// Which rows to scan.
#[derive(Debug, Clone, Copy)]
pub struct RowQuery<'a> {
    /// The kind of the rows.
    pub kind: RowKind,
    /// Only rows that belong to one of these blocks; none for all.
    pub blocks: Option<&'a [BlockId]>,
    /// Whether block rows come with their vectors.
    pub vectors: Vectors,
    /// Whether rows outside the view are selected too.
    pub(crate) every_scope: bool,
}

/// Whether block rows come with their vectors, which are long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Vectors {
    /// They are left out.
    #[default]
    Skip,
    /// They are read too.
    Include,
}

impl From<bool> for Vectors {
    fn from(include: bool) -> Self {
        if include { Self::Include } else { Self::Skip }
    }
}

impl<'a> RowQuery<'a> {
    /// Selects every row of a kind, without vectors.
    pub fn all(kind: RowKind) -> Self {
        Self { kind, blocks: None, vectors: Vectors::Skip, every_scope: false }
    }

    /// Selects the rows of a kind that belong to one of some blocks, without vectors.
    pub fn of(kind: RowKind, blocks: &'a [BlockId]) -> Self {
        Self { blocks: Some(blocks), ..Self::all(kind) }
    }

    /// Selects the same blocks with their vectors.
    pub fn with_vectors(self) -> Self {
        Self { vectors: Vectors::Include, ..self }
    }

    /// Selects the same rows in every scope.
    pub fn in_every_scope(self, _: Internal) -> Self {
        Self { every_scope: true, ..self }
    }

    /// Returns whether rows outside the view are selected too.
    pub fn spans_scopes(&self) -> bool {
        self.every_scope
    }
}

/// Receives the rows of a scan with their positions, and may break it off.
pub type RowVisitor<'a> = &'a mut dyn FnMut(&Row, i64) -> ControlFlow<()>;

/// Reads rows of one consistent state, within one view.
///
/// This is where scopes are enforced for reading. A row is visible when the view sees all its [blocks](Row::blocks) and, if its kind
/// [has a scope](RowKind::has_scope), that scope. A setting whose [key](crate::split_scope_key) names a scope belongs to that scope.
/// Everything derived from these methods sees visible rows only, unless it says otherwise.
pub trait ReadRows {
    /// Returns the view that this reading is bound to.
    fn view(&self) -> &ScopeView;

    /// Reads the visible row of a key, blocks with their vectors. Where several visible scopes hold the key, the row that was stored
    /// first is returned.
    fn get_row(&self, key: &RowKey) -> Result<Option<Row>>;

    /// Visits the rows that a query selects: visible ones, or those of [every scope](RowQuery::spans_scopes).
    ///
    /// The position of a row is its rank in the order in which rows of its kind were stored. It never changes while the row exists.
    /// Only positions of blocks and sessions are used; a store may pass 0 for other kinds.
    ///
    /// Blocks come in the order of the query's ids, or of their positions if it has none. Contradictions, outcomes, events, sessions
    /// and tombstones come in the order of their positions, proposals and links in the order of their numbers, other rows in the order
    /// of their keys. A row that belongs to two of the query's blocks comes once.
    fn scan_rows(&self, query: RowQuery<'_>, visit: RowVisitor<'_>) -> Result<()>;

    /// Returns whether no scope, visible or not, holds a block.
    fn is_empty(&self) -> Result<bool> {
        let mut empty = true;
        self.scan_rows(RowQuery::all(RowKind::Block).in_every_scope(Internal(())), &mut |_, _| {
            empty = false;
            ControlFlow::Break(())
        })?;
        Ok(empty)
    }

    /// Returns whether an id names a block that exists and that the view does not see.
    fn is_hidden(&self, id: &BlockId, _: Internal) -> Result<bool> {
        let mut hidden = false;
        let query = RowQuery::of(RowKind::Block, std::slice::from_ref(id)).in_every_scope(Internal(()));
        self.scan_rows(query, &mut |row, _| {
            hidden = matches!(row, Row::Block(row) if !self.view().sees(&row.block.scope));
            ControlFlow::Break(())
        })?;
        Ok(hidden)
    }

    /// Returns the scope that new rows go to.
    fn scope(&self) -> &Scope {
        self.view().own()
    }

    /// Visits every visible row, kind by kind in the order of [`RowKind::ALL`], until `visit` breaks off. Effects of links that the
    /// view does not see are left out.
    ///
    /// Cost: one pass over everything, with one row in memory at a time.
    fn visit_rows(&self, vectors: Vectors, visit: &mut dyn FnMut(Row) -> ControlFlow<()>) -> Result<()> {
        for kind in RowKind::ALL {
            let mut broken_off = false;
            let mut failure = None;
            self.scan_rows(RowQuery { vectors, ..RowQuery::all(kind) }, &mut |row, _| {
                if let Row::Effect(effect) = row {
                    match self.get_row(&RowKey::Link(effect.key.clone())) {
                        Ok(Some(_)) => {}
                        Ok(None) => return ControlFlow::Continue(()),
                        Err(error) => {
                            failure = Some(error);
                            return ControlFlow::Break(());
                        }
                    }
                }
                let flow = visit(row.clone());
                broken_off = flow.is_break();
                flow
            })?;
            if let Some(error) = failure {
                return Err(error);
            }
            if broken_off {
                break;
            }
        }
        Ok(())
    }
}

/// Reads one row as the type of its kind.
pub(crate) fn get<T: RowValue>(rows: &(impl ReadRows + ?Sized), key: &RowKey) -> Result<Option<T>> {
    Ok(rows.get_row(key)?.and_then(T::from_row))
}

/// Lists the rows of a kind that meet a condition: all, or those of some blocks.
pub(crate) fn list<T: RowValue + Clone>(
    rows: &(impl ReadRows + ?Sized),
    blocks: Option<&[BlockId]>,
    mut keep: impl FnMut(&T) -> bool,
) -> Result<Vec<T>> {
    let mut found = Vec::new();
    each(rows, blocks, |value: &T| {
        if keep(value) {
            found.push(value.clone());
        }
    })?;
    Ok(found)
}

/// Visits the rows of a kind: all, or those of some blocks.
pub(crate) fn each<T: RowValue>(
    rows: &(impl ReadRows + ?Sized),
    blocks: Option<&[BlockId]>,
    mut visit: impl FnMut(&T),
) -> Result<()> {
    let query = RowQuery { blocks, ..RowQuery::all(T::KIND) };
    rows.scan_rows(query, &mut |row, _| {
        if let Some(value) = T::in_row(row) {
            visit(value);
        }
        ControlFlow::Continue(())
    })
}

/// The error of a row that should exist.
pub(crate) fn missing(what: &'static str, id: impl ToString) -> StoreError {
    StoreError::Missing { what, id: id.to_string() }
}
