//! Stating a link and taking it back, with everything that hangs on it.

use elfmem_core::event::ContextId;
use elfmem_core::{BeliefUpdate, BlockId, Link, LinkEnd, LinkKey, LinkOrigin, LinkType};
use elfmem_store::{Contradiction, LinkQuery, Snapshot, Transaction};

use super::projection::project;
use super::result::{LinkResult, MovedBelief};
use crate::Result;
use crate::belief_updates::{apply_link_effect, replay_belief_without};
use crate::moment::Moment;
use crate::supersede::record_contradiction;

/// Why two blocks contradict each other when a link says so. A record with this reason goes with the link.
const STATED: &str = "A contradicts link was stated between them.";

/// Where a new link comes from.
#[derive(Debug, Clone)]
pub(crate) struct New {
    pub(crate) origin: LinkOrigin,
    pub(crate) event_id: Option<String>,
    pub(crate) note: Option<String>,
}

/// What became of a link.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) link: Link,
    pub(crate) created: bool,
    resolved: bool,
    effects: Vec<MovedBelief>,
}

impl Placed {
    /// The same for whoever asked.
    pub(crate) fn told(self) -> LinkResult {
        let Self { link, created, resolved, effects } = self;
        LinkResult { layer: link.key.layer(), key: link.key, created, resolved, effects }
    }
}

/// States a link whose ends were checked. One that is there stays as it is and does nothing again.
pub(crate) fn place(transaction: &mut dyn Transaction, moment: &Moment, key: &LinkKey, new: &New) -> Result<Placed> {
    let resolved = match &key.to {
        LinkEnd::Block(_) => true,
        LinkEnd::Context(id) => transaction.get_context(id)?.is_some(),
    };
    if let Some(link) = transaction.get_link(key)? {
        return Ok(Placed { link, created: false, resolved, effects: Vec::new() });
    }
    let New { origin, event_id, note } = new.clone();
    let (key, created_at) = (key.clone(), moment.at);
    let link = transaction.put_link(&Link { key, sequence: 0, origin, event_id, note, created_at })?;
    let reached = reached(&*transaction, &link.key)?;
    let effects = take_effect(transaction, moment, &link.key, &reached)?;
    Ok(Placed { link, created: true, resolved, effects })
}

/// The blocks that a link speaks of: its target, or what was told in the context that is its target, but not the block that
/// says it.
fn reached(snapshot: &dyn Snapshot, key: &LinkKey) -> Result<Vec<BlockId>> {
    match &key.to {
        LinkEnd::Block(id) => Ok(vec![id.clone()]),
        LinkEnd::Context(id) => {
            let own = snapshot.get_enrolled(id)?.into_iter().filter(|enrolment| enrolment.primary);
            Ok(own.map(|enrolment| enrolment.block_id).filter(|block| key.from.block() != Some(block)).collect())
        }
    }
}

/// Lets a link do what it does to some blocks.
fn take_effect(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    key: &LinkKey,
    blocks: &[BlockId],
) -> Result<Vec<MovedBelief>> {
    let mut effects = Vec::new();
    for block in blocks {
        if let Some(moved) = apply_link_effect(transaction, moment, key, block)? {
            effects.push(MovedBelief::of(block, moved));
        }
        let Some(from) = key.from.block() else { continue };
        if key.link_type == LinkType::Contradicts
            && let Some(found) = Contradiction::between(from, block, 1.0, moment.at)
        {
            record_contradiction(transaction, &Contradiction { reason: Some(STATED.to_owned()), ..found })?;
        }
    }
    if let (Some(from), Some(to)) = (key.from.block(), key.to.block()) {
        project(transaction, moment, from, to)?;
    }
    Ok(effects)
}

/// Lets links that waited for a context speak of the block with which it came to be.
pub(crate) fn resolve_waiting(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    context: &ContextId,
    block: &BlockId,
) -> Result<Vec<LinkResult>> {
    let to = Some(vec![LinkEnd::from(context.clone())]);
    let mut resolved = Vec::new();
    for link in transaction.list_links(&LinkQuery { to, ..LinkQuery::default() })? {
        if link.key.from.block() == Some(block) {
            continue;
        }
        let effects = take_effect(transaction, moment, &link.key, std::slice::from_ref(block))?;
        resolved.push(Placed { link, created: false, resolved: true, effects }.told());
    }
    Ok(resolved)
}

/// Takes a link back, folds belief again without it, and takes along what stood for it; whose belief moved. None when there
/// is no such link in the transaction's own scope.
pub(crate) fn remove(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    key: &LinkKey,
) -> Result<Option<Vec<MovedBelief>>> {
    if !transaction.delete_link(key)? {
        return Ok(None);
    }
    let mut effects = Vec::new();
    for effect in transaction.get_effects_of(key)? {
        let is_gone = |update: &BeliefUpdate| matches!(update, BeliefUpdate::Link(effect) if effect.key == *key);
        if let Some(moved) = replay_belief_without(transaction, &effect.block_id, is_gone)? {
            effects.push(MovedBelief::of(&effect.block_id, moved));
        }
        if let Some(from) = key.from.block().filter(|_| key.link_type == LinkType::Contradicts) {
            settle(transaction, from, &effect.block_id)?;
        }
    }
    if let (Some(from), Some(to)) = (key.from.block(), key.to.block()) {
        project(transaction, moment, from, to)?;
    }
    Ok(Some(effects))
}

/// Takes back the record of a contradiction that only a link had stated, once none states it any more.
fn settle(transaction: &mut dyn Transaction, from: &BlockId, to: &BlockId) -> Result<()> {
    for (a, b) in [(from, to), (to, from)] {
        let contradicts = transaction
            .get_effects(b)?
            .into_iter()
            .any(|effect| effect.key.link_type == LinkType::Contradicts && effect.key.from.block() == Some(a));
        if contradicts {
            return Ok(());
        }
    }
    let (low, high) = if from < to { (from, to) } else { (to, from) };
    match transaction.get_contradiction(low, high)? {
        Some(found) if !found.resolved && found.reason.as_deref() == Some(STATED) => {
            Ok(transaction.delete_contradiction(&found)?)
        }
        _ => Ok(()),
    }
}
