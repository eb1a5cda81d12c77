//! Putting rows back, each only if it is as the operation left it.

use std::collections::BTreeSet;

use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{Block, BlockId, BlockStatus, Edge, EdgeKey, Frame, OutcomeRecord, time};
use elfmem_store::{Contradiction, Entity, Proposal, REMOVED_VECTOR, StoreError, Transaction, vector_from_text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::depend::{LaterEdges, named};
use super::error::UndoError;
use super::net::{Net, Nets, counts_uses};
use super::standing::operation;
use super::told;
use crate::Result;
use crate::connect::record_over_cap;
use crate::models::MODEL_LOCK;
use crate::moment::Moment;

/// Takes back what an operation did; how many rows changed by that. What it made goes first at the rim (edges,
/// contradictions, proposals, links), then the blocks are put right, then what it had removed comes back.
pub(crate) fn apply(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    seq: i64,
    nets: &Nets,
    later_edges: &LaterEdges,
) -> Result<usize> {
    let mut changed = 0;
    let alive = || nets.iter().filter(|net| !net.purged);
    let is_rim = |net: &&Net| net.entity != Entity::Block;
    let made = |net: &&Net| net.before.is_none();
    for net in alive().filter(is_rim).filter(made) {
        remove(transaction, seq, net)?;
        changed += 1;
    }
    for net in alive().filter(|net| net.entity == Entity::Block && net.before.is_some()) {
        changed += usize::from(put_block_back(transaction, seq, net)?);
    }
    for net in alive().filter(|net| net.entity == Entity::Block && net.before.is_none()) {
        remove(transaction, seq, net)?;
        changed += 1;
    }
    let ends = alive().filter(|net| joins(net) && net.before.is_some()).flat_map(ends_of);
    let ends: BTreeSet<BlockId> = ends.collect();
    let statuses = transaction.get_statuses(&ends.into_iter().collect::<Vec<_>>())?;
    for net in alive().filter(is_rim).filter(|net| net.before.is_some()) {
        // Nothing may hang on a block that is archived or gone.
        let dead = |id: &BlockId| statuses.get(id).is_none_or(|status| *status == BlockStatus::Archived);
        if joins(net) && !net.only_counts_uses() && ends_of(net).iter().any(dead) {
            return Err(drifted(seq, net));
        }
        changed += usize::from(put_back(transaction, moment, seq, net)?);
    }
    settle_crowded(transaction, seq, nets, later_edges)?;
    Ok(changed)
}

/// A row that should be there and is not, or is otherwise than the operation left it.
fn drifted(seq: i64, net: &Net) -> crate::Error {
    UndoError::Drifted { seq, what: named(net.entity, &net.id) }.into()
}

/// Removes what an operation made.
fn remove(transaction: &mut dyn Transaction, seq: i64, net: &Net) -> Result<()> {
    match net.entity {
        Entity::Block => {
            let id = BlockId::from_stored(&net.id);
            // Whatever still hangs on it was not put there by this operation, or it would be gone by now.
            if !transaction.get_edges_for_block(&id)?.is_empty() {
                return Err(drifted(seq, net));
            }
            transaction.delete_block(&id).map_err(|error| gone(error, seq, net))?;
        }
        Entity::Edge => {
            if !transaction.delete_edge(&edge_key(net))? {
                return Err(drifted(seq, net));
            }
        }
        Entity::Contradiction => {
            let found = contradiction(transaction, net)?.ok_or_else(|| drifted(seq, net))?;
            transaction.delete_contradiction(&found)?;
        }
        Entity::Frame => _ = transaction.delete_frame(&net.id)?,
        Entity::Proposal => _ = transaction.delete_proposal(number(net))?,
        Entity::Outcome => {
            let found = outcome(transaction, net)?.ok_or_else(|| drifted(seq, net))?;
            transaction.delete_outcome(&found)?;
        }
        Entity::Event | Entity::Context | Entity::Enrolment | Entity::Link | Entity::Effect => {
            if !told::remove(transaction, net)? {
                return Err(drifted(seq, net));
            }
        }
        Entity::Session => {}
    }
    Ok(())
}

fn gone(error: StoreError, seq: i64, net: &Net) -> crate::Error {
    match error {
        StoreError::Missing { .. } => drifted(seq, net),
        other => other.into(),
    }
}

/// Puts a block right; whether that changed anything.
fn put_block_back(transaction: &mut dyn Transaction, seq: i64, net: &Net) -> Result<bool> {
    let id = BlockId::from_stored(&net.id);
    if net.after.is_none() {
        return revive(transaction, seq, net).map(|()| true);
    }
    let mut found = None;
    let stored = transaction.update_block(&id, &mut |block| {
        let restored: Option<Block> = patched(block, net);
        found = Some((block.revision, restored.is_some()));
        if let Some(restored) = restored {
            *block = restored;
        }
    });
    match (stored, found) {
        (Ok(stored), Some((revision, true))) => Ok(stored.revision != revision),
        (Ok(_), _) => Err(drifted(seq, net)),
        // A use of a block that is gone needs no taking back.
        (Err(StoreError::Missing { .. }), _) if net.only_counts_uses() => Ok(false),
        (Err(error), _) => Err(gone(error, seq, net)),
    }
}

/// Stores a removed block again, with its vector where that is still of use.
fn revive(transaction: &mut dyn Transaction, seq: i64, net: &Net) -> Result<()> {
    let mut block: Block = whole(net).ok_or_else(|| drifted(seq, net))?;
    block.revision += 1;
    let model = block.embedding_model.take();
    let kept = net.before.as_ref().and_then(|image| image.get(REMOVED_VECTOR)).and_then(Value::as_str);
    transaction.insert_block(&block).map_err(|error| match error {
        StoreError::Duplicate { .. } => drifted(seq, net),
        other => other.into(),
    })?;
    if let (Some(model), Some(vector)) = (model, kept.and_then(vector_from_text)) {
        let locked = transaction.get_config(MODEL_LOCK)?;
        if locked.is_none_or(|locked| locked == model) {
            transaction.set_embedding(&block.id, &model, &vector)?;
        }
    }
    Ok(())
}

/// Puts back what an operation removed, or changes back what it changed; whether there was anything to do.
fn put_back(transaction: &mut dyn Transaction, moment: &Moment, seq: i64, net: &Net) -> Result<bool> {
    match net.entity {
        Entity::Edge if net.after.is_none() => {
            let edge: Edge = whole(net).ok_or_else(|| drifted(seq, net))?;
            if !transaction.insert_edge(&edge)? {
                return Err(drifted(seq, net));
            }
        }
        Entity::Edge => {
            let current = transaction.get_edge(&edge_key(net))?;
            if current.is_none() && net.only_counts_uses() {
                return Ok(false);
            }
            let edge: Edge = restored(current.as_ref(), net).ok_or_else(|| drifted(seq, net))?;
            transaction.put_edge(&edge)?;
        }
        Entity::Contradiction => {
            let current = contradiction(transaction, net)?;
            let found: Contradiction = restored(current.as_ref(), net).ok_or_else(|| drifted(seq, net))?;
            transaction.put_contradiction(&found)?;
        }
        Entity::Frame => {
            let current = transaction.get_frame(&net.id)?;
            let frame: Frame = restored(current.as_ref(), net).ok_or_else(|| drifted(seq, net))?;
            transaction.upsert_frame(&frame, moment.at)?;
        }
        Entity::Proposal => {
            let current = transaction.get_proposal(number(net))?;
            let proposal: Proposal = restored(current.as_ref(), net).ok_or_else(|| drifted(seq, net))?;
            match current {
                Some(_) => transaction.update_proposal(&proposal)?,
                None => _ = transaction.insert_proposal(&proposal)?,
            }
        }
        Entity::Outcome => {
            let current = outcome(transaction, net)?;
            let record: OutcomeRecord = restored(current.as_ref(), net).ok_or_else(|| drifted(seq, net))?;
            transaction.put_outcome(&record)?;
        }
        Entity::Event | Entity::Context | Entity::Enrolment | Entity::Link | Entity::Effect => {
            if !told::put_back(transaction, net)? {
                return Err(drifted(seq, net));
            }
        }
        Entity::Block | Entity::Session => {}
    }
    Ok(true)
}

/// The row to store: the whole one that was removed, or the current one with its fields changed back. None when the row is
/// not as the operation left it.
pub(super) fn restored<T: Serialize + DeserializeOwned>(current: Option<&T>, net: &Net) -> Option<T> {
    match (current, &net.after) {
        (None, None) => whole(net),
        (Some(current), Some(_)) => patched(current, net),
        _ => None,
    }
}

fn whole<T: DeserializeOwned>(net: &Net) -> Option<T> {
    let mut image = net.before.clone()?;
    image.remove(REMOVED_VECTOR);
    serde_json::from_value(Value::Object(image)).ok()
}

/// A row with its fields changed back; none when one of them is not as the operation left it.
fn patched<T: Serialize + DeserializeOwned>(current: &T, net: &Net) -> Option<T> {
    let Ok(Value::Object(mut row)) = serde_json::to_value(current) else { return None };
    for (name, was, is) in net.fields() {
        let now = row.get(name).cloned().unwrap_or(Value::Null);
        let back = if same(&now, is) {
            was.clone()
        } else if counts_uses(net.entity, name) {
            without_this_use(&now, was, is)
        } else {
            return None;
        };
        row.insert(name.clone(), back);
    }
    serde_json::from_value(Value::Object(row)).ok()
}

/// A count less what the operation added; a stamp that later uses have moved stays where they put it.
fn without_this_use(now: &Value, was: &Value, is: &Value) -> Value {
    match (now.as_u64(), was.as_u64(), is.as_u64()) {
        (Some(now), Some(was), Some(is)) => now.saturating_sub(is.saturating_sub(was)).into(),
        _ => now.clone(),
    }
}

/// Whether two values are the same. A store may print numbers in its own way, and keeps times to the microsecond.
fn same(a: &Value, b: &Value) -> bool {
    if let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) {
        return (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0);
    }
    let moment = |value: &Value| value.as_str().and_then(time::from_iso).map(|at| at.as_microsecond());
    a == b || moment(a).is_some_and(|at| moment(b) == Some(at))
}

