//! Which operations stand: an operation that was undone does not, unless its undo was undone.

use std::collections::HashMap;

use elfmem_store::{JournalQuery, Operation, Snapshot};

use super::error::UndoError;
use crate::Result;

/// Who took back what.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// Operations that do not stand, and the undo that took each back.
    undone: HashMap<i64, i64>,
    /// Every undo there ever was, by what it took back, the newest first.
    undos: HashMap<i64, Vec<i64>>,
    /// What each undo took back.
    targets: HashMap<i64, i64>,
}

impl Standing {
    pub(crate) fn read(snapshot: &dyn Snapshot) -> Result<Self> {
        let mut standing = Self::default();
        for (seq, undoes) in snapshot.get_undos()? {
            let stands = !standing.undone.contains_key(&seq);
            standing.targets.insert(seq, undoes);
            for member in members(snapshot, undoes)? {
                standing.undos.entry(member).or_default().push(seq);
                if stands {
                    standing.undone.entry(member).or_insert(seq);
                }
            }
        }
        Ok(standing)
    }

    /// The undo that took an operation back; none when it stands.
    pub(crate) fn undone_by(&self, seq: i64) -> Option<i64> {
        self.undone.get(&seq).copied()
    }

    /// Whether an operation stands and is no undo itself.
    pub(crate) fn stands_by_itself(&self, seq: i64) -> bool {
        !self.targets.contains_key(&seq) && !self.undone.contains_key(&seq)
    }

    /// Whether a later operation left something that was not so at `first`. One that was undone did not, and neither did the
    /// undo of one that came after `first`: together they are nothing. The undo of an earlier one did, while it stands.
    pub(crate) fn counts_since(&self, later: i64, first: i64) -> bool {
        let mut root = later;
        while let Some(target) = self.targets.get(&root) {
            root = *target;
        }
        match root {
            root if root == later => self.undone_by(later).is_none(),
            root => root < first && self.undone_by(root) == Some(later),
        }
    }

    /// The operation whose taking back takes `seq` back: itself, or what brought it back after an undo.
    pub(crate) fn top(&self, seq: i64) -> Result<i64> {
        if let Some(by) = self.undone_by(seq) {
            return Err(UndoError::AlreadyUndone { seq, by }.into());
        }
        let mut top = seq;
        while let Some(redo) = self.undos.get(&top).and_then(|undos| self.undos.get(undos.first()?)?.first()) {
            top = *redo;
        }
        Ok(top)
    }
}

/// Reads one operation by its number; none when there is no such operation, or when the view does not see all of it.
pub(crate) fn operation(snapshot: &dyn Snapshot, seq: i64) -> Result<Option<Operation>> {
    let query = JournalQuery {
        after: Some(seq.saturating_sub(1)),
        before: Some(seq.saturating_add(1)),
        ..JournalQuery::default()
    };
    Ok(snapshot.get_operations(&query)?.pop())
}

/// The operations that are undone together with `seq`: the run it belongs to, or itself.
pub(crate) fn members(snapshot: &dyn Snapshot, seq: i64) -> Result<Vec<i64>> {
    match operation(snapshot, seq)?.and_then(|operation| operation.links.run) {
        Some(run) => Ok(snapshot.get_run(&run)?),
        None => Ok(vec![seq]),
    }
}
