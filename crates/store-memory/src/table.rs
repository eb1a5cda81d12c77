//! One table: the rows of one kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use elfmem_core::{Block, Scope};
use elfmem_store::{Row, RowKey, RowKind};
use elfmem_text::bm25::TermFields;

/// The key of a row in its table. The scope is the default one for kinds whose keys are unique in the store.
pub(crate) type TableKey = (RowKey, Scope);

/// Returns the key of a row that was written in a scope.
pub(crate) fn table_key(key: RowKey, scope: &Scope) -> TableKey {
    let scoped = matches!(key.kind(), RowKind::Context | RowKind::Enrolment | RowKind::Link);
    (key, if scoped { scope.clone() } else { Scope::DEFAULT })
}

/// A row as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// The row; a block without its vector, which most readers do not need.
    pub(crate) row: Arc<Row>,
    /// The vector of a block.
    vector: Option<Arc<[f32]>>,
    /// The scope it was written in.
    pub(crate) scope: Scope,
    /// Its rank in the order in which rows of its kind were stored. The number of a link or a proposal.
    pub(crate) position: i64,
    /// The terms of a block.
    pub(crate) terms: Option<Arc<TermFields>>,
}

impl Stored {
    /// Keeps a row; the terms of a block are computed here, once.
    pub(crate) fn new(mut row: Row, scope: Scope, position: i64) -> Self {
        let (vector, terms) = match &mut row {
            Row::Block(row) => (row.vector.take().map(Arc::from), Some(Arc::new(TermFields::of(&row.block)))),
            _ => (None, None),
        };
        Self { row: Arc::new(row), vector, scope, position, terms }
    }

    /// Keeps another state of the same row, with its scope and position. Terms are computed again only if the text changed.
    pub(crate) fn replaced_by(&self, mut row: Row) -> Self {
        match (&self.terms, &*self.row, &mut row) {
            (Some(terms), Row::Block(before), Row::Block(after)) if has_same_text(&before.block, &after.block) => {
                let (vector, terms) = (after.vector.take().map(Arc::from), Some(Arc::clone(terms)));
                Self { row: Arc::new(row), vector, scope: self.scope.clone(), position: self.position, terms }
            }
            _ => Self::new(row, self.scope.clone(), self.position),
        }
    }

    /// The position and the terms of a block.
    pub(crate) fn indexed(&self) -> Option<(i64, &Arc<TermFields>)> {
        Some((self.position, self.terms.as_ref()?))
    }

    /// The row with everything that belongs to it.
    pub(crate) fn whole(&self) -> Row {
        let mut row = Row::clone(&self.row);
        if let Row::Block(row) = &mut row {
            row.vector = self.vector.as_deref().map(<[f32]>::to_vec);
        }
        row
    }
}

fn has_same_text(before: &Block, after: &Block) -> bool {
    before.content == after.content && before.cue == after.cue && before.tags == after.tags
}

/// The rows of one kind, kept by position: most readers want them in the order in which they were stored.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowTable {
    rows: BTreeMap<i64, (TableKey, Stored)>,
    positions: BTreeMap<TableKey, i64>,
}

impl RowTable {
    pub(crate) fn get(&self, key: &TableKey) -> Option<&Stored> {
        self.at(*self.positions.get(key)?)
    }

    /// The row of a key, with the key as it is kept.
    pub(crate) fn entry(&self, key: &TableKey) -> Option<(&TableKey, &Stored)> {
        self.rows.get(self.positions.get(key)?).map(|(key, stored)| (key, stored))
    }

    /// Stores or removes a row; what was there.
    pub(crate) fn set(&mut self, key: TableKey, stored: Option<Stored>) -> Option<Stored> {
        let known = self.positions.get(&key).copied();
        let Some(stored) = stored else {
            self.positions.remove(&key);
            return self.rows.remove(&known?).map(|(_, before)| before);
        };
        let position = stored.position;
        if known == Some(position) {
            let (_, kept) = self.rows.get_mut(&position)?;
            return Some(std::mem::replace(kept, stored));
        }
        let before = known.and_then(|known| self.rows.remove(&known));
        self.positions.insert(key.clone(), position);
        self.rows.insert(position, (key, stored));
        before.map(|(_, before)| before)
    }

    pub(crate) fn contains_position(&self, position: i64) -> bool {
        self.rows.contains_key(&position)
    }

    /// The row at a position.
    pub(crate) fn at(&self, position: i64) -> Option<&Stored> {
        self.rows.get(&position).map(|(_, stored)| stored)
    }

    /// The rows in the order of their keys.
    pub(crate) fn by_key(&self) -> impl Iterator<Item = (&TableKey, &Stored)> {
        self.positions.values().filter_map(|position| self.rows.get(position)).map(|(key, stored)| (key, stored))
    }

    /// The rows in the order in which they were stored.
    pub(crate) fn by_position(&self) -> impl Iterator<Item = (&TableKey, &Stored)> {
        self.rows.values().map(|(key, stored)| (key, stored))
    }
}
