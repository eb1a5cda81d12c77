//! What later changes rest on an operation.

use std::collections::{BTreeMap, HashSet};

use elfmem_core::{BlockId, LinkKey};
use elfmem_store::{Change, Entity, NumberedChange, Snapshot};

use super::error::UndoError;
use super::net::{Nets, OfChange};
use super::standing::{Standing, operation};
use crate::Result;

/// Later operations that an error names, the newest: those must go first in any case.
const NAMED: usize = 5;

/// Later edges at blocks that get edges back: what to name when there is no room for those.
#[derive(Debug, Default)]
pub(crate) struct LaterEdges(BTreeMap<String, i64>);

impl LaterEdges {
    /// The newest operation that made an edge at a block.
    pub(crate) fn newest_at(&self, id: &BlockId) -> Option<i64> {
        self.0.get(id.as_str()).copied()
    }
}

/// Refuses when a later operation that stands rests on what `seq` did.
pub(crate) fn refuse_depended(
    snapshot: &dyn Snapshot,
    seq: i64,
    members: &[i64],
    nets: &Nets,
    standing: &Standing,
) -> Result<LaterEdges> {
    // Pairs that an undo puts back need both of their blocks as they were.
    let mut needed: HashSet<&str> = HashSet::new();
    for net in nets.iter().filter(|net| matches!(net.entity, Entity::Edge | Entity::Contradiction)) {
        if let (Some(_), Some((a, b))) = (&net.before, net.id.split_once(':')) {
            needed.extend([a, b]);
        }
    }
    let first = members.first().copied().unwrap_or(seq);
    let mut later_edges = LaterEdges::default();
    let mut dependants: BTreeMap<i64, String> = BTreeMap::new();
    for NumberedChange { seq: later, change } in snapshot.get_later_changes(members)? {
        if !standing.counts_since(later, first) || change.is_purged() || change.only_counts_uses() {
            continue;
        }
        if change.entity == Entity::Edge && change.before.is_none() {
            let (a, b) = change.ends();
            for end in std::iter::once(a).chain(b).filter(|end| needed.contains(end)) {
                later_edges.0.insert(end.to_owned(), later);
            }
        }
        if let Some(what) = rests_on(&change, later, nets, &needed) {
            dependants.entry(later).or_insert(what);
        }
    }
    if dependants.is_empty() {
        return Ok(later_edges);
    }
    let total = dependants.len();
    let mut runs = HashSet::new();
    let (mut later, mut reasons, mut elsewhere) = (Vec::new(), Vec::new(), false);
    for (number, what) in dependants.into_iter().rev() {
        if later.len() == NAMED {
            reasons.push(format!("{total} changes in all stand in the way"));
            break;
        }
        let Some(found) = operation(snapshot, number)? else {
            elsewhere = true;
            continue;
        };
        let number = match found.links.run {
            None => number,
            // A run goes as a whole, by the number that the history shows.
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

/// What of an operation a later change rests on; none when it does not.
fn rests_on(change: &Change, later: i64, nets: &Nets, needed: &HashSet<&str>) -> Option<String> {
    // What gave its place to a block rests on that one being there and living.
    if let Some(heir) = heir(change)
        && nets.get(Entity::Block, heir).is_some_and(|net| later > net.first && net.was_not_living() && !net.purged)
    {
        return Some(named(Entity::Block, &change.id));
    }
    if let Some(net) = nets.get(change.entity, &change.id) {
        // A use that was counted is taken off again whatever else has changed.
        let matters = later > net.first && !net.purged && !net.only_counts_uses();
        return matters.then(|| named(change.entity, &change.id));
    }
    let (a, b) = change.ends();
    match change.entity {
        Entity::Edge | Entity::Contradiction => std::iter::once(a).chain(b).find_map(|end| {
            let net = nets.get(Entity::Block, end)?;
            let rests = later > net.first && net.is_structural() && !net.purged;
            rests.then(|| format!("{} of block {}", change.entity.as_str(), short(end)))
        }),
        // What was said of a block, and where it belongs, rests on its being there.
        Entity::Event | Entity::Link | Entity::Enrolment | Entity::Effect => {
            std::iter::once(a).chain(b).find_map(|end| {
                let net = nets.get(Entity::Block, end)?;
                let made = later > net.first && net.before.is_none() && !net.purged;
                made.then(|| format!("{} of block {}", change.entity.as_str(), short(end)))
            })
        }
        Entity::Block if change.is_structural() && needed.contains(a) => Some(named(Entity::Block, a)),
        _ => None,
    }
}

/// The block that a change lets take the place of another.
fn heir(change: &Change) -> Option<&str> {
    change.after.as_ref().filter(|_| change.entity == Entity::Block)?.get("superseded_by")?.as_str()
}

fn short(id: &str) -> String {
    BlockId::from_stored(id).short().to_owned()
}

/// A row in words.
pub(crate) fn named(entity: Entity, id: &str) -> String {
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
