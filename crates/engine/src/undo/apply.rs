//! Restores the rows that an operation changed, if they are unchanged since.

use std::collections::BTreeSet;

use elfmem_core::{Block, BlockId, BlockStatus, Edge, EdgeKey, Frame, OutcomeRecord};
use elfmem_store::{
    Contradiction, Entity, Proposal, REMOVED_VECTOR, Setting, StoreError, Transaction, scope_key, split_scope_key,
    vector_from_text,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::dependents::{LaterEdges, describe_row};
use super::error::UndoError;
use super::event_rows;
use super::net_change::{NetChange, NetChanges, is_use_counter, values_equal};
use super::undo_history::find_operation;
use crate::Result;
use crate::connect::{degree_cap, record_over_cap};
use crate::models::MODEL_LOCK;
use crate::moment::Moment;

/// Reverts the changes of an operation and returns the number of changed rows. The order respects
/// references: first the created rows other than blocks are removed, then blocks are restored and
/// removed, then the other rows are restored.
pub(crate) fn apply(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    seq: i64,
    nets: &NetChanges,
    later_edges: &LaterEdges,
) -> Result<usize> {
    let mut changed = 0;
    let restorable = || nets.iter().filter(|net| !net.purged);
    let is_no_block = |net: &&NetChange| net.entity != Entity::Block;
    let is_created = |net: &&NetChange| net.before.is_none();
    for net in restorable().filter(is_no_block).filter(is_created) {
        remove(transaction, seq, net)?;
        changed += 1;
    }
    for net in restorable().filter(|net| net.entity == Entity::Block && net.before.is_some()) {
        changed += usize::from(restore_block(transaction, seq, net)?);
    }
    for net in restorable().filter(|net| net.entity == Entity::Block && net.before.is_none()) {
        remove(transaction, seq, net)?;
        changed += 1;
    }
    for net in restorable().filter(is_no_block).filter(|net| net.before.is_some()) {
        if is_pair(net) && !net.is_use_count_only() && !may_have_edges(transaction, &ends_of(net))? {
            return Err(drifted(seq, net));
        }
        changed += usize::from(restore_row(transaction, moment, seq, net)?);
    }
    check_degree_cap(transaction, seq, nets, later_edges)?;
    Ok(changed)
}

/// Returns whether an edge or a contradiction between two blocks can be restored. A missing block has none. An archived one has
/// only those to blocks of other scopes: a scope that archives a block does not see them, and so they stay.
fn may_have_edges(transaction: &dyn Transaction, ends: &[BlockId]) -> Result<bool> {
    let blocks = transaction.get_blocks(ends)?;
    let [one, other] = &blocks[..] else { return Ok(false) };
    Ok(one.scope != other.scope || blocks.iter().all(|block| block.status != BlockStatus::Archived))
}

/// Returns the error for a row that is missing or was changed after the operation.
fn drifted(seq: i64, net: &NetChange) -> crate::Error {
    UndoError::Drifted { seq, what: describe_row(net.entity, &net.id) }.into()
}

/// Removes a row that the operation created.
fn remove(transaction: &mut dyn Transaction, seq: i64, net: &NetChange) -> Result<()> {
    match net.entity {
        Entity::Block => {
            let id = BlockId::from_stored(&net.id);
            // The operation's own edges are removed by now, so this one is from another operation.
            if !transaction.get_edges_for_block(&id)?.is_empty() {
                return Err(drifted(seq, net));
            }
            transaction.delete_block(&id).map_err(|error| missing_as_drifted(error, seq, net))?;
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
            if !event_rows::remove(transaction, net)? {
                return Err(drifted(seq, net));
            }
        }
        Entity::Setting => transaction.record_scope_config(own_setting(transaction, seq, net)?, None)?,
        Entity::Session | Entity::Answer => {}
    }
    Ok(())
}

fn missing_as_drifted(error: StoreError, seq: i64, net: &NetChange) -> crate::Error {
    match error {
        StoreError::Missing { .. } => drifted(seq, net),
        other => other.into(),
    }
}

/// Restores a block. Returns true if that changed it.
fn restore_block(transaction: &mut dyn Transaction, seq: i64, net: &NetChange) -> Result<bool> {
    let id = BlockId::from_stored(&net.id);
    if net.after.is_none() {
        return reinsert_block(transaction, seq, net).map(|()| true);
    }
    let mut found = None;
    let stored = transaction.update_block(&id, &mut |block| {
        let restored: Option<Block> = revert_fields(block, net);
        found = Some((block.revision, restored.is_some()));
        if let Some(restored) = restored {
            *block = restored;
        }
    });
    match (stored, found) {
        (Ok(stored), Some((revision, true))) => Ok(stored.revision != revision),
        (Ok(_), _) => Err(drifted(seq, net)),
        // The use count of a deleted block needs no restoring.
        (Err(StoreError::Missing { .. }), _) if net.is_use_count_only() => Ok(false),
        (Err(error), _) => Err(missing_as_drifted(error, seq, net)),
    }
}

/// Inserts a removed block again, with its vector if it is of the memory's current model.
fn reinsert_block(transaction: &mut dyn Transaction, seq: i64, net: &NetChange) -> Result<()> {
    let mut block: Block = full_row(net).ok_or_else(|| drifted(seq, net))?;
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

/// Restores a row that the operation removed or changed. Returns false if there was nothing to do.
fn restore_row(transaction: &mut dyn Transaction, moment: &Moment, seq: i64, net: &NetChange) -> Result<bool> {
    match net.entity {
        Entity::Edge if net.after.is_none() => {
            let edge: Edge = full_row(net).ok_or_else(|| drifted(seq, net))?;
            if !transaction.insert_edge(&edge)? {
                return Err(drifted(seq, net));
            }
        }
        Entity::Edge => {
            let current = transaction.get_edge(&edge_key(net))?;
            if current.is_none() && net.is_use_count_only() {
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
            if !event_rows::restore(transaction, net)? {
                return Err(drifted(seq, net));
            }
        }
        Entity::Setting => {
            let name = own_setting(transaction, seq, net)?;
            let value = transaction.get_scope_config(name)?;
            let current = value.map(|value| Setting { key: net.id.clone(), value });
            let setting: Setting = restored(current.as_ref(), net).ok_or_else(|| drifted(seq, net))?;
            transaction.record_scope_config(name, Some(&setting.value))?;
        }
        Entity::Block | Entity::Session | Entity::Answer => {}
    }
    Ok(true)
}

/// Returns the row to store: the removed row, or the current one with its fields reverted. Returns
/// `None` if the row was changed after the operation.
pub(super) fn restored<T: Serialize + DeserializeOwned>(current: Option<&T>, net: &NetChange) -> Option<T> {
    match (current, &net.after) {
        (None, None) => full_row(net),
        (Some(current), Some(_)) => revert_fields(current, net),
        _ => None,
    }
}

/// Returns the complete row as it was before it was removed.
fn full_row<T: DeserializeOwned>(net: &NetChange) -> Option<T> {
    let mut image = net.before.clone()?;
    image.remove(REMOVED_VECTOR);
    serde_json::from_value(Value::Object(image)).ok()
}

/// Returns the row with its fields reverted. Returns `None` if one of them was changed after the
/// operation.
fn revert_fields<T: Serialize + DeserializeOwned>(current: &T, net: &NetChange) -> Option<T> {
    let Ok(Value::Object(mut row)) = serde_json::to_value(current) else { return None };
    for (name, was, is) in net.fields() {
        let now = row.get(name).cloned().unwrap_or(Value::Null);
        let reverted = if values_equal(&now, is) {
            was.clone()
        } else if is_use_counter(net.entity, name) {
            subtract_use(&now, was, is)
        } else {
            return None;
        };
        row.insert(name.clone(), reverted);
    }
    serde_json::from_value(Value::Object(row)).ok()
}

/// Subtracts the operation's part from a count. A time that later uses have changed is kept.
fn subtract_use(now: &Value, was: &Value, is: &Value) -> Value {
    match (now.as_u64(), was.as_u64(), is.as_u64()) {
        (Some(now), Some(was), Some(is)) => now.saturating_sub(is.saturating_sub(was)).into(),
        _ => now.clone(),
    }
}

fn edge_key(net: &NetChange) -> EdgeKey {
    let (from, to) = net.id.split_once(':').unwrap_or((&net.id, ""));
    EdgeKey { from_id: BlockId::from_stored(from), to_id: BlockId::from_stored(to) }
}

fn contradiction(transaction: &dyn Transaction, net: &NetChange) -> Result<Option<Contradiction>> {
    let EdgeKey { from_id, to_id } = edge_key(net);
    Ok(transaction.get_contradiction(&from_id, &to_id)?)
}

/// Returns the outcome record of a row id of the form `block:outcome`.
fn outcome(transaction: &dyn Transaction, net: &NetChange) -> Result<Option<OutcomeRecord>> {
    let (block, outcome_id) = net.id.split_once(':').unwrap_or((&net.id, ""));
    let all = transaction.get_outcomes_by_id(outcome_id)?;
    Ok(all.into_iter().find(|record| record.block_id.as_str() == block))
}

/// Returns the name of a setting of the view's own scope. Those of other scopes are undone there.
fn own_setting<'a>(transaction: &dyn Transaction, seq: i64, net: &'a NetChange) -> Result<&'a str> {
    let name = split_scope_key(&net.id).0;
    if scope_key(transaction.scope(), name) == net.id { Ok(name) } else { Err(drifted(seq, net)) }
}

fn number(net: &NetChange) -> i64 {
    net.id.parse().unwrap_or_default()
}

/// Returns true for rows that connect two blocks.
fn is_pair(net: &NetChange) -> bool {
    matches!(net.entity, Entity::Edge | Entity::Contradiction)
}

fn ends_of(net: &NetChange) -> [BlockId; 2] {
    let EdgeKey { from_id, to_id } = edge_key(net);
    [from_id, to_id]
}

/// Checks the degree cap of blocks with restored edges. If a later operation added an edge to such
/// a block, the undo fails. Otherwise the block was above the cap before, and is recorded to be
/// trimmed.
fn check_degree_cap(
    transaction: &mut dyn Transaction,
    seq: i64,
    nets: &NetChanges,
    later_edges: &LaterEdges,
) -> Result<()> {
    let returned = nets.iter().filter(|net| net.entity == Entity::Edge && net.before.is_some() && net.after.is_none());
    let ends: BTreeSet<BlockId> = returned.flat_map(ends_of).collect();
    let ends: Vec<BlockId> = ends.into_iter().collect();
    let cap = degree_cap(&*transaction)?;
    let over_cap = transaction.get_degrees(&ends)?.into_iter().filter(|(_, degree)| *degree > cap);
    for (id, _) in over_cap {
        if let Some(later) = later_edges.newest_at(&id) {
            if find_operation(&*transaction, later)?.is_none() {
                return Err(UndoError::DependedElsewhere { seq }.into());
            }
            let reason = format!("operation {later} added an edge to block {}, which now has too many", id.short());
            return Err(UndoError::Depended { seq, later: vec![later], reason }.into());
        }
        record_over_cap(transaction, &id)?;
    }
    Ok(())
}
