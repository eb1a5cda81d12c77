//! `undo`: reverts one operation, which may be a whole dream.
//!
//! The journal holds the old and new value of each changed row. An undo restores the old values if
//! no later operation depends on them. It is an operation itself, so undoing the undo redoes the
//! operation.

mod apply;
mod consolidation;
mod dependents;
mod error;
mod event_rows;
mod net_change;
mod request;
mod result;
mod skipped;
mod undo_history;

use elfmem_core::{BlockId, OperationKind};
use elfmem_store::{Entity, JournalLinks, Operation, Store, Transaction};

use crate::memory::Memory;
use crate::moment::Moment;
use crate::results::OperationRecord;
use crate::trace;
use crate::{Error, Result};
use apply::apply;
use dependents::check_dependents;
use net_change::{NetChange, NetChanges};
use skipped::{LastUndoable, last_undoable};
use undo_history::run_members;
pub(crate) use undo_history::{UndoHistory, find_operation};

pub use consolidation::UndoneConsolidation;
pub use error::UndoError;
pub use request::Undo;
pub use result::{UndoCounts, UndoEffect, UndoResult};
pub use skipped::SkippedOperation;

impl<S: Store> Memory<S> {
    /// Takes back one operation: the last one that changed something, or the one with a given number. A run of several
    /// transactions (a dream) is taken back as a whole. See [`Undo`].
    ///
    /// Later operations of this process that changed nothing, and later ones that cannot be undone, are named in
    /// [`skipped`](UndoResult::skipped): those that a purge left nothing of among them.
    ///
    /// The clock of use stays, and so do vectors, which are derived from the text.
    ///
    /// # Errors
    /// [`UndoError`]: no such operation, undone already, not undoable, or a later operation rests on it.
    pub fn undo(&self, request: impl Into<Undo>) -> Result<UndoResult> {
        let _span = trace::verb("undo");
        let Undo { seq, dry_run, own } = request.into();
        let only = own.then_some(self.options.actor.as_str());
        let recent = self.running().history.all();
        let (mut refused, mut elsewhere) = (Vec::new(), None);
        let mut result = loop {
            let work = |transaction: &mut dyn Transaction, moment: &Moment| {
                undo_operation(transaction, moment, seq, only, &recent, &refused)
            };
            let tried = match dry_run {
                true => self.rehearse(work).map(|result| UndoResult { dry_run: true, ..result }),
                false => self.change(OperationKind::Undo, work),
            };
            match tried {
                Ok(result) => break result,
                // No later operation is left to undo first, so a refusal is final: an earlier operation is next.
                Err(Error::Undo(refusal)) if seq.is_none() => {
                    if matches!(refusal, UndoError::NothingToUndo | UndoError::NothingInWindow { .. }) {
                        return Err(elsewhere.unwrap_or(refusal).into());
                    }
                    refused.push(self.skipped_after(&refusal)?);
                    elsewhere = elsewhere.or(Some(refusal).filter(UndoError::waits_for_another_scope));
                }
                Err(error) => return Err(error),
            }
        };
        if dry_run {
            return Ok(result);
        }
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

    /// Returns the operation that a plain undo passes over after it was refused.
    fn skipped_after(&self, refusal: &UndoError) -> Result<SkippedOperation> {
        let found = match refusal.refused() {
            Some((seq, reason)) => {
                self.read(|snapshot| find_operation(snapshot, seq))?.map(|operation| (operation, reason))
            }
            None => None,
        };
        let (operation, reason) = found.ok_or_else(|| refusal.clone())?;
        let Operation { seq, header, .. } = operation;
        Ok(SkippedOperation { seq: Some(seq), operation: header.operation, summary: header.summary, reason })
    }
}

fn undo_operation(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    seq: Option<i64>,
    only: Option<&str>,
    recent: &[OperationRecord],
    refused: &[SkippedOperation],
) -> Result<UndoResult> {
    let history = UndoHistory::read(&*transaction)?;
    let folded = transaction.get_folded_journal()?.through;
    if let Some(seq) = seq.filter(|seq| (1..=folded).contains(seq)) {
        return Err(UndoError::BeyondWindow { seq, begins: folded + 1 }.into());
    }
    let LastUndoable { operation: target, skipped } = match seq {
        Some(seq) => {
            let operation = find_operation(&*transaction, seq)?.ok_or(UndoError::NoOperation { seq })?;
            LastUndoable { operation, skipped: Vec::new() }
        }
        None => last_undoable(&*transaction, &history, only, recent, refused, folded)?,
    };
    if only.is_some_and(|only| target.header.actor != only) {
        return Err(UndoError::Foreign { seq: target.seq, actor: target.header.actor }.into());
    }
    if let Some(reason) = target.header.operation.not_undoable() {
        let (operation, reason) = (target.header.operation, reason.reason());
        return Err(UndoError::NotUndoable { seq: target.seq, operation, reason }.into());
    }
    // The first operation of a run has its kind and summary.
    let named = match run_members(&*transaction, target.seq)?.first() {
        Some(first) if *first != target.seq => find_operation(&*transaction, *first)?,
        _ => Some(target.clone()),
    };
    let Some(named) = named else {
        let (operation, reason) = (target.header.operation, "a part of it changed rows outside this scope");
        return Err(UndoError::NotUndoable { seq: target.seq, operation, reason }.into());
    };
    let seqs = run_members(&*transaction, history.latest_redo(target.seq)?)?;
    if seqs.iter().any(|part| *part <= folded) {
        return Err(UndoError::BeyondWindow { seq: target.seq, begins: folded + 1 }.into());
    }
    let mut nets = NetChanges::from_changes(transaction.get_changes(&seqs)?);
    let originals = run_members(&*transaction, target.seq)?;
    if originals != seqs {
        nets.add_use_counters(&NetChanges::from_changes(transaction.get_changes(&originals)?));
    }
    check_scope(&*transaction, &seqs, target.seq, &nets)?;
    let later_edges = check_dependents(&*transaction, target.seq, &seqs, &nets, &history)?;
    if apply(transaction, moment, target.seq, &nets, &later_edges)? == 0 {
        let (operation, reason) = (target.header.operation, "none of its changes is left");
        return Err(UndoError::NotUndoable { seq: target.seq, operation, reason }.into());
    }
    check_successors(&*transaction, target.seq, &nets)?;
    transaction.set_journal_links(JournalLinks { run: None, undoes: seqs.last().copied() });
    Ok(UndoResult { skipped, ..UndoResult::new(target.seq, &named, seqs, &nets) })
}

/// Refuses an operation of another scope that changed rows which belong to the scope that wrote them: a transaction writes such
/// rows in its own scope only.
fn check_scope(transaction: &dyn Transaction, seqs: &[i64], seq: i64, nets: &NetChanges) -> Result<()> {
    let is_scoped =
        |net: &NetChange| matches!(net.entity, Entity::Event | Entity::Context | Entity::Enrolment | Entity::Link);
    if !nets.iter().any(|net| !net.purged && is_scoped(net)) {
        return Ok(());
    }
    let operation = seqs.last().map(|seq| find_operation(transaction, *seq)).transpose()?.flatten();
    match operation.and_then(|operation| operation.scope) {
        Some(scope) if scope != *transaction.view().own() => Err(UndoError::OfAnotherScope { seq, scope }.into()),
        _ => Ok(()),
    }
}

/// Refuses to archive a block again in favour of one that the view does not see: what is on record would name a block of another
/// scope, and could not be seen nor undone here. A successor that was purged has left a tombstone.
fn check_successors(transaction: &dyn Transaction, seq: i64, nets: &NetChanges) -> Result<()> {
    let successors: Vec<BlockId> = nets
        .iter()
        .filter(|net| !net.purged)
        .filter_map(NetChange::former_successor)
        .map(BlockId::from_stored)
        .collect();
    let known = transaction.get_statuses(&successors)?;
    for id in successors.iter().filter(|id| !known.contains_key(id)) {
        if transaction.find_tombstone(id.as_str())?.is_none() {
            return Err(UndoError::ReplacedElsewhere { seq }.into());
        }
    }
    Ok(())
}

/// Returns the ids of the blocks among some rows.
fn block_ids<'a>(nets: impl Iterator<Item = &'a NetChange>) -> Vec<BlockId> {
    nets.filter(|net| net.entity == Entity::Block).map(|net| BlockId::from_stored(&net.id)).collect()
}
