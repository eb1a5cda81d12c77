//! The graph: edges and contradictions between blocks, and pairs on their way to becoming edges.

use std::collections::{BTreeSet, HashMap, HashSet};

use elfmem_core::curation::{CurationBlock, CurationEdge, CurationGraph};
use elfmem_core::{
    ActiveHours, BlockId, BlockStatus, Edge, EdgeKey, EdgeWeight, Relation, Session, SessionId, Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::blocks::visit_blocks;
use crate::rows::{
    RowKey, delete_recorded, each, get, insert_recorded, insert_unrecorded, list, missing, put_recorded, put_unrecorded,
};
use crate::{Internal, ReadBlocks, Result, Row, RowEdit, RowKind, RowQuery, StagedPair, WriteJournal};

/// Two blocks that cannot both hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contradiction {
    /// The smaller id.
    pub block_a_id: BlockId,
    /// The larger id.
    pub block_b_id: BlockId,
    /// How certain it is, in `[0, 1]`.
    pub score: f64,
    /// Whether it was resolved by keeping both blocks.
    pub resolved: bool,
    /// When it was detected.
    pub created_at: Timestamp,
    /// Why, in the judge's words.
    #[serde(default)]
    pub reason: Option<String>,
    /// The note of whoever resolved it.
    #[serde(default)]
    pub note: Option<String>,
}

impl Contradiction {
    /// Makes an unresolved contradiction between two blocks, in id order whichever way they are given; none when they are the same
    /// block.
    pub fn between(a: &BlockId, b: &BlockId, score: f64, created_at: Timestamp) -> Option<Self> {
        let EdgeKey { from_id, to_id } = EdgeKey::canonical(a, b)?;
        let score = score.clamp(0.0, 1.0);
        let (resolved, reason, note) = (false, None, None);
        Some(Self { block_a_id: from_id, block_b_id: to_id, score, resolved, created_at, reason, note })
    }

    /// The two blocks.
    pub fn key(&self) -> EdgeKey {
        EdgeKey { from_id: self.block_a_id.clone(), to_id: self.block_b_id.clone() }
    }

    /// The block that is not `id`.
    pub fn other(&self, id: &BlockId) -> &BlockId {
        if *id == self.block_a_id { &self.block_b_id } else { &self.block_a_id }
    }
}

/// Which contradictions to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContradictionFilter {
    /// Unresolved contradictions.
    Open,
    /// Unresolved and resolved contradictions.
    All,
}

/// A block as a node of the graph: what decides whether it may get another edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeState {
    /// Its status.
    pub status: BlockStatus,
    /// The number of its edges.
    pub degree: usize,
}

/// Reads edges and contradictions.
pub trait ReadGraph: ReadBlocks {
    /// Reads one edge.
    fn get_edge(&self, key: &EdgeKey) -> Result<Option<Edge>> {
        get(self, &RowKey::Edge(key.clone()))
    }

    /// Lists the edges of a block, the strongest first.
    fn get_edges_for_block(&self, id: &BlockId) -> Result<Vec<Edge>> {
        let mut edges: Vec<Edge> = list(self, Some(std::slice::from_ref(id)), |_| true)?;
        edges.sort_by(|a, b| b.weight.get().total_cmp(&a.weight.get()).then_with(|| a.key.cmp(&b.key)));
        Ok(edges)
    }

