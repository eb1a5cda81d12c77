//! The undos in the journal, and which operations are in effect. An undone operation is not, unless
//! its undo was undone.

use std::collections::HashMap;

use elfmem_store::{JournalQuery, Operation, Snapshot};

use super::error::UndoError;
use crate::Result;

/// All undos of the journal.
#[derive(Debug, Default)]
pub(crate) struct UndoHistory {
    /// The operations that are not in effect, each with the undo that reverted it.
    undone: HashMap<i64, i64>,
    /// The undos of each operation, newest first.
    undos: HashMap<i64, Vec<i64>>,
    /// The operation that each undo reverted.
    targets: HashMap<i64, i64>,
}

impl UndoHistory {
    pub(crate) fn read(snapshot: &dyn Snapshot) -> Result<Self> {
        let mut history = Self::default();
        for (seq, undoes) in snapshot.get_undos()? {
            let in_effect = !history.undone.contains_key(&seq);
            history.targets.insert(seq, undoes);
            for member in run_members(snapshot, undoes)? {
                history.undos.entry(member).or_default().push(seq);
                if in_effect {
                    history.undone.entry(member).or_insert(seq);
                }
            }
        }
        Ok(history)
    }

    /// Returns the undo that reverted an operation. Returns `None` if the operation is in effect.
    pub(crate) fn undone_by(&self, seq: i64) -> Option<i64> {
        self.undone.get(&seq).copied()
    }

    /// Returns true if an operation is in effect and is no undo.
    pub(crate) fn is_original_in_effect(&self, seq: i64) -> bool {
        !self.targets.contains_key(&seq) && !self.undone.contains_key(&seq)
    }

    /// Returns true if a later operation changed the state since `first`. An undone operation did
    /// not, and neither did the undo of an operation after `first`: the two cancel out. The undo of
    /// an operation before `first` did, while it is in effect.
    pub(crate) fn has_effect_since(&self, later: i64, first: i64) -> bool {
        let mut root = later;
        while let Some(target) = self.targets.get(&root) {
            root = *target;
        }
        match root {
            root if root == later => self.undone_by(later).is_none(),
            root => root < first && self.undone_by(root) == Some(later),
        }
    }

    /// Returns the operation to revert in order to undo `seq`: `seq` itself, or its latest redo.
    pub(crate) fn latest_redo(&self, seq: i64) -> Result<i64> {
        if let Some(by) = self.undone_by(seq) {
            return Err(UndoError::AlreadyUndone { seq, by }.into());
        }
        let mut latest = seq;
        while let Some(redo) = self.undos.get(&latest).and_then(|undos| self.undos.get(undos.first()?)?.first()) {
            latest = *redo;
        }
        Ok(latest)
    }
}

/// Returns an operation by its number. Returns `None` if it does not exist or is not completely
/// visible.
pub(crate) fn find_operation(snapshot: &dyn Snapshot, seq: i64) -> Result<Option<Operation>> {
    let query = JournalQuery {
        after: Some(seq.saturating_sub(1)),
        before: Some(seq.saturating_add(1)),
        ..JournalQuery::default()
    };
    Ok(snapshot.get_operations(&query)?.pop())
}

/// Returns the operations that are undone together with `seq`: all of its run, or itself.
pub(crate) fn run_members(snapshot: &dyn Snapshot, seq: i64) -> Result<Vec<i64>> {
    match find_operation(snapshot, seq)?.and_then(|operation| operation.links.run) {
        Some(run) => Ok(snapshot.get_run(&run)?),
        None => Ok(vec![seq]),
    }
}
