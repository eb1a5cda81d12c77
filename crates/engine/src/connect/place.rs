//! Creates or changes one edge: preconditions, existing edges, and eviction at the degree cap.

use crate::results::{ConnectAction, ConnectResult, DisplacedEdge};
use elfmem_core::eviction::eviction_candidate;
use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, EdgeWeight, TrustPolicy};
use elfmem_store::{Snapshot, Transaction};

use super::cap::degree_cap;
use super::spec::CheckedSpec;
use super::{ConnectError, IfExists};
use crate::dream::Promotion;
use crate::memory::{refuse_untrusted_redirect, resolve_block};
use crate::moment::Moment;
use crate::{Error, Result};

/// The setting with the ids of blocks that `connect` left with one edge above the degree cap.
pub(crate) const BLOCKS_OVER_CAP: &str = "blocks_over_degree_cap";

/// Connects two similar blocks with an asserted `similar` edge. On an error, nothing is written.
pub(crate) fn connect_similar(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    ends: [&BlockId; 2],
    weight: EdgeWeight,
) -> Result<ConnectResult> {
    let spec = CheckedSpec {
        source: ends[0].to_string(),
        target: ends[1].to_string(),
        relation: None,
        weight: Some(weight),
        clamped_weight: None,
        note: None,
        if_exists: IfExists::Error,
    };
    place(transaction, moment, &spec)
}

/// Creates an edge like [`place`], after promoting those of its ends that wait in the inbox.
pub(super) fn place_promoting(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    spec: &CheckedSpec,
    promotion: &Promotion,
) -> Result<ConnectResult> {
    let ends = [
        resolve_end(transaction, &moment.trust, &spec.source)?,
        resolve_end(transaction, &moment.trust, &spec.target)?,
    ];
    let placeable = |(_, status): &(BlockId, BlockStatus)| *status != BlockStatus::Archived;
    // What cannot be placed anyway promotes nothing.
    let promoted = match ends[0].0 != ends[1].0 && ends.iter().all(placeable) {
        true => promotion.commit(transaction, moment, |_, id| Ok(ends.iter().any(|(end, _)| end == id)))?,
        false => Vec::new(),
    };
    Ok(ConnectResult { promoted, clamped_weight: spec.clamped_weight, ..place(transaction, moment, spec)? })
}

/// Creates an edge, or changes the existing one. On an error, nothing is written.
pub(super) fn place(transaction: &mut dyn Transaction, moment: &Moment, spec: &CheckedSpec) -> Result<ConnectResult> {
    let ends = [
        resolve_end(transaction, &moment.trust, &spec.source)?,
        resolve_end(transaction, &moment.trust, &spec.target)?,
    ];
    let [source, target] = [&ends[0].0, &ends[1].0];
    let Some(key) = EdgeKey::canonical(source, target) else {
        return Err(ConnectError::SelfLoop { id: source.clone() }.into());
    };
    for (id, status) in &ends {
        if *status != BlockStatus::Active {
            return Err(ConnectError::BlockNotActive { id: id.clone(), status: Some(*status) }.into());
        }
    }
    match transaction.get_edge(&key)? {
        Some(edge) => change_existing(transaction, moment, spec, source, target, edge),
        None => create(transaction, moment, spec, key, source, target),
    }
}

/// Resolves an id to a block and its status. A missing block is reported as not active.
fn resolve_end(snapshot: &dyn Snapshot, trust: &TrustPolicy, text: &str) -> Result<(BlockId, BlockStatus)> {
    let missing = |id: &str| ConnectError::BlockNotActive { id: BlockId::from_stored(id), status: None };
    match resolve_block(snapshot, text) {
        Ok(Some(block)) => {
            refuse_untrusted_redirect(snapshot, trust, text, &block.id)?;
            Ok((block.id, block.status))
        }
        Ok(None) => Err(missing(text).into()),
        Err(Error::UnknownBlock { id }) => Err(missing(&id).into()),
        Err(error) => Err(error),
    }
}

/// Returns the result for an edge.
fn result_for(action: ConnectAction, source: &BlockId, target: &BlockId, edge: &Edge) -> ConnectResult {
    ConnectResult {
        source_id: source.clone(),
        target_id: target.clone(),
        relation: edge.relation_type.clone(),
        weight: edge.weight,
        action,
        note: edge.note.clone(),
        displaced_edge: None,
        also_displaced: None,
        relation_conflict: None,
        not_applied: Vec::new(),
        over_cap: None,
        clamped_weight: None,
        promoted: Vec::new(),
    }
}

fn change_existing(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    spec: &CheckedSpec,
    source: &BlockId,
    target: &BlockId,
    mut edge: Edge,
) -> Result<ConnectResult> {
    match spec.if_exists {
        IfExists::Error => Err(ConnectError::EdgeExists { key: edge.key }.into()),
        IfExists::Skip => Ok(result_for(ConnectAction::Skipped, source, target, &edge)),
        IfExists::Update => {
            if let Some(relation) = &spec.relation {
                edge.relation_type = relation.clone();
                edge.asserted_from = Some(source.clone());
                // An edge with an explicit relation is an assertion: it is protected from decay,
                // eviction and the removal of a link.
                if edge.is_machine_made() || edge.origin == EdgeOrigin::LINK {
                    edge.origin = EdgeOrigin::AGENT;
                }
            }
            edge.weight = spec.weight.unwrap_or(edge.weight);
            edge.note = spec.note.clone().or(edge.note);
            edge.touch(moment.hours);
            transaction.put_edge(&edge)?;
            Ok(result_for(ConnectAction::Updated, source, target, &edge))
        }
        IfExists::Reinforce => {
            edge.reinforce(moment.edge_reinforce_delta, moment.hours);
            transaction.put_edge(&edge)?;
            let mut result = result_for(ConnectAction::Reinforced, source, target, &edge);
            result.relation_conflict = spec.relation.clone().filter(|asked| *asked != edge.relation_type);
            if spec.weight.is_some() {
                result.not_applied.push("weight".to_owned());
            }
            if spec.note.is_some() && spec.note != edge.note {
                result.not_applied.push("note".to_owned());
            }
            Ok(result)
        }
    }
}

