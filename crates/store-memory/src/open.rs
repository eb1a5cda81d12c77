//! Reading a state within a view.

use std::collections::BTreeSet;
use std::ops::Deref;

use elfmem_core::{Block, BlockId, BlockStatus, Scope, ScopeView};
use elfmem_store::{
    IndexFeed, Internal, JournalVisitor, ReadBlocks, ReadEvents, ReadEvidence, ReadGraph, ReadJournal, ReadProposals,
    ReadRows, ReadSettings, ReadVectors, Recorder, Row, RowKey, RowKind, RowQuery, RowVisitor, VectorVisitor, Vectors,
    split_scope_key,
};

use crate::Result;
use crate::state::State;
use crate::table::{Stored, TableKey, table_key};

/// A state that a view reads, and changes if `S` is [`Working`](crate::state::Working).
pub(crate) struct Open<S> {
    pub(crate) state: S,
    pub(crate) view: ScopeView,
    pub(crate) recorder: Recorder,
}

impl<S: Deref<Target = State>> Open<S> {
    pub(crate) fn new(state: S, view: &ScopeView) -> Self {
        Self { state, view: view.clone(), recorder: Recorder::default() }
    }

    /// Whether the view sees a row.
    pub(crate) fn sees(&self, stored: &Stored) -> bool {
        let in_scope = match &*stored.row {
            Row::Block(row) => return self.view.sees(&row.block.scope),
            Row::Setting(setting) => split_scope_key(&setting.key).1.is_none_or(|scope| self.view.sees(&scope)),
            row => !row.kind().has_scope() || self.view.sees(&stored.scope),
        };
        in_scope && stored.row.blocks().all(|block| self.sees_block(block))
    }

    fn sees_block(&self, id: &BlockId) -> bool {
        self.block_scope(id).is_some_and(|scope| self.view.sees(scope))
    }

    /// The scope of a block, whether or not the view sees it.
    pub(crate) fn block_scope(&self, id: &BlockId) -> Option<&Scope> {
        match &*self.state.get(&table_key(RowKey::Block(id.clone()), &Scope::DEFAULT))?.row {
            Row::Block(row) => Some(&row.block.scope),
            _ => None,
        }
    }

    /// The visible row of a key that was stored first.
    pub(crate) fn find(&self, key: &RowKey) -> Option<&Stored> {
        let scopes = self.view.visible().map(|scope| table_key(key.clone(), scope)).collect::<BTreeSet<TableKey>>();
        let found = scopes.iter().filter_map(|key| self.state.get(key)).filter(|stored| self.sees(stored));
        found.min_by_key(|stored| stored.position)
    }

    /// The rows that a query selects, in the order that [`ReadRows::scan_rows`] promises.
    pub(crate) fn select(&self, query: RowQuery<'_>) -> Vec<(&TableKey, &Stored)> {
        let Some(table) = self.state.table(query.kind) else { return Vec::new() };
        let mut found: Vec<(&TableKey, &Stored)> = match (query.kind, query.blocks) {
            (RowKind::Block, Some(ids)) => {
                let keys = ids.iter().map(|id| table_key(RowKey::Block(id.clone()), &Scope::DEFAULT));
                keys.filter_map(|key| table.entry(&key)).collect()
            }
            (kind, Some(ids)) => {
                let keys: BTreeSet<&TableKey> = ids.iter().flat_map(|id| self.state.attached_to(id)).collect();
                keys.into_iter().filter(|key| key.0.kind() == kind).filter_map(|key| table.entry(key)).collect()
            }
            (kind, None) if is_ordered_by_position(kind) => table.by_position().collect(),
            (_, None) => table.by_key().collect(),
        };
        if query.blocks.is_some() && query.kind != RowKind::Block && is_ordered_by_position(query.kind) {
            found.sort_by_key(|(_, stored)| stored.position);
        }
        if query.kind == RowKind::Effect {
            found.sort_by_key(|(_, stored)| match &*stored.row {
                Row::Effect(effect) => Some((effect.block_id.clone(), effect.sequence)),
                _ => None,
            });
        }
        if !query.spans_scopes() {
            found.retain(|(_, stored)| self.sees(stored));
        }
        found
    }
}

fn is_ordered_by_position(kind: RowKind) -> bool {
    use RowKind::{Block, Contradiction, Event, Link, Outcome, Proposal, Session, Tombstone};
    matches!(kind, Block | Contradiction | Event | Link | Outcome | Proposal | Session | Tombstone)
}

impl<S: Deref<Target = State>> ReadRows for Open<S> {
    fn view(&self) -> &ScopeView {
        &self.view
    }

    fn get_row(&self, key: &RowKey) -> Result<Option<Row>> {
        Ok(self.find(key).map(Stored::whole))
    }

    fn scan_rows(&self, query: RowQuery<'_>, visit: RowVisitor<'_>) -> Result<()> {
        for (_, stored) in self.select(query) {
            let flow = match query.kind == RowKind::Block && query.vectors == Vectors::Include {
                true => visit(&stored.whole(), stored.position),
                false => visit(&stored.row, stored.position),
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl<S: Deref<Target = State>> ReadJournal for Open<S> {
    fn scan_journal(&self, after: i64, visit: JournalVisitor<'_>, _: Internal) -> Result<()> {
        for record in self.state.journal.iter().rev().take_while(|record| record.seq > after) {
            if visit(record).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl<S: Deref<Target = State>> ReadVectors for Open<S> {
    fn scan_staged_vectors(&self, model: &str, visit: VectorVisitor<'_>) -> Result<()> {
        for ((_, id), vector) in self.state.staged.iter().filter(|((staged, _), _)| staged == model) {
            visit(id, vector);
        }
        Ok(())
    }
}

impl<S: Deref<Target = State>> ReadBlocks for Open<S> {
    fn get_block(&self, id: &BlockId) -> Result<Option<Block>> {
        Ok(self.find(&RowKey::Block(id.clone())).and_then(|stored| match &*stored.row {
            Row::Block(row) => Some(row.block.clone()),
            _ => None,
        }))
    }

    fn block_exists(&self, id: &BlockId) -> Result<bool> {
        Ok(self.sees_block(id))
    }
}

impl<S: Deref<Target = State>> IndexFeed for Open<S> {
    fn get_postings(&self, term: &str) -> Result<Vec<(BlockId, [u32; 3])>> {
        let Some(blocks) = self.state.table(RowKind::Block) else { return Ok(Vec::new()) };
        let found = self.state.postings.get(term).filter_map(|(position, counts)| {
            let stored = blocks.at(position).filter(|stored| self.sees(stored))?;
            match &*stored.row {
                Row::Block(row) if row.block.status != BlockStatus::Archived => Some((row.block.id.clone(), counts)),
                _ => None,
            }
        });
        Ok(found.collect())
    }
}

impl<S: Deref<Target = State>> ReadGraph for Open<S> {}
impl<S: Deref<Target = State>> ReadEvidence for Open<S> {}
impl<S: Deref<Target = State>> ReadEvents for Open<S> {}
impl<S: Deref<Target = State>> ReadProposals for Open<S> {}
impl<S: Deref<Target = State>> ReadSettings for Open<S> {}
