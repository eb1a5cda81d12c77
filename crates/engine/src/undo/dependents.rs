//! Finds later operations that depend on the one to undo.

use std::collections::{BTreeMap, HashSet};

use elfmem_core::{BlockId, LinkKey};
use elfmem_store::{Change, Entity, NumberedChange, Snapshot};

use super::error::UndoError;
use super::net_change::{ChangeExt, NetChanges};
use super::undo_history::{UndoHistory, find_operation};
use crate::Result;

/// Maximum number of later operations listed in an error, newest first: those must be undone first.
const MAX_LISTED_OPERATIONS: usize = 5;

/// Later operations that added an edge to a block whose edges are restored, by block.
#[derive(Debug, Default)]
pub(crate) struct LaterEdges(BTreeMap<String, i64>);

impl LaterEdges {
    /// Returns the newest operation that added an edge to a block.
    pub(crate) fn newest_at(&self, id: &BlockId) -> Option<i64> {
        self.0.get(id.as_str()).copied()
    }
}

/// Fails if a later operation in effect depends on the operation `seq`.
pub(crate) fn check_dependents(
    snapshot: &dyn Snapshot,
    seq: i64,
    members: &[i64],
    nets: &NetChanges,
    history: &UndoHistory,
) -> Result<LaterEdges> {
    // Restored edges and contradictions need both of their blocks.
    let mut needed: HashSet<&str> = HashSet::new();
    for net in nets.iter().filter(|net| matches!(net.entity, Entity::Edge | Entity::Contradiction)) {
        if let (Some(_), Some((a, b))) = (&net.before, net.id.split_once(':')) {
            needed.extend([a, b]);
        }
    }
    let first = members.first().copied().unwrap_or(seq);
    let mut later_edges = LaterEdges::default();
    let mut dependents: BTreeMap<i64, String> = BTreeMap::new();
    for NumberedChange { seq: later, change } in snapshot.get_later_changes(members)? {
        if !history.has_effect_since(later, first) || change.is_purged() || change.is_use_count_only() {
            continue;
        }
        if change.entity == Entity::Edge && change.before.is_none() {
            let (a, b) = change.ends();
            for end in std::iter::once(a).chain(b).filter(|end| needed.contains(end)) {
                later_edges.0.insert(end.to_owned(), later);
            }
        }
        if let Some(what) = dependency(&change, later, nets, &needed) {
            dependents.entry(later).or_insert(what);
        }
    }
    if dependents.is_empty() {
        return Ok(later_edges);
    }
    let total = dependents.len();
    let mut runs = HashSet::new();
    let (mut later, mut reasons, mut elsewhere) = (Vec::new(), Vec::new(), false);
    for (number, what) in dependents.into_iter().rev() {
        if later.len() == MAX_LISTED_OPERATIONS {
            reasons.push(format!("{total} changes in all depend on it"));
            break;
        }
        let Some(found) = find_operation(snapshot, number)? else {
            elsewhere = true;
            continue;
        };
        let number = match found.links.run {
            None => number,
            // A run is undone as a whole, by the number shown in the history.
            Some(run) => match snapshot.get_run(&run)?.last() {
                Some(last) if runs.insert(run) => *last,
                _ => continue,
            },
        };
        reasons.push(format!("operation {number} ({}) changed {what} since", found.header.operation));
        later.push(number);
    }
    if later.is_empty() && elsewhere {
        return Err(UndoError::DependedElsewhere { seq }.into());
    }
    Err(UndoError::Depended { seq, later, reason: reasons.join("; ") }.into())
}

/// Describes the row through which a later change depends on the operation. Returns `None` if it
/// does not.
fn dependency(change: &Change, later: i64, nets: &NetChanges, needed: &HashSet<&str>) -> Option<String> {
    // A superseded block depends on its successor being live.
    if let Some(successor) = successor_in(change)
        && nets.get(Entity::Block, successor).is_some_and(|net| later > net.first && net.was_not_live() && !net.purged)
    {
        return Some(describe_row(Entity::Block, &change.id));
    }
    if let Some(net) = nets.get(change.entity, &change.id) {
        // A use count can be reverted regardless of later changes.
        let depends = later > net.first && !net.purged && !net.is_use_count_only();
        return depends.then(|| describe_row(change.entity, &change.id));
    }
    let (a, b) = change.ends();
    match change.entity {
        Entity::Edge | Entity::Contradiction => std::iter::once(a).chain(b).find_map(|end| {
            let net = nets.get(Entity::Block, end)?;
            let depends = later > net.first && net.is_structural() && !net.purged;
            depends.then(|| format!("{} of block {}", change.entity.as_str(), short(end)))
        }),
        // Events, links and enrolments depend on the existence of their blocks.
        Entity::Event | Entity::Link | Entity::Enrolment | Entity::Effect => {
            std::iter::once(a).chain(b).find_map(|end| {
                let net = nets.get(Entity::Block, end)?;
                let depends = later > net.first && net.before.is_none() && !net.purged;
                depends.then(|| format!("{} of block {}", change.entity.as_str(), short(end)))
            })
        }
        Entity::Block if change.is_structural() && needed.contains(a) => Some(describe_row(Entity::Block, a)),
        _ => None,
    }
}

/// Returns the successor that a change sets for a block.
fn successor_in(change: &Change) -> Option<&str> {
    change.after.as_ref().filter(|_| change.entity == Entity::Block)?.get("superseded_by")?.as_str()
}

fn short(id: &str) -> String {
    BlockId::from_stored(id).short().to_owned()
}

/// Describes a row for messages.
pub(crate) fn describe_row(entity: Entity, id: &str) -> String {
    match (entity, id.split_once(':')) {
        (Entity::Block, _) => format!("block {}", short(id)),
        (Entity::Edge | Entity::Contradiction, Some((a, b))) => {
            format!("the {} between {} and {}", entity.as_str(), short(a), short(b))
        }
        (Entity::Link, _) => match LinkKey::from_name(id) {
            Some(key) => format!("the link {key}"),
            None => format!("link {id}"),
        },
        (Entity::Event, _) => format!("event {}", id.split('|').next().unwrap_or(id)),
        (Entity::Enrolment | Entity::Effect, _) => {
            let (block, rest) = id.split_once('|').unwrap_or((id, ""));
            format!("the {} of block {} ({rest})", entity.as_str(), short(block))
        }
        _ => format!("{} {id}", entity.as_str()),
    }
}
