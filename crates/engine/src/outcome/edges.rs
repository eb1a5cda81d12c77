//! Edges between the blocks of a good outcome.

use std::collections::HashMap;

use crate::connect::degree_cap;
use crate::results::OutcomeResult;
use elfmem_core::eviction::eviction_candidate;
use elfmem_core::outcome::EDGE_WEIGHT_SCALE;
use elfmem_core::{BlockId, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Relation, Signal};
use elfmem_store::Transaction;

use crate::Result;
use crate::moment::Moment;

/// A cache of the edges of some blocks, updated with every change.
struct EdgeCache(HashMap<BlockId, Vec<Edge>>);

impl EdgeCache {
    fn read(transaction: &dyn Transaction, ids: &[BlockId]) -> Result<Self> {
        let mut edges = HashMap::with_capacity(ids.len());
        for id in ids {
            edges.insert(id.clone(), transaction.get_edges_for_block(id)?);
        }
        Ok(Self(edges))
    }

    fn at(&self, id: &BlockId) -> &[Edge] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }

    /// Returns the edge between two cached blocks.
    fn edge(&self, key: &EdgeKey) -> Option<Edge> {
        self.at(&key.from_id).iter().find(|edge| edge.key == *key).cloned()
    }

    fn remove(&mut self, key: &EdgeKey) {
        for end in [&key.from_id, &key.to_id] {
            if let Some(edges) = self.0.get_mut(end) {
                edges.retain(|edge| edge.key != *key);
            }
        }
    }

    fn add(&mut self, edge: &Edge) {
        for end in [&edge.key.from_id, &edge.key.to_id] {
            if let Some(edges) = self.0.get_mut(end) {
                edges.push(edge.clone());
            }
        }
    }
}

/// Connects all pairs of blocks, or reinforces their existing edges.
pub(super) fn connect_pairs(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    signal: Signal,
    ids: &[BlockId],
    result: &mut OutcomeResult,
) -> Result<()> {
    let cap = degree_cap(&*transaction)?;
    let mut cache = EdgeCache::read(transaction, ids)?;
    for (at, a) in ids.iter().enumerate() {
        for b in &ids[at + 1..] {
            let Some(key) = EdgeKey::canonical(a, b) else { continue };
            if let Some(before) = cache.edge(&key) {
                let mut edge = before.clone();
                edge.reinforce(signal.get() * moment.edge_reinforce_delta, moment.hours);
                transaction.update_edge(&before, &edge)?;
                cache.remove(&edge.key);
                cache.add(&edge);
                result.edges_reinforced += 1;
                continue;
            }
            let mut edge = Edge::new(key, Relation::OUTCOME, EdgeOrigin::OUTCOME, moment.at);
            edge.weight = EdgeWeight::saturating(signal.get() * EDGE_WEIGHT_SCALE);
            let Some(evicted) = edges_to_evict(&cache, &edge, cap) else {
                result.edges_at_cap += 1;
                continue;
            };
            for displaced in evicted {
                transaction.remove_edge(&displaced)?;
                cache.remove(&displaced.key);
                result.displaced_edges.push((&displaced).into());
            }
            transaction.insert_edge(&edge)?;
            cache.add(&edge);
            result.outcome_edges_created += 1;
        }
    }
    Ok(())
}

/// Returns the edges to evict for a new edge, one at each end that is at the degree cap. Returns
/// `None` if an end has only stronger or protected edges. Eviction is needed because similarity
/// edges fill most blocks of a consolidated memory, and an outcome is stronger evidence than
/// similarity.
fn edges_to_evict(cache: &EdgeCache, new: &Edge, cap: usize) -> Option<Vec<Edge>> {
    let mut evicted = Vec::new();
    for end in [&new.key.from_id, &new.key.to_id] {
        let edges = cache.at(end);
        if edges.len() >= cap {
            let weakest = eviction_candidate(edges).filter(|edge| edge.weight < new.weight)?;
            evicted.push(weakest.clone());
        }
    }
    Some(evicted)
}
