//! The undo window: the days of use whose operations can be undone. What is older is folded.

use std::collections::BTreeMap;
use std::fmt;

use elfmem_core::{Timestamp, time};
use elfmem_store::{Snapshot, Store, Transaction};
use serde::Serialize;

use crate::Result;
use crate::memory::Memory;
use crate::trace;

/// Days of use in the undo window, by default.
pub const UNDO_WINDOW_DAYS: u32 = 30;

/// Numbers of operations that are folded in one transaction, so that no writer waits long.
const STEP: u32 = 500;
/// Staged pairs that are looked at in one transaction.
const PAIRS_IN_STEP: u32 = 10_000;
/// The most transactions of one curate. What is left waits for the next.
const MOST_STEPS: usize = 200;

/// Where the undo window begins, and what was folded before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UndoWindow {
    /// Number of the first operation in the window. Earlier ones cannot be undone.
    pub begins: i64,
    /// When the last operation before the window ran.
    pub folded_until: Option<Timestamp>,
    /// Number of operations that only counted uses and were removed, by kind.
    pub folded: BTreeMap<String, u64>,
}

impl fmt::Display for UndoWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The undo window begins at operation {}", self.begins)?;
        if let Some(until) = self.folded_until {
            write!(f, ", after {}", time::to_iso(until))?;
        }
        f.write_str(".")?;
        if !self.folded.is_empty() {
            let counts: Vec<String> = self.folded.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            write!(f, " Counted and removed before it: {}.", counts.join(", "))?;
        }
        Ok(())
    }
}

/// Returns where the undo window begins. Returns `None` while nothing was folded.
pub(crate) fn undo_window(snapshot: &dyn Snapshot) -> Result<Option<UndoWindow>> {
    let journal = snapshot.get_folded_journal()?;
    if journal.through == 0 {
        return Ok(None);
    }
    let mut folded: BTreeMap<String, u64> = BTreeMap::new();
    for (_, counts) in journal.removed.iter().filter(|(scope, _)| snapshot.view().sees(scope)) {
        for (kind, count) in counts {
            *folded.entry(kind.clone()).or_default() += count;
        }
    }
    Ok(Some(UndoWindow { begins: journal.through + 1, folded_until: journal.at, folded }))
}

impl<S: Store> Memory<S> {
    /// Folds what is older than the undo window, in small steps, and gives room back. Failures are
    /// logged: the next curate goes on where this one ended.
    pub(crate) fn fold_journal(&self) {
        let fold = || -> Result<()> {
            let days = self.options.undo_window_days.max(1);
            let up_to = self.read(|snapshot| Ok(snapshot.get_position_before_days(days)?))?;
            for _ in 0..MOST_STEPS {
                let left =
                    self.store().write(&self.options.view, |transaction| transaction.fold_journal(up_to, STEP))?;
                if !left {
                    break;
                }
            }
            self.forget_stale_pairs()?;
            self.store().give_back_room()?;
            Ok(())
        };
        if let Err(error) = fold() {
            trace::upkeep_failed("fold_journal", error.kind().as_str());
        }
    }

    /// Forgets the pairs on their way to becoming edges that did not come up again within the window, in small steps. Otherwise every
    /// pair that was ever shown together is kept: after a year of many questions they take more room than the blocks.
    fn forget_stale_pairs(&self) -> Result<()> {
        let Some(since) = self.read(|snapshot| Ok(snapshot.get_folded_journal()?))?.at else { return Ok(()) };
        let mut after = None;
        loop {
            let forget = |transaction: &mut dyn Transaction| {
                transaction.forget_stale_pairs(since, after.as_ref(), PAIRS_IN_STEP)
            };
            after = self.store().write(&self.options.view, forget)?;
            if after.is_none() {
                return Ok(());
            }
        }
    }
}
