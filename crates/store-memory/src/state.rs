//! Everything that a store holds, and how a transaction takes its changes back.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::Arc;

use elfmem_core::BlockId;
use elfmem_store::{JournalRecord, RowKind};

use crate::postings::TermPostings;
use crate::table::{RowTable, Stored, TableKey};

/// Numbers that only grow. A transaction that fails gives them back.
#[derive(Debug, Clone, Copy, Default)]
struct Counters {
    position: i64,
    link: i64,
    proposal: i64,
}

/// Everything that a store holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// Shared with snapshots: a writer copies a table before it changes it.
    tables: BTreeMap<RowKind, Arc<RowTable>>,
    /// The rows that belong to each block, the block itself left out.
    attached: Arc<HashMap<BlockId, BTreeSet<TableKey>>>,
    /// The terms of all blocks.
    pub(crate) postings: Arc<TermPostings>,
    /// Operations in the order they ran.
    pub(crate) journal: Vec<Arc<JournalRecord>>,
    /// Staged vectors by model and block.
    pub(crate) staged: BTreeMap<(String, BlockId), Vec<f32>>,
    counters: Counters,
}

impl State {
    /// The table of a kind; none when it has no rows.
    pub(crate) fn table(&self, kind: RowKind) -> Option<&RowTable> {
        self.tables.get(&kind).map(Arc::as_ref)
    }

    pub(crate) fn get(&self, key: &TableKey) -> Option<&Stored> {
        self.table(key.0.kind())?.get(key)
    }

    /// The rows that belong to a block.
    pub(crate) fn attached_to(&self, block: &BlockId) -> impl Iterator<Item = &TableKey> {
        self.attached.get(block).into_iter().flatten()
    }

    /// Stores or removes a row and keeps track of what belongs to which block; what was there.
    fn set(&mut self, key: &TableKey, stored: Option<Stored>) -> Option<Stored> {
        let after = stored.clone();
        let table = Arc::make_mut(self.tables.entry(key.0.kind()).or_default());
        let before = table.set(key.clone(), stored);
        match key.0.kind() {
            RowKind::Block => self.index(before.as_ref(), after.as_ref()),
            _ => self.attach(key, before.as_ref(), after.as_ref()),
        }
        before
    }

    /// Keeps track of the blocks that a changed row belongs to.
    fn attach(&mut self, key: &TableKey, before: Option<&Stored>, after: Option<&Stored>) {
        let blocks = |stored: Option<&Stored>| -> Vec<BlockId> {
            stored.into_iter().flat_map(|stored| stored.row.blocks()).cloned().collect()
        };
        let (before, after) = (blocks(before), blocks(after));
        if before == after {
            return;
        }
        let attached = Arc::make_mut(&mut self.attached);
        for block in before.iter().filter(|block| !after.contains(block)) {
            if let Some(keys) = attached.get_mut(block) {
                keys.remove(key);
                if keys.is_empty() {
                    attached.remove(block);
                }
            }
        }
        for block in after {
            attached.entry(block).or_default().insert(key.clone());
        }
    }

    /// Indexes the terms of a changed block.
    fn index(&mut self, before: Option<&Stored>, after: Option<&Stored>) {
        let (before, after) = (before.and_then(Stored::indexed), after.and_then(Stored::indexed));
        if let (Some((at, before)), Some((position, after))) = (before, after)
            && at == position
            && Arc::ptr_eq(before, after)
        {
            return;
        }
        let postings = Arc::make_mut(&mut self.postings);
        if let Some((position, terms)) = before {
            postings.remove(position, terms);
        }
        if let Some((position, terms)) = after {
            postings.add(position, terms);
        }
    }

    /// The rows of all kinds.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&TableKey, &Stored)> {
        self.tables.values().flat_map(|table| table.by_key())
    }

    /// Builds everything derived again from the rows; whether it differed.
    pub(crate) fn rebuild(&mut self) -> bool {
        let mut fresh = Self { journal: self.journal.clone(), staged: self.staged.clone(), ..Self::default() };
        fresh.counters = self.counters;
        for (key, stored) in self.rows() {
            fresh.set(key, Some(Stored::new(stored.whole(), stored.scope.clone(), stored.position)));
        }
        let differs = fresh.attached != self.attached
            || fresh.postings != self.postings
            || self.rows().any(|(key, stored)| {
                let terms = |stored: &Stored| stored.terms.as_ref().map(|terms| format!("{terms:?}"));
                fresh.get(key).is_none_or(|fresh| terms(fresh) != terms(stored))
            });
        *self = fresh;
        differs
    }
}

/// A change, as it is taken back.
enum RollbackStep {
    Row(TableKey, Option<Stored>),
    Journal(Vec<Arc<JournalRecord>>),
    Staged((String, BlockId), Option<Vec<f32>>),
}

/// A state that is being changed. Dropping it takes all changes back, unless they were [kept](Self::keep).
pub(crate) struct Working<'a> {
    state: &'a mut State,
    undo: Vec<RollbackStep>,
    counters: Counters,
}

impl<'a> Working<'a> {
    pub(crate) fn new(state: &'a mut State) -> Self {
        let counters = state.counters;
        Self { state, undo: Vec::new(), counters }
    }

    /// Keeps the changes, and appends the operation that they are to the journal.
    pub(crate) fn keep(mut self, operation: Option<JournalRecord>) {
        self.state.journal.extend(operation.map(Arc::new));
        self.undo.clear();
        self.counters = self.state.counters;
    }

    /// Stores or removes a row; what was there.
    pub(crate) fn set(&mut self, key: &TableKey, stored: Option<Stored>) -> Option<Stored> {
        let before = self.state.set(key, stored);
        self.undo.push(RollbackStep::Row(key.clone(), before.clone()));
        before
    }

    /// Returns the position of a new row.
    pub(crate) fn next_position(&mut self) -> i64 {
        self.state.counters.position += 1;
        self.state.counters.position
    }

    /// Returns a number for a new link or proposal.
    pub(crate) fn next_number(&mut self, kind: RowKind) -> i64 {
        let counter = self.counter(kind);
        *counter += 1;
        *counter
    }

    /// Makes sure that a number is not given again.
    pub(crate) fn take_number(&mut self, kind: RowKind, number: i64) {
        let counter = self.counter(kind);
        *counter = number.max(*counter);
    }

    fn counter(&mut self, kind: RowKind) -> &mut i64 {
        match kind {
            RowKind::Link => &mut self.state.counters.link,
            _ => &mut self.state.counters.proposal,
        }
    }

    /// Replaces the journal.
    pub(crate) fn set_journal(&mut self, journal: Vec<Arc<JournalRecord>>) {
        let before = std::mem::replace(&mut self.state.journal, journal);
        self.undo.push(RollbackStep::Journal(before));
    }

    /// Stages a vector, or removes a staged one.
    pub(crate) fn set_staged(&mut self, key: (String, BlockId), vector: Option<Vec<f32>>) {
        let before = match vector {
            Some(vector) => self.state.staged.insert(key.clone(), vector),
            None => self.state.staged.remove(&key),
        };
        self.undo.push(RollbackStep::Staged(key, before));
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        while let Some(undo) = self.undo.pop() {
            match undo {
                RollbackStep::Row(key, before) => _ = self.state.set(&key, before),
                RollbackStep::Journal(before) => self.state.journal = before,
                RollbackStep::Staged(key, Some(before)) => _ = self.state.staged.insert(key, before),
                RollbackStep::Staged(key, None) => _ = self.state.staged.remove(&key),
            }
        }
        self.state.counters = self.counters;
    }
}

impl Deref for Working<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        self.state
    }
}