fn edge_key(net: &Net) -> EdgeKey {
    let (from, to) = net.id.split_once(':').unwrap_or((&net.id, ""));
    EdgeKey { from_id: BlockId::from_stored(from), to_id: BlockId::from_stored(to) }
}

fn contradiction(transaction: &dyn Transaction, net: &Net) -> Result<Option<Contradiction>> {
    let EdgeKey { from_id, to_id } = edge_key(net);
    Ok(transaction.get_contradiction(&from_id, &to_id)?)
}

/// What is on record of an outcome and a block, whose names stand one after the other.
fn outcome(transaction: &dyn Transaction, net: &Net) -> Result<Option<OutcomeRecord>> {
    let (block, outcome_id) = net.id.split_once(':').unwrap_or((&net.id, ""));
    let all = transaction.get_outcomes_by_id(outcome_id)?;
    Ok(all.into_iter().find(|record| record.block_id.as_str() == block))
}

fn number(net: &Net) -> i64 {
    net.id.parse().unwrap_or_default()
}

/// Whether it is a row between two blocks.
fn joins(net: &Net) -> bool {
    matches!(net.entity, Entity::Edge | Entity::Contradiction)
}

fn ends_of(net: &Net) -> [BlockId; 2] {
    let EdgeKey { from_id, to_id } = edge_key(net);
    [from_id, to_id]
}

/// Edges that came since may have taken the room of those that come back: that is refused. A block that had one too many
/// before the operation has it again, and is noted to be relieved as it was then.
fn settle_crowded(transaction: &mut dyn Transaction, seq: i64, nets: &Nets, later_edges: &LaterEdges) -> Result<()> {
    let returned = nets.iter().filter(|net| net.entity == Entity::Edge && net.before.is_some() && net.after.is_none());
    let ends: BTreeSet<BlockId> = returned.flat_map(ends_of).collect();
    let ends: Vec<BlockId> = ends.into_iter().collect();
    let crowded = transaction.get_degrees(&ends)?.into_iter().filter(|(_, degree)| *degree > DEGREE_CAP);
    for (id, _) in crowded {
        if let Some(later) = later_edges.newest_at(&id) {
            if operation(&*transaction, later)?.is_none() {
                return Err(UndoError::DependedElsewhere { seq }.into());
            }
            let reason =
                format!("operation {later} gave block {} another edge, and there is no room for both", id.short());
            return Err(UndoError::Depended { seq, later: vec![later], reason }.into());
        }
        record_over_cap(transaction, &id)?;
    }
    Ok(())
}
