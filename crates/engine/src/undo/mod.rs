//! `undo`: takes one operation back, a whole dream included, and leaves everything else as it is.
//!
//! The journal says what each row was and what it became. An undo sets it back if nothing that stands rests on it, and is an
//! operation itself: undoing the undo brings the operation back.

mod apply;
mod depend;
mod error;
mod net;
mod request;
mod result;
mod standing;
mod told;

use elfmem_core::{BlockId, OperationKind};
use elfmem_store::{Entity, JournalLinks, JournalQuery, Operation, Snapshot, Store, Transaction};

use crate::Result;
use crate::memory::Memory;
use crate::moment::Moment;
use apply::apply;
use depend::refuse_depended;
use net::Nets;
use standing::members;
pub(crate) use standing::{Standing, operation};

pub use error::UndoError;
pub use request::Undo;
pub use result::{UndoCounts, UndoEffect, UndoResult};

/// Operations that are looked at together when the last one is searched for.
const PAGE: u32 = 64;

impl<S: Store> Memory<S> {
    /// Takes back one operation: the last one that changed something, or the one with a given number. A run of several
    /// transactions (a dream) is taken back as a whole. See [`Undo`].
    ///
    /// The clock of use stays, and so do vectors, which are derived from the text.
    ///
    /// # Errors
    /// [`UndoError`]: no such operation, undone already, not undoable, or a later operation rests on it.
    pub fn undo(&self, request: impl Into<Undo>) -> Result<UndoResult> {
        let Undo { seq, dry_run } = request.into();
        if dry_run {
            let result = self.rehearse(|transaction, moment| take_back(transaction, moment, seq))?;
            return Ok(UndoResult { dry_run: true, ..result });
        }
        let mut result = self.change(OperationKind::Undo, |transaction, moment| take_back(transaction, moment, seq))?;
        let undone = result.operations.last().copied().unwrap_or_default();
        let by =
            self.read(|snapshot| Ok(snapshot.get_undos()?.into_iter().find(|(_, of)| *of == undone).map(|(by, _)| by)));
        match by {
            Ok(by) => result.undo_seq = by,
            // It is done all the same.
            Err(error) => result.warnings.push(format!("The number of this undo cannot be told: {}", error.message())),
        }
        self.running().breadcrumbs.remove(&result.removed_blocks);
        result.warnings.extend(self.embed_active(&result.returned_blocks));
        Ok(result)
    }
}

fn take_back(transaction: &mut dyn Transaction, moment: &Moment, seq: Option<i64>) -> Result<UndoResult> {
    let standing = Standing::read(&*transaction)?;
    let asked = match seq {
        Some(seq) => operation(&*transaction, seq)?.ok_or(UndoError::NoOperation { seq })?,
        None => last(&*transaction, &standing)?,
    };
    if let Some(reason) = asked.header.operation.not_undoable() {
        let (operation, reason) = (asked.header.operation, reason.reason());
        return Err(UndoError::NotUndoable { seq: asked.seq, operation, reason }.into());
    }
    // Of a run, its first operation says what it was about.
    let named = match members(&*transaction, asked.seq)?.first() {
        Some(first) if *first != asked.seq => operation(&*transaction, *first)?,
        _ => Some(asked.clone()),
    };
    let Some(named) = named else {
        let (operation, reason) = (asked.header.operation, "a part of it changed what this scope does not see");
        return Err(UndoError::NotUndoable { seq: asked.seq, operation, reason }.into());
    };
    let seqs = members(&*transaction, standing.top(asked.seq)?)?;
    let nets = Nets::of(transaction.get_changes(&seqs)?);
    let later_edges = refuse_depended(&*transaction, asked.seq, &seqs, &nets, &standing)?;
    if apply(transaction, moment, asked.seq, &nets, &later_edges)? == 0 {
        let (operation, reason) = (asked.header.operation, "nothing of it is left");
        return Err(UndoError::NotUndoable { seq: asked.seq, operation, reason }.into());
    }
    transaction.set_journal_links(JournalLinks { run: None, undoes: seqs.last().copied() });
    Ok(UndoResult::new(asked.seq, &named, seqs, &nets))
}

/// The newest operation that stands, is no undo itself and did more than count uses.
fn last(snapshot: &dyn Snapshot, standing: &Standing) -> Result<Operation> {
    let mut before = None;
    loop {
        let page = snapshot.get_operations(&JournalQuery { before, limit: Some(PAGE), ..JournalQuery::default() })?;
        let Some(first) = page.first() else { return Err(UndoError::NothingToUndo.into()) };
        before = Some(first.seq);
        for found in page.into_iter().rev() {
            let undoable = found.links.undoes.is_none() && found.header.operation.not_undoable().is_none();
            if undoable && standing.undone_by(found.seq).is_none() && matters(snapshot, found.seq)? {
                return Ok(found);
            }
        }
    }
}

/// Whether an operation did more than count uses.
fn matters(snapshot: &dyn Snapshot, seq: i64) -> Result<bool> {
    let nets = Nets::of(snapshot.get_changes(&[seq])?);
    Ok(nets.iter().any(|net| !net.only_counts_uses()))
}

/// The blocks among some rows.
fn block_ids<'a>(nets: impl Iterator<Item = &'a net::Net>) -> Vec<BlockId> {
    nets.filter(|net| net.entity == Entity::Block).map(|net| BlockId::from_stored(&net.id)).collect()
}