fn create(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    spec: &CheckedSpec,
    key: EdgeKey,
    source: &BlockId,
    target: &BlockId,
) -> Result<ConnectResult> {
    let room = make_room(transaction, &key)?;
    let mut edge = Edge::new(key, spec.relation.clone().unwrap_or_default(), EdgeOrigin::AGENT, moment.at);
    edge.weight = spec.weight.unwrap_or(edge.weight);
    edge.note = spec.note.clone();
    edge.last_active_hours = Some(moment.hours);
    edge.asserted_from = Some(source.clone());
    transaction.insert_edge(&edge)?;
    let mut result = result_for(ConnectAction::Created, source, target, &edge);
    (result.displaced_edge, result.also_displaced) = (room.displaced, room.also_displaced);
    if let Some(id) = room.over_cap {
        record_over_cap(transaction, &id)?;
        result.over_cap = Some(id);
    }
    Ok(result)
}

/// The edges evicted for a new edge, and the end that stays above the degree cap.
#[derive(Default)]
struct Evictions {
    displaced: Option<DisplacedEdge>,
    also_displaced: Option<DisplacedEdge>,
    over_cap: Option<BlockId>,
}

/// Evicts an edge at the first end, in canonical order, that is at the degree cap (seed 000: one
/// edge, not two). If the other end is at the cap too, it temporarily exceeds it by one. If it
/// exceeds it already, an edge is evicted there as well, so that no block exceeds the cap by two.
fn make_room(transaction: &mut dyn Transaction, key: &EdgeKey) -> Result<Evictions> {
    let ends = [key.from_id.clone(), key.to_id.clone()];
    let cap = degree_cap(&*transaction)?;
    let degrees = transaction.get_degrees(&ends)?;
    let degree = |id: &BlockId| degrees.get(id).copied().unwrap_or(0);
    let mut full = ends.iter().filter(|id| degree(id) >= cap);
    let Some(first) = full.next() else { return Ok(Evictions::default()) };
    let other = full.next();
    let displaced = edge_to_evict(transaction, first, cap)?;
    let also = other.filter(|id| degree(id) > cap).map(|id| edge_to_evict(transaction, id, cap)).transpose()?;
    for edge in also.iter().chain([&displaced]) {
        transaction.remove_edge(edge)?;
    }
    let also_displaced = also.as_ref().map(DisplacedEdge::from);
    Ok(Evictions { displaced: Some((&displaced).into()), also_displaced, over_cap: other.cloned() })
}

/// Returns the edge to evict at a block. Fails if all its edges are protected.
fn edge_to_evict(transaction: &dyn Transaction, id: &BlockId, cap: usize) -> Result<Edge> {
    let edges = transaction.get_edges_for_block(id)?;
    let limit = || ConnectError::DegreeLimit { id: id.clone(), cap };
    Ok(eviction_candidate(&edges).cloned().ok_or_else(limit)?)
}

/// Records a block above the degree cap, so that the next dream or curate trims its edges.
pub(crate) fn record_over_cap(transaction: &mut dyn Transaction, id: &BlockId) -> Result<()> {
    let mut noted = blocks_over_cap(transaction)?;
    if !noted.contains(id) {
        noted.push(id.clone());
    }
    store_blocks_over_cap(transaction, &noted)
}

/// Returns the recorded blocks above the degree cap. An unreadable list counts as empty.
fn blocks_over_cap(snapshot: &dyn Snapshot) -> Result<Vec<BlockId>> {
    let stored = snapshot.get_scope_config(BLOCKS_OVER_CAP)?;
    Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

/// Returns true if a block above the degree cap is recorded.
pub(crate) fn has_blocks_over_cap(snapshot: &dyn Snapshot) -> Result<bool> {
    Ok(!blocks_over_cap(snapshot)?.is_empty())
}

fn store_blocks_over_cap(transaction: &mut dyn Transaction, ids: &[BlockId]) -> Result<()> {
    let json = serde_json::to_string(ids).unwrap_or_else(|_| "[]".to_owned());
    Ok(transaction.set_scope_config(BLOCKS_OVER_CAP, &json)?)
}

/// Evicts edges of the recorded blocks down to the degree cap, and returns their keys. A block
/// whose edges are all protected stays recorded.
pub(crate) fn trim_blocks_over_cap(transaction: &mut dyn Transaction) -> Result<Vec<EdgeKey>> {
    let noted = blocks_over_cap(transaction)?;
    if noted.is_empty() {
        return Ok(Vec::new());
    }
    let cap = degree_cap(&*transaction)?;
    let (mut evicted, mut left) = (Vec::new(), Vec::new());
    for id in noted {
        let mut edges = transaction.get_edges_for_block(&id)?;
        while edges.len() > cap {
            let Some(key) = eviction_candidate(&edges).map(|edge| edge.key.clone()) else {
                left.push(id);
                break;
            };
            transaction.delete_edge(&key)?;
            edges.retain(|edge| edge.key != key);
            evicted.push(key);
        }
    }
    store_blocks_over_cap(transaction, &left)?;
    Ok(evicted)
}
