//! The operations of a memory across restarts, a run of several transactions being one.

use elfmem_core::{ActiveHours, OperationKind, Timestamp};
use elfmem_store::{JournalQuery, Operation, Store};
use serde::Serialize;

use crate::Result;
use crate::memory::Memory;
use crate::undo::Standing;

/// One operation of the memory's life.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PastOperation {
    /// Its number: what `undo` takes.
    pub seq: i64,
    /// Its transactions; more than one for a long dream.
    pub parts: Vec<i64>,
    /// When it ran.
    pub at: Timestamp,
    /// What the clock of use read.
    pub active_hours: ActiveHours,
    /// Who asked.
    pub actor: String,
    /// Which operation.
    pub operation: OperationKind,
    /// What it did, in one sentence.
    pub summary: String,
    /// How many rows it changed.
    pub changed: u64,
    /// The operation it took back.
    pub undoes: Option<i64>,
    /// The undo that took it back; none while it stands.
    pub undone_by: Option<i64>,
}

/// Operations read at a time.
const PAGE: u32 = 256;

impl<S: Store> Memory<S> {
    /// The newest `limit` operations in the order they ran, whichever process ran them, and whether they stand.
    ///
    /// USE WHEN: you look for the number of something to undo. DON'T USE WHEN: you want the changes of one block;
    /// [`log`](Self::log) them. COST: fast, one read. RETURNS: [`PastOperation`]s. NEXT: [`undo`](Self::undo), or
    /// [`log`](Self::log) for what each changed.
    pub fn operations(&self, limit: u32) -> Result<Vec<PastOperation>> {
        self.read(|snapshot| {
            let standing = Standing::read(snapshot)?;
            let mut past: Vec<PastOperation> = Vec::new();
            let mut runs: Vec<Option<String>> = Vec::new();
            let mut before = None;
            loop {
                let page =
                    snapshot.get_operations(&JournalQuery { before, limit: Some(PAGE), ..Default::default() })?;
                let Some(first) = page.first() else { break };
                before = Some(first.seq);
                for found in page.into_iter().rev() {
                    let run = found.links.run.clone();
                    // A run of two processes at once is interleaved with others, so not only the last one is looked at.
                    let known = run.as_ref().and_then(|run| runs.iter().rposition(|known| known.as_ref() == Some(run)));
                    match known {
                        Some(place) => past[place].take_in(found),
                        None if past.len() == limit as usize => {
                            past.reverse();
                            return Ok(past);
                        }
                        None => {
                            let undone_by = standing.undone_by(found.seq);
                            past.push(PastOperation::from((found, undone_by)));
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

impl PastOperation {
    /// Adds an earlier part of the same run.
    fn take_in(&mut self, part: Operation) {
        self.parts.insert(0, part.seq);
        self.changed += part.changed;
        self.at = part.header.at;
        self.operation = part.header.operation;
        let more = self.parts.len() - 1;
        let noun = if more == 1 { "part" } else { "parts" };
        self.summary = format!("{} (and {more} more {noun})", part.header.summary);
    }
}

impl From<(Operation, Option<i64>)> for PastOperation {
    fn from((found, undone_by): (Operation, Option<i64>)) -> Self {
        Self {
            seq: found.seq,
            parts: vec![found.seq],
            at: found.header.at,
            active_hours: found.header.active_hours,
            actor: found.header.actor,
            operation: found.header.operation,
            summary: found.header.summary,
            changed: found.changed,
            undoes: found.links.undoes,
            undone_by,
        }
    }
}
