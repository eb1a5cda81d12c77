//! Placing one edge: what must hold first, what happens to one that is there, what gives way to a new one.

use crate::results::{ConnectAction, ConnectResult, DisplacedEdge};
use elfmem_core::edge::EDGE_REINFORCE_DELTA;
use elfmem_core::eviction::{DEGREE_CAP, eviction_candidate};
use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, EdgeWeight};
use elfmem_store::{Snapshot, Transaction};

use super::spec::CheckedSpec;
use super::{ConnectError, IfExists};
use crate::memory::resolve_block;
use crate::moment::Moment;
use crate::{Error, Result};

/// Where blocks are noted that a connect left with one edge too many.
pub(crate) const BLOCKS_OVER_CAP: &str = "blocks_over_degree_cap";

/// Joins two blocks that were found alike and are asserted to be; nothing is written when that cannot be.
pub(crate) fn assert_alike(
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
        note: None,
        if_exists: IfExists::Error,
    };
    place(transaction, moment, &spec)
}

/// Places an edge. When it cannot be placed, nothing has been written.
pub(super) fn place(transaction: &mut dyn Transaction, moment: &Moment, spec: &CheckedSpec) -> Result<ConnectResult> {
    let ends = [named(transaction, &spec.source)?, named(transaction, &spec.target)?];
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

/// The block that is named, and its status; one that does not exist is not active either.
fn named(snapshot: &dyn Snapshot, text: &str) -> Result<(BlockId, BlockStatus)> {
    let missing = |id: &str| ConnectError::BlockNotActive { id: BlockId::from_stored(id), status: None };
    match resolve_block(snapshot, text) {
        Ok(Some(block)) => Ok((block.id, block.status)),
        Ok(None) => Err(missing(text).into()),
        Err(Error::UnknownBlock { id }) => Err(missing(&id).into()),
        Err(error) => Err(error),
    }
}

/// The answer for an edge as it is stored now.
fn answer(action: ConnectAction, source: &BlockId, target: &BlockId, edge: &Edge) -> ConnectResult {
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
        IfExists::Skip => Ok(answer(ConnectAction::Skipped, source, target, &edge)),
        IfExists::Update => {
            if let Some(relation) = &spec.relation {
                edge.relation_type = relation.clone();
                edge.asserted_from = Some(source.clone());
                // Whoever says what it means asserts it: it no longer fades, gives way or goes with a link, as what was only
                // found or stood for a link does.
                if edge.is_machine_made() || edge.origin == EdgeOrigin::LINK {
                    edge.origin = EdgeOrigin::AGENT;
                }
            }
            edge.weight = spec.weight.unwrap_or(edge.weight);
            edge.note = spec.note.clone().or(edge.note);
            edge.touch(moment.hours);
            transaction.put_edge(&edge)?;
            Ok(answer(ConnectAction::Updated, source, target, &edge))
        }
        IfExists::Reinforce => {
            edge.reinforce(EDGE_REINFORCE_DELTA, moment.hours);
            transaction.put_edge(&edge)?;
            let mut result = answer(ConnectAction::Reinforced, source, target, &edge);
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
    let mut result = answer(ConnectAction::Created, source, target, &edge);
    (result.displaced_edge, result.also_displaced) = (room.displaced, room.also_displaced);
    if let Some(id) = room.over_cap {
        note_over_cap(transaction, &id)?;
        result.over_cap = Some(id);
    }
    Ok(result)
}

/// What a new edge finds at its ends.
#[derive(Default)]
struct Room {
    displaced: Option<DisplacedEdge>,
    also_displaced: Option<DisplacedEdge>,
    over_cap: Option<BlockId>,
}

/// Makes room for a new edge at the first end that is full, in canonical order (seed 000: one edge gives way, not two). An
/// other end that is full too gets one edge too many for a while; one that has one too many already loses that first, so that
/// no block is ever two over.
fn make_room(transaction: &mut dyn Transaction, key: &EdgeKey) -> Result<Room> {
    let ends = [key.from_id.clone(), key.to_id.clone()];
    let degrees = transaction.get_degrees(&ends)?;
    let degree = |id: &BlockId| degrees.get(id).copied().unwrap_or(0);
    let mut full = ends.iter().filter(|id| degree(id) >= DEGREE_CAP);
    let Some(first) = full.next() else { return Ok(Room::default()) };
    let other = full.next();
    let displaced = giving_way(transaction, first)?;
    let also = other.filter(|id| degree(id) > DEGREE_CAP).map(|id| giving_way(transaction, id)).transpose()?;
    for edge in also.iter().chain([&displaced]) {
        transaction.remove_edge(edge)?;
    }
    let also_displaced = also.as_ref().map(DisplacedEdge::from);
    Ok(Room { displaced: Some((&displaced).into()), also_displaced, over_cap: other.cloned() })
}

/// The edge of a full block that gives way first.
fn giving_way(transaction: &dyn Transaction, id: &BlockId) -> Result<Edge> {
    let edges = transaction.get_edges_for_block(id)?;
    let limit = || ConnectError::DegreeLimit { id: id.clone(), cap: DEGREE_CAP };
    Ok(eviction_candidate(&edges).cloned().ok_or_else(limit)?)
}

/// Notes a block that has too many edges, so that the next dream or curate relieves it.
pub(crate) fn note_over_cap(transaction: &mut dyn Transaction, id: &BlockId) -> Result<()> {
    let mut noted = blocks_over_cap(transaction)?;
    if !noted.contains(id) {
        noted.push(id.clone());
    }
    store_blocks_over_cap(transaction, &noted)
}

/// A list that cannot be read is empty: it only says where to look.
fn blocks_over_cap(snapshot: &dyn Snapshot) -> Result<Vec<BlockId>> {
    let stored = snapshot.get_scope_config(BLOCKS_OVER_CAP)?;
    Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

/// Whether a connect left a block with one edge too many.
pub(crate) fn has_blocks_over_cap(snapshot: &dyn Snapshot) -> Result<bool> {
    Ok(!blocks_over_cap(snapshot)?.is_empty())
}

fn store_blocks_over_cap(transaction: &mut dyn Transaction, ids: &[BlockId]) -> Result<()> {
    let json = serde_json::to_string(ids).unwrap_or_else(|_| "[]".to_owned());
    Ok(transaction.set_scope_config(BLOCKS_OVER_CAP, &json)?)
}

/// Takes from every block that has too many edges the ones that give way first; which those were. A block whose edges are
/// all protected keeps them, and is looked at again next time.
pub(crate) fn relieve_blocks_over_cap(transaction: &mut dyn Transaction) -> Result<Vec<EdgeKey>> {
    let noted = blocks_over_cap(transaction)?;
    if noted.is_empty() {
        return Ok(Vec::new());
    }
    let (mut taken, mut left) = (Vec::new(), Vec::new());
    for id in noted {
        let mut edges = transaction.get_edges_for_block(&id)?;
        while edges.len() > DEGREE_CAP {
            let Some(key) = eviction_candidate(&edges).map(|edge| edge.key.clone()) else {
                left.push(id);
                break;
            };
            transaction.delete_edge(&key)?;
            edges.retain(|edge| edge.key != key);
            taken.push(key);
        }
    }
    store_blocks_over_cap(transaction, &left)?;
    Ok(taken)
}
