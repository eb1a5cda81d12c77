//! Edges between blocks that served together.

use std::collections::HashMap;

use crate::results::OutcomeResult;
use elfmem_core::edge::EDGE_REINFORCE_DELTA;
use elfmem_core::eviction::{DEGREE_CAP, eviction_candidate};
use elfmem_core::outcome::EDGE_WEIGHT_SCALE;
use elfmem_core::{BlockId, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Relation, Signal};
use elfmem_store::Transaction;

use crate::Result;
use crate::moment::Moment;

/// The edges at some blocks, as they are while new ones come and old ones go.
struct Around(HashMap<BlockId, Vec<Edge>>);

impl Around {
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

    /// An edge between two of the blocks. Each pair is asked about once, before anything is done to it.
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

/// Joins every two of the blocks, or makes the edge between them stronger.
pub(super) fn join(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    signal: Signal,
    ids: &[BlockId],
    result: &mut OutcomeResult,
) -> Result<()> {
    let mut around = Around::read(transaction, ids)?;
    for (at, a) in ids.iter().enumerate() {
        for b in &ids[at + 1..] {
            let Some(key) = EdgeKey::canonical(a, b) else { continue };
            if let Some(before) = around.edge(&key) {
                let mut edge = before.clone();
                edge.reinforce(signal.get() * EDGE_REINFORCE_DELTA, moment.hours);
                transaction.update_edge(&before, &edge)?;
                around.remove(&edge.key);
                around.add(&edge);
                result.edges_reinforced += 1;
                continue;
            }
            let mut edge = Edge::new(key, Relation::OUTCOME, EdgeOrigin::OUTCOME, moment.at);
            edge.weight = EdgeWeight::saturating(signal.get() * EDGE_WEIGHT_SCALE);
            let Some(giving_way) = room_for(&around, &edge) else {
                result.edges_at_cap += 1;
                continue;
            };
            for displaced in giving_way {
                transaction.remove_edge(&displaced)?;
                around.remove(&displaced.key);
                result.displaced_edges.push((&displaced).into());
            }
            transaction.insert_edge(&edge)?;
            around.add(&edge);
            result.outcome_edges_created += 1;
        }
    }
    Ok(())
}

/// The edges that give way to a new one, one at each end that is full; none when an end has only stronger or protected ones.
/// In a memory that has been dreamed of for a while most blocks are full of what is merely alike, and what served together
/// says more than that.
fn room_for(around: &Around, new: &Edge) -> Option<Vec<Edge>> {
    let mut giving_way = Vec::new();
    for end in [&new.key.from_id, &new.key.to_id] {
        let edges = around.at(end);
        if edges.len() >= DEGREE_CAP {
            let weakest = eviction_candidate(edges).filter(|edge| edge.weight < new.weight)?;
            giving_way.push(weakest.clone());
        }
    }
    Some(giving_way)
}
