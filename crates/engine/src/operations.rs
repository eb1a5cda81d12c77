//! `operations`: the journal as a list of operations. A run of several transactions is one
//! operation.

mod request;

use std::fmt;

use elfmem_core::{ActiveHours, OperationKind, Timestamp};
use elfmem_store::{JournalQuery, Operation, Store};
use serde::Serialize;

use crate::Result;
use crate::catalog::without_advice;
use crate::memory::Memory;
use crate::results::write_operation;
use crate::trace;
use crate::undo::UndoHistory;
use crate::undo_window::{UndoWindow, undo_window};

pub use request::{ListOperations, ReadLog};

/// One operation from the journal.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PastOperation {
    /// The operation number, as passed to `undo`.
    pub seq: i64,
    /// The numbers of its transactions. A long dream has more than one.
    pub parts: Vec<i64>,
    /// When it ran.
    pub at: Timestamp,
    /// The active hours at that time.
    pub active_hours: ActiveHours,
    /// The actor that requested it.
    pub actor: String,
    /// The kind of operation.
    pub operation: OperationKind,
    /// A one-sentence summary, without the advice that was for its moment.
    pub summary: String,
    /// Number of changed rows.
    pub changed: u64,
    /// The operation that it undid.
    pub undoes: Option<i64>,
    /// The undo that reverted it. `None` while it is in effect.
    pub undone_by: Option<i64>,
    /// When the list was requested, to compute the age.
    #[serde(skip)]
    pub asked_at: Timestamp,
}

/// The line of seed 001: `learn() → Stored block a1b2. Status: created. (2 min ago)`.
impl fmt::Display for PastOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_operation(f, &self.operation, &self.summary, self.at, self.asked_at)
    }
}

/// Operations that are counted at most.
const MAX_COUNTED: u32 = 10_000;

/// Number of journal operations read at a time.
const PAGE_SIZE: u32 = 256;

impl<S: Store> Memory<S> {
    /// The newest `limit` operations in the order they ran, whichever process ran them, and whether they stand.
    /// See [`ListOperations`].
    pub fn operations(&self, request: impl Into<ListOperations>) -> Result<Vec<PastOperation>> {
        let _span = trace::verb("history");
        let ListOperations { limit, since } = request.into();
        let asked_at = self.options.clock.now();
        self.read(|snapshot| {
            let history = UndoHistory::read(snapshot)?;
            let mut past: Vec<PastOperation> = Vec::new();
            let mut runs: Vec<Option<String>> = Vec::new();
            let mut before = None;
            loop {
                let page =
                    snapshot.get_operations(&JournalQuery { before, limit: Some(PAGE_SIZE), ..Default::default() })?;
                let Some(first) = page.first() else { break };
                before = Some(first.seq);
                for found in page.into_iter().rev() {
                    let run = found.links.run.clone();
                    // Concurrent processes interleave their transactions, so the run is searched
                    // for in the whole list.
                    let known = run.as_ref().and_then(|run| runs.iter().rposition(|known| known.as_ref() == Some(run)));
                    match known {
                        Some(place) => past[place].merge_earlier_part(found),
                        // Operations are numbered as they run, so all others are earlier too.
                        None if past.len() == limit as usize || since.is_some_and(|since| found.header.at < since) => {
                            past.reverse();
                            return Ok(past);
                        }
                        None => {
                            let undone_by = history.undone_by(found.seq);
                            past.push(PastOperation::new(found, undone_by, asked_at));
                            runs.push(run);
                        }
                    }
                }
            }
            past.reverse();
            Ok(past)
        })
    }
}

/// The newest operations, and where the undo window begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OperationList {
    pub(crate) operations: Vec<PastOperation>,
    pub(crate) total: Option<u64>,
    pub(crate) undo_window: Option<UndoWindow>,
}

impl<S: Store> Memory<S> {
    /// Returns the newest operations and the undo window.
    pub(crate) fn list_operations(&self, request: ListOperations) -> Result<OperationList> {
        let operations = self.operations(request.clone())?;
        let total = self.count_operations(request, operations.len())?;
        Ok(OperationList { operations, total, undo_window: self.undo_window()? })
    }

    /// Counts the operations of a list and those that its limit left out; `None` for more than 10,000, because
    /// counting means reading them.
    pub fn count_operations(&self, request: impl Into<ListOperations>, listed: usize) -> Result<Option<u64>> {
        let request = request.into();
        if listed < request.limit as usize {
            return Ok(Some(listed as u64));
        }
        let counted = self.operations(request.limit(MAX_COUNTED + 1))?.len() as u64;
        Ok(Some(counted).filter(|counted| *counted <= u64::from(MAX_COUNTED)))
    }

    /// Returns where the undo window begins. Returns `None` while nothing was folded.
    pub fn undo_window(&self) -> Result<Option<UndoWindow>> {
        self.read(undo_window)
    }
}

/// Returns a summary without the advice that was for its moment, if anything else is in it.
pub(crate) fn summary_of(told: &str) -> String {
    let summary = without_advice(told);
    if summary.is_empty() { told.to_owned() } else { summary }
}

impl PastOperation {
    fn new(found: Operation, undone_by: Option<i64>, asked_at: Timestamp) -> Self {
        Self {
            seq: found.seq,
            parts: vec![found.seq],
            at: found.header.at,
            active_hours: found.header.active_hours,
            actor: found.header.actor,
            operation: found.header.operation,
            summary: summary_of(&found.header.summary),
            changed: found.changed,
            undoes: found.links.undoes,
            undone_by,
            asked_at,
        }
    }

    /// Merges an earlier transaction of the same run.
    fn merge_earlier_part(&mut self, part: Operation) {
        self.parts.insert(0, part.seq);
        self.changed += part.changed;
        self.at = part.header.at;
        self.operation = part.header.operation;
        let more = self.parts.len() - 1;
        let noun = if more == 1 { "part" } else { "parts" };
        self.summary = format!("{} (and {more} more {noun})", summary_of(&part.header.summary));
    }
}
