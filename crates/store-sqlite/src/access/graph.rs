//! Edges, contradictions and pairs.

use std::collections::HashMap;

use elfmem_core::curation::CurationGraph;
use elfmem_core::{BlockId, Edge, EdgeKey, EdgeWeight, SessionId, Timestamp};
use elfmem_store::{Contradiction, ContradictionFilter, Entity, NodeState, ReadGraph, WriteGraph};

use super::Result;
use crate::transaction::SqliteTransaction;
use crate::{co_retrieval, contradictions, curation, edges};

impl ReadGraph for SqliteTransaction<'_> {
    fn get_edge(&self, key: &EdgeKey) -> Result<Option<Edge>> {
        edges::get(self.connection, self.sight()?, key)
    }

    fn get_edges_for_block(&self, id: &BlockId) -> Result<Vec<Edge>> {
        edges::of_block(self.connection, self.sight()?, id)
    }

    fn get_degrees(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, usize>> {
        edges::degrees(self.connection, self.sight()?, ids)
    }

    fn get_node_states(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, NodeState>> {
        edges::node_states(self.connection, self.sight()?, ids)
    }

    fn get_neighbours(&self, ids: &[BlockId]) -> Result<Vec<BlockId>> {
        edges::neighbours(self.connection, self.sight()?, ids)
    }

    fn get_living_graph(&self) -> Result<CurationGraph> {
        curation::living_graph(self.connection, &self.scopes)
    }

    fn get_contradictions_for_blocks(&self, ids: &[BlockId]) -> Result<Vec<Contradiction>> {
        contradictions::unresolved_of(self.connection, &self.scopes, ids)
    }

    fn get_settled_contradictions(&self, id: &BlockId) -> Result<Vec<Contradiction>> {
        contradictions::settled_of(self.connection, &self.scopes, id)
    }

    fn list_contradictions(&self, filter: ContradictionFilter) -> Result<Vec<Contradiction>> {
        contradictions::list(self.connection, &self.scopes, filter)
    }
}

impl SqliteTransaction<'_> {
    fn record_edge(&mut self, before: Option<&Edge>, after: Option<&Edge>) {
        let Some(edge) = after.or(before) else { return };
        self.recorder.record(Entity::Edge, edge_name(&edge.key), before, after);
    }
}

/// The name of an edge in the journal.
fn edge_name(key: &EdgeKey) -> String {
    format!("{}:{}", key.from_id, key.to_id)
}

impl WriteGraph for SqliteTransaction<'_> {
    fn insert_edge(&mut self, edge: &Edge) -> Result<bool> {
        let inserted = edges::insert(self.connection, edge)?;
        if inserted {
            self.record_edge(None, Some(edge));
        }
        Ok(inserted)
    }

    fn update_edge(&mut self, before: &Edge, after: &Edge) -> Result<()> {
        edges::update(self.connection, after)?;
        self.record_edge(Some(before), Some(after));
        Ok(())
    }

    fn delete_edge(&mut self, key: &EdgeKey) -> Result<bool> {
        let Some(before) = edges::take(self.connection, self.sight()?, key)? else { return Ok(false) };
        self.record_edge(Some(&before), None);
        Ok(true)
    }

    fn remove_edge(&mut self, edge: &Edge) -> Result<()> {
        // An edge that is gone already is not recorded a second time.
        if edges::delete(self.connection, &edge.key)? {
            self.record_edge(Some(edge), None);
        }
        Ok(())
    }

    fn prune_weak_edges(&mut self, threshold: EdgeWeight) -> Result<u64> {
        let weak = edges::weaker_than(self.connection, self.sight()?, threshold)?;
        weak.iter().try_for_each(|edge| self.remove_edge(edge))?;
        Ok(weak.len() as u64)
    }

    fn stage_co_retrieval(&mut self, pairs: &[EdgeKey], session: &SessionId) -> Result<Vec<(EdgeKey, u32)>> {
        co_retrieval::stage(self.connection, pairs, session)
    }

    fn unstage_co_retrieval(&mut self, pair: &EdgeKey) -> Result<()> {
        co_retrieval::unstage(self.connection, pair)
    }

    fn forget_stale_pairs(&mut self, since: Timestamp, after: Option<&EdgeKey>, most: u32) -> Result<Option<EdgeKey>> {
        co_retrieval::forget_stale(self.connection, since, after, most)
    }
}