    /// Counts the edges of each of `ids`, which must be visible.
    fn get_degrees(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, usize>> {
        let mut degrees: HashMap<BlockId, usize> = ids.iter().map(|id| (id.clone(), 0)).collect();
        each(self, Some(ids), |edge: &Edge| {
            for end in [&edge.key.from_id, &edge.key.to_id] {
                if let Some(degree) = degrees.get_mut(end) {
                    *degree += 1;
                }
            }
        })?;
        Ok(degrees)
    }

    /// Reads the status and the number of edges of each of `ids`; blocks that do not exist are left out.
    fn get_node_states(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, NodeState>> {
        let degrees = self.get_degrees(ids)?;
        let state = |(id, status): (BlockId, BlockStatus)| {
            let degree = degrees.get(&id).copied().unwrap_or(0);
            (id, NodeState { status, degree })
        };
        Ok(self.get_statuses(ids)?.into_iter().map(state).collect())
    }

    /// Lists the blocks one edge away from any of `ids`, without those themselves, in id order.
    fn get_neighbours(&self, ids: &[BlockId]) -> Result<Vec<BlockId>> {
        let mut found = BTreeSet::new();
        each(self, Some(ids), |edge: &Edge| {
            found.extend([&edge.key.from_id, &edge.key.to_id].into_iter().filter(|id| !ids.contains(id)).cloned());
        })?;
        Ok(found.into_iter().collect())
    }

    /// Reads the active blocks and the edges between them, as curation needs them.
    fn get_living_graph(&self) -> Result<CurationGraph> {
        let mut blocks: Vec<CurationBlock> = Vec::new();
        visit_blocks(self, None, |block, _| {
            if block.status == BlockStatus::Active {
                blocks.push(CurationBlock {
                    id: block.id.clone(),
                    confidence: block.confidence,
                    decay_lambda: block.decay_lambda,
                    last_reinforced_at: block.last_reinforced_at,
                    reinforcement_count: block.reinforcement_count,
                    pinned: block.pinned,
                    constitutional: block.tags.iter().any(|tag| tag.as_str() == "self/constitutional"),
                });
            }
        })?;
        blocks.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        let places: HashMap<&BlockId, u32> = blocks.iter().map(|block| &block.id).zip(0..).collect();
        let mut edges = Vec::new();
        each(self, None, |edge: &Edge| {
            let (from, to) = (places.get(&edge.key.from_id), places.get(&edge.key.to_id));
            if let (Some(from), Some(to)) = (from.copied(), to.copied()) {
                edges.push(CurationEdge {
                    from,
                    to,
                    weight: edge.weight,
                    reinforcement_count: edge.reinforcement_count,
                    last_active_hours: edge.last_active_hours,
                    contradicts: edge.relation_type == Relation::CONTRADICTS,
                    machine_made: edge.is_machine_made(),
                });
            }
        })?;
        Ok(CurationGraph { blocks, edges })
    }

    /// Reads the contradiction between two blocks in id order, resolved or not.
    fn get_contradiction(&self, a: &BlockId, b: &BlockId) -> Result<Option<Contradiction>> {
        get(self, &RowKey::Contradiction(EdgeKey { from_id: a.clone(), to_id: b.clone() }))
    }

    /// Lists unresolved contradictions with any of `ids`, the oldest first.
    fn get_contradictions_for_blocks(&self, ids: &[BlockId]) -> Result<Vec<Contradiction>> {
        let mut found: Vec<Contradiction> = list(self, Some(ids), |found: &Contradiction| !found.resolved)?;
        found.sort_by_key(|found| found.created_at);
        Ok(found)
    }

    /// Lists contradictions of a block that were resolved by keeping both sides.
    fn get_settled_contradictions(&self, id: &BlockId) -> Result<Vec<Contradiction>> {
        list(self, Some(std::slice::from_ref(id)), |found: &Contradiction| found.resolved)
    }

    /// Lists contradictions, newest first. Those of the same time are sorted by their block ids.
    fn list_contradictions(&self, filter: ContradictionFilter) -> Result<Vec<Contradiction>> {
        let mut found: Vec<Contradiction> =
            list(self, None, |found: &Contradiction| filter == ContradictionFilter::All || !found.resolved)?;
        let pair = |found: &Contradiction| (found.block_a_id.clone(), found.block_b_id.clone());
        found.sort_by_cached_key(|found| (std::cmp::Reverse(found.created_at), pair(found)));
        Ok(found)
    }
}

/// Changes edges, contradictions and pairs.
pub trait WriteGraph: ReadGraph + WriteJournal {
    /// Stores an edge, replacing the one between the same two blocks.
    ///
    /// # Errors
    /// One of the blocks does not exist.
    fn put_edge(&mut self, edge: &Edge) -> Result<()> {
        put_recorded(self, &Row::Edge(edge.clone()))
    }

    /// Stores an edge unless there is one between the two blocks; whether it was stored.
    ///
    /// # Errors
    /// One of the blocks does not exist.
    fn insert_edge(&mut self, edge: &Edge) -> Result<bool> {
        insert_recorded(self, &Row::Edge(edge.clone()))
    }

    /// Replaces an edge that was read in this transaction, without reading it again.
    fn update_edge(&mut self, before: &Edge, after: &Edge) -> Result<()> {
        debug_assert_eq!(before.key, after.key, "an edge stays between its blocks");
        self.put_edge(after)
    }

    /// Removes an edge; whether there was one.
    fn delete_edge(&mut self, key: &EdgeKey) -> Result<bool> {
        delete_recorded(self, &RowKey::Edge(key.clone()))
    }

    /// Removes an edge that was read in this transaction, without reading it again.
    fn remove_edge(&mut self, edge: &Edge) -> Result<()> {
        self.delete_edge(&edge.key).map(drop)
    }

    /// Counts one more confirmation of each edge that exists, and sets its time of last use to `now`.
    fn reinforce_edges(&mut self, keys: &[EdgeKey], now: ActiveHours) -> Result<()> {
        for key in keys {
            if let Some(before) = self.get_edge(key)? {
                let mut edge = before.clone();
                edge.reinforcement_count = edge.reinforcement_count.saturating_add(1);
                edge.last_active_hours = Some(edge.last_active_hours.unwrap_or_default().later_of(now));
                self.update_edge(&before, &edge)?;
            }
        }
        Ok(())
    }

    /// Removes every edge whose weight is strictly below `threshold`; how many there were.
    fn prune_weak_edges(&mut self, threshold: EdgeWeight) -> Result<u64> {
        let weak: Vec<Edge> = list(self, None, |edge: &Edge| edge.weight < threshold)?;
        weak.iter().try_for_each(|edge| self.remove_edge(edge))?;
        Ok(weak.len() as u64)
    }

    /// Stores a contradiction, replacing the one between the same two blocks.
    fn put_contradiction(&mut self, contradiction: &Contradiction) -> Result<()> {
        put_recorded(self, &Row::Contradiction(contradiction.clone()))
    }

    /// Stores a contradiction unless the pair has one; whether it was stored.
    fn insert_contradiction(&mut self, contradiction: &Contradiction) -> Result<bool> {
        insert_recorded(self, &Row::Contradiction(contradiction.clone()))
    }

    /// Removes a contradiction.
    fn delete_contradiction(&mut self, contradiction: &Contradiction) -> Result<()> {
        delete_recorded(self, &RowKey::Contradiction(contradiction.key())).map(drop)
    }

    /// Marks a contradiction as resolved.
    ///
    /// # Errors
    /// [`StoreError::Missing`](crate::StoreError::Missing) when the pair has none.
    fn resolve_contradiction(&mut self, a: &BlockId, b: &BlockId) -> Result<()> {
        let found = self.get_contradiction(a, b)?;
        let mut contradiction = found.ok_or_else(|| missing("contradiction", format!("{a}:{b}")))?;
        contradiction.resolved = true;
        self.put_contradiction(&contradiction)
    }

    /// Counts that pairs of blocks were recalled together in a session, each session once; the number of sessions of each pair. This is
    /// not journaled.
    fn stage_co_retrieval(&mut self, pairs: &[EdgeKey], session: &SessionId) -> Result<Vec<(EdgeKey, u32)>> {
        let mut counts = Vec::with_capacity(pairs.len());
        for key in pairs {
            let known: Option<StagedPair> = get(self, &RowKey::Pair(key.clone()))?;
            let mut pair = known.unwrap_or_else(|| StagedPair { key: key.clone(), count: 0, sessions: Vec::new() });
            if !pair.sessions.contains(session) {
                pair.count = pair.count.saturating_add(1);
                pair.sessions.push(session.clone());
            }
            counts.push((key.clone(), pair.count));
            put_unrecorded(self, &Row::Pair(pair))?;
        }
        Ok(counts)
    }

    /// Removes the count of a pair. This is not journaled.
    fn unstage_co_retrieval(&mut self, pair: &EdgeKey) -> Result<()> {
        self.delete_row(&RowKey::Pair(pair.clone()), Internal(())).map(drop)
    }

    /// Removes counts of pairs, of every scope, all of whose sessions were last seen before `since`. Counts without sessions and
    /// those of unknown sessions stay. This is not journaled.
    ///
    /// Looks at pairs after `after` in the order of their keys, and may stop after `most` of them. Returns the last one if it
    /// stopped there, to go on from.
    fn forget_stale_pairs(&mut self, since: Timestamp, after: Option<&EdgeKey>, most: u32) -> Result<Option<EdgeKey>> {
        let _ = most;
        let over = list(self, None, |session: &Session| session.last_seen_at < since)?;
        let over: HashSet<SessionId> = over.into_iter().map(|session| session.id).collect();
        let stale = &mut |row: &mut Row| match row {
            Row::Pair(pair) if after.is_none_or(|after| pair.key > *after) && pair.is_stale(&over) => RowEdit::Remove,
            _ => RowEdit::Keep,
        };
        self.rewrite_rows(RowQuery::all(RowKind::Pair), stale, Internal(()))?;
        Ok(None)
    }

    /// Stores the count of a pair from another memory, unless the pair is counted here. This is not journaled.
    fn put_staged_pair(&mut self, pair: &StagedPair) -> Result<()> {
        insert_unrecorded(self, &Row::Pair(pair.clone())).map(drop)
    }
}
