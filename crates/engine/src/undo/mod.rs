//! `undo`: reverts one operation, which may be a whole dream.
//!
//! The journal holds the old and new value of each changed row. An undo restores the old values if
//! no later operation depends on them. It is an operation itself, so undoing the undo redoes the
//! operation.

mod apply;
mod dependents;
mod error;
mod event_rows;
mod net_change;
mod request;
mod result;
mod undo_history;

use elfmem_core::{BlockId, OperationKind};
use elfmem_store::{Entity, JournalLinks, JournalQuery, Operation, Snapshot, Store, Transaction};

use crate::Result;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::trace;
use apply::apply;
use dependents::check_dependents;
use net_change::{NetChange, NetChanges};
use undo_history::run_members;
pub(crate) use undo_history::{UndoHistory, find_operation};

pub use error::UndoError;
pub use request::Undo;
pub use result::{UndoCounts, UndoEffect, UndoResult};

/// Number of operations read at a time when searching for the last one.
const PAGE_SIZE: u32 = 64;

impl<S: Store> Memory<S> {
    /// Takes back one operation: the last one that changed something, or the one with a given number. A run of several
    /// transactions (a dream) is taken back as a whole. See [`Undo`].
    ///
    /// The clock of use stays, and so do vectors, which are derived from the text.
    ///
    /// # Errors
    /// [`UndoError`]: no such operation, undone already, not undoable, or a later operation rests on it.
    pub fn undo(&self, request: impl Into<Undo>) -> Result<UndoResult> {
        let _span = trace::verb("undo");
        let Undo { seq, dry_run } = request.into();
        if dry_run {
            let result = self.rehearse(|transaction, moment| undo_operation(transaction, moment, seq))?;
            return Ok(UndoResult { dry_run: true, ..result });
        }
        let mut result =
            self.change(OperationKind::Undo, |transaction, moment| undo_operation(transaction, moment, seq))?;
        let undone = result.operations.last().copied().unwrap_or_default();
        let by =
            self.read(|snapshot| Ok(snapshot.get_undos()?.into_iter().find(|(_, of)| *of == undone).map(|(by, _)| by)));
        match by {
            Ok(by) => result.undo_seq = by,
            // The undo itself is committed.
            Err(error) => result.warnings.push(format!("The number of this undo is unknown: {}", error.message())),
        }
        self.running().breadcrumbs.remove(&result.removed_blocks);
        result.warnings.extend(self.embed_active(&result.returned_blocks));
        Ok(result)
    }
}

fn undo_operation(transaction: &mut dyn Transaction, moment: &Moment, seq: Option<i64>) -> Result<UndoResult> {
    let history = UndoHistory::read(&*transaction)?;
    let asked = match seq {
        Some(seq) => find_operation(&*transaction, seq)?.ok_or(UndoError::NoOperation { seq })?,
        None => last_undoable(&*transaction, &history)?,
    };
    if let Some(reason) = asked.header.operation.not_undoable() {
        let (operation, reason) = (asked.header.operation, reason.reason());
        return Err(UndoError::NotUndoable { seq: asked.seq, operation, reason }.into());
    }
    // The first operation of a run has its kind and summary.
    let named = match run_members(&*transaction, asked.seq)?.first() {
        Some(first) if *first != asked.seq => find_operation(&*transaction, *first)?,
        _ => Some(asked.clone()),
    };
    let Some(named) = named else {
        let (operation, reason) = (asked.header.operation, "a part of it changed rows outside this scope");
        return Err(UndoError::NotUndoable { seq: asked.seq, operation, reason }.into());
    };
    let seqs = run_members(&*transaction, history.latest_redo(asked.seq)?)?;
    let nets = NetChanges::from_changes(transaction.get_changes(&seqs)?);
    let later_edges = check_dependents(&*transaction, asked.seq, &seqs, &nets, &history)?;
    if apply(transaction, moment, asked.seq, &nets, &later_edges)? == 0 {
        let (operation, reason) = (asked.header.operation, "none of its changes is left");
        return Err(UndoError::NotUndoable { seq: asked.seq, operation, reason }.into());
    }
    transaction.set_journal_links(JournalLinks { run: None, undoes: seqs.last().copied() });
    Ok(UndoResult::new(asked.seq, &named, seqs, &nets))
}

/// Returns the newest operation in effect that is undoable, no undo itself and changed more than
/// use counts.
fn last_undoable(snapshot: &dyn Snapshot, history: &UndoHistory) -> Result<Operation> {
    let mut before = None;
    loop {
        let page =
            snapshot.get_operations(&JournalQuery { before, limit: Some(PAGE_SIZE), ..JournalQuery::default() })?;
        let Some(first) = page.first() else { return Err(UndoError::NothingToUndo.into()) };
        before = Some(first.seq);
        for found in page.into_iter().rev() {
            let undoable = found.links.undoes.is_none() && found.header.operation.not_undoable().is_none();
            if undoable && history.undone_by(found.seq).is_none() && changes_more_than_use_counts(snapshot, found.seq)?
            {
                return Ok(found);
            }
        }
    }
}

fn changes_more_than_use_counts(snapshot: &dyn Snapshot, seq: i64) -> Result<bool> {
    let nets = NetChanges::from_changes(snapshot.get_changes(&[seq])?);
    Ok(nets.iter().any(|net| !net.is_use_count_only()))
}

/// Returns the ids of the blocks among some rows.
fn block_ids<'a>(nets: impl Iterator<Item = &'a NetChange>) -> Vec<BlockId> {
    nets.filter(|net| net.entity == Entity::Block).map(|net| BlockId::from_stored(&net.id)).collect()
}
