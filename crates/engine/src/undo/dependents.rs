//! Finds later operations that depend on the one to undo.

use std::collections::{BTreeMap, HashMap, HashSet};

use elfmem_core::operation::NotUndoable;
use elfmem_core::{BlockId, LinkKey};
use elfmem_store::{Change, Entity, NumberedChange, Operation, Snapshot};

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
    let (mut removals, mut by_removals) = (Removals::default(), Vec::new());
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
            match updates_same_row(&change, nets) && removals.contains(snapshot, later)? {
                true => by_removals.push(NumberedChange { seq: later, change }),
                false => _ = dependents.entry(later).or_insert(what),
            }
        }
    }
    for net in NetChanges::from_changes(by_removals).iter().filter(|net| net.is_lasting()) {
        dependents.entry(net.first).or_insert_with(|| describe_row(net.entity, &net.id));
    }
    if dependents.is_empty() {
        return Ok(later_edges);
    }
    let total = dependents.len();
    let mut runs = HashSet::new();
    let (mut later, mut reasons, mut elsewhere, mut for_good) = (Vec::new(), Vec::new(), false, false);
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
        let kind = found.header.operation;
        let permanent = kind.not_undoable().is_some();
        for_good |= permanent;
        let note = if permanent { " and cannot be undone" } else { "" };
        reasons.push(format!("operation {number} ({kind}) changed {what} since{note}"));
        later.push(number);
    }
    if later.is_empty() && elsewhere {
        return Err(UndoError::DependedElsewhere { seq }.into());
    }
    let reason = reasons.join("; ");
    if for_good && let Some(Operation { header, .. }) = find_operation(snapshot, first)? {
        return Err(UndoError::DependedForGood { seq, operation: header.operation, reason }.into());
    }
    Err(UndoError::Depended { seq, later, reason }.into())
}

/// Which operations removed texts for good, or changed rows that were removed so. They cannot be undone any more. What they
/// changed of other rows holds nothing back if it cancels out: a purge takes back what the links of its block did.
#[derive(Default)]
struct Removals(HashMap<i64, bool>);

impl Removals {
    fn contains(&mut self, snapshot: &dyn Snapshot, seq: i64) -> Result<bool> {
        if let Some(known) = self.0.get(&seq) {
            return Ok(*known);
        }
        let removed = match find_operation(snapshot, seq)? {
            Some(found) if found.header.operation.not_undoable() == Some(NotUndoable::Purged) => true,
            Some(_) => snapshot.get_changes(&[seq])?.iter().any(|numbered| numbered.change.is_purged()),
            None => false,
        };
        self.0.insert(seq, removed);
        Ok(removed)
    }
}

/// Returns true if a change updated a row that the operation changed too.
fn updates_same_row(change: &Change, nets: &NetChanges) -> bool {
    change.before.is_some() && change.after.is_some() && nets.get(change.entity, &change.id).is_some()
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
        // An enrolment depends on the existence of its context.
        Entity::Enrolment if b.is_some_and(|context| is_created(Entity::Context, context, later, nets)) => {
            Some(format!("the enrolment of block {}", short(a)))
        }
        // The effect of a link depends on the existence of the link.
        Entity::Effect if is_effect_of_created_link(&change.id, later, nets) => {
            Some(describe_row(Entity::Effect, &change.id))
        }
        // Events, links and enrolments depend on the existence of their blocks.
        Entity::Event | Entity::Link | Entity::Enrolment | Entity::Effect => {
            std::iter::once(a).chain(b).find_map(|end| {
                let depends = is_created(Entity::Block, end, later, nets);
                depends.then(|| format!("{} of block {}", change.entity.as_str(), short(end)))
            })
        }
        Entity::Block if change.is_structural() && needed.contains(a) => Some(describe_row(Entity::Block, a)),
        _ => None,
    }
}

/// Returns true if the operation created a row before the operation `later`.
fn is_created(entity: Entity, id: &str, later: i64, nets: &NetChanges) -> bool {
    nets.get(entity, id).is_some_and(|net| later > net.first && net.before.is_none() && !net.purged)
}

/// Returns true if the operation created the link that an effect comes from.
fn is_effect_of_created_link(effect: &str, later: i64, nets: &NetChanges) -> bool {
    effect.split_once('|').is_some_and(|(_, link)| is_created(Entity::Link, link, later, nets))
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
