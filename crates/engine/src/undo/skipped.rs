//! The operation that a plain undo takes back, and the later ones that it passes over.

use elfmem_core::{OperationKind, Timestamp};
use elfmem_store::{JournalQuery, Operation, Snapshot};
use serde::Serialize;

use super::error::UndoError;
use super::net_change::NetChanges;
use super::undo_history::UndoHistory;
use crate::Result;
use crate::operations::summary_of;
use crate::results::OperationRecord;

/// Number of operations read at a time when searching for the last one.
const PAGE_SIZE: u32 = 64;
/// Why an operation without changes was skipped.
const NO_CHANGES: &str = "it changed nothing";
/// Why an operation was skipped whose rows are gone.
const PURGED: &str = "what it changed was purged since";

/// An operation that a plain undo passed over, because there is nothing of it to take back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SkippedOperation {
    /// Its number. `None` if it changed nothing and so is not in the journal.
    pub seq: Option<i64>,
    /// The kind of operation.
    pub operation: OperationKind,
    /// The summary of the operation.
    pub summary: String,
    /// Why it was skipped.
    pub reason: String,
}

impl std::fmt::Display for SkippedOperation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seq, operation, reason, .. } = self;
        match seq {
            Some(seq) => write!(f, "Skipped operation {seq} ({operation}): {reason}."),
            None => write!(f, "Skipped the last {operation}: {reason}."),
        }
    }
}

/// The operation that a plain undo takes back.
pub(super) struct LastUndoable {
    pub(super) operation: Operation,
    /// The later operations that somebody may have meant, newest first.
    pub(super) skipped: Vec<SkippedOperation>,
}

/// Returns the newest operation in effect that is undoable, no undo itself and changed more than
/// use counts, by anybody or by `only` one actor. `recent` are the operations of this process, oldest
/// first; `refused` are operations whose undo was tried and refused; `folded` is the newest operation
/// before the undo window.
pub(super) fn last_undoable(
    snapshot: &dyn Snapshot,
    history: &UndoHistory,
    only: Option<&str>,
    recent: &[OperationRecord],
    refused: &[SkippedOperation],
    folded: i64,
) -> Result<LastUndoable> {
    let (mut passed, mut skipped) = (Vec::new(), Vec::new());
    let mut before = None;
    loop {
        let page = snapshot.get_operations(&JournalQuery {
            before,
            after: Some(folded),
            limit: Some(PAGE_SIZE),
            block: None,
        })?;
        let Some(first) = page.first() else {
            return Err(match folded {
                0 => UndoError::NothingToUndo,
                folded => UndoError::NothingInWindow { begins: folded + 1 },
            }
            .into());
        };
        before = Some(first.seq);
        for found in page.into_iter().rev() {
            let is_meant = only.is_none_or(|only| found.header.actor == only);
            if is_meant && found.links.undoes.is_none() && history.undone_by(found.seq).is_none() {
                let tried = refused.iter().find(|tried| tried.seq == Some(found.seq));
                let reason = match (found.header.operation.not_undoable(), tried) {
                    (Some(kind), _) => kind.reason().to_owned(),
                    (None, Some(tried)) => tried.reason.clone(),
                    (None, None) => match nothing_left(snapshot, found.seq)? {
                        Some(reason) => reason.to_owned(),
                        None => {
                            skipped.splice(0..0, without_changes(recent, &passed, &found));
                            return Ok(LastUndoable { operation: found, skipped });
                        }
                    },
                };
                if is_named(&found.header.operation) {
                    skipped.push(SkippedOperation {
                        seq: Some(found.seq),
                        operation: found.header.operation.clone(),
                        summary: summary_of(&found.header.summary),
                        reason,
                    });
                }
            }
            passed.push(found);
        }
    }
}

/// Returns why an operation has nothing to take back: it only counted uses, or its rows are gone.
fn nothing_left(snapshot: &dyn Snapshot, seq: i64) -> Result<Option<&'static str>> {
    let nets = NetChanges::from_changes(snapshot.get_changes(&[seq])?);
    if nets.iter().any(|net| !net.purged && !net.is_use_count_only()) {
        return Ok(None);
    }
    Ok(Some(if nets.iter().any(|net| net.purged) { PURGED } else { NO_CHANGES }))
}

/// Whether somebody may expect a plain undo to take back an operation of this kind.
fn is_named(operation: &OperationKind) -> bool {
    !operation.is_answer() && !operation.is_upkeep() && *operation != OperationKind::Undo
}

/// Returns the operations of this process since `target` that left no row in the journal, newest first.
fn without_changes(recent: &[OperationRecord], passed: &[Operation], target: &Operation) -> Vec<SkippedOperation> {
    let is_same = |record: &OperationRecord, operation: &Operation| {
        record.operation == operation.header.operation
            && in_journal(record.timestamp) == in_journal(operation.header.at)
    };
    recent
        .iter()
        .rev()
        .take_while(|record| !is_same(record, target) && in_journal(record.timestamp) >= in_journal(target.header.at))
        .filter(|record| is_named(&record.operation) && !passed.iter().any(|operation| is_same(record, operation)))
        .map(|record| SkippedOperation {
            seq: None,
            operation: record.operation.clone(),
            summary: summary_of(&record.summary),
            reason: NO_CHANGES.to_owned(),
        })
        .collect()
}

/// A time as the journal stores it: in microseconds.
fn in_journal(at: Timestamp) -> i64 {
    at.as_microsecond()
}
