//! Adds and removes links, with their effects on confidence, contradictions and edges.

use elfmem_core::event::ContextId;
use elfmem_core::{BeliefUpdate, BlockId, Link, LinkEnd, LinkKey, LinkOrigin, LinkType};
use elfmem_store::{Contradiction, LinkQuery, Snapshot, Transaction};

use super::projection::project;
use super::result::{ConfidenceEffect, LinkResult};
use crate::Result;
use crate::belief_updates::{apply_link_effect, replay_belief_without};
use crate::moment::Moment;
use crate::supersede::record_contradiction;

/// The reason of a contradiction that a link states. Such a record is removed with the link.
const STATED_BY_LINK: &str = "A contradicts link was stated between them.";

/// The origin of a new link.
#[derive(Debug, Clone)]
pub(crate) struct NewLink {
    pub(crate) origin: LinkOrigin,
    pub(crate) event_id: Option<String>,
    pub(crate) note: Option<String>,
}

/// A link after it was added, with its effects.
#[derive(Debug)]
pub(crate) struct PlacedLink {
    pub(crate) link: Link,
    pub(crate) created: bool,
    resolved: bool,
    effects: Vec<ConfidenceEffect>,
}

impl PlacedLink {
    /// Converts the link to its public form.
    pub(crate) fn into_result(self) -> LinkResult {
        let Self { link, created, resolved, effects } = self;
        LinkResult { layer: link.key.layer(), key: link.key, created, resolved, effects }
    }
}

/// Adds a link between resolved ends and applies its effects. An existing link is left unchanged.
pub(crate) fn place(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    key: &LinkKey,
    new: &NewLink,
) -> Result<PlacedLink> {
    let resolved = match &key.to {
        LinkEnd::Block(_) => true,
        LinkEnd::Context(id) => transaction.get_context(id)?.is_some(),
    };
    if let Some(link) = transaction.get_link(key)? {
        return Ok(PlacedLink { link, created: false, resolved, effects: Vec::new() });
    }
    let NewLink { origin, event_id, note } = new.clone();
    let (key, created_at) = (key.clone(), moment.at);
    let link = transaction.put_link(&Link { key, sequence: 0, origin, event_id, note, created_at })?;
    let targets = target_blocks(&*transaction, &link.key)?;
    let effects = apply_effects(transaction, moment, &link.key, &targets)?;
    Ok(PlacedLink { link, created: true, resolved, effects })
}

/// Returns the target blocks of a link: the target itself, or the primary blocks of the target
/// context except the source.
fn target_blocks(snapshot: &dyn Snapshot, key: &LinkKey) -> Result<Vec<BlockId>> {
    match &key.to {
        LinkEnd::Block(id) => Ok(vec![id.clone()]),
        LinkEnd::Context(id) => {
            let own = snapshot.get_enrolled(id)?.into_iter().filter(|enrolment| enrolment.primary);
            Ok(own.map(|enrolment| enrolment.block_id).filter(|block| key.from.block() != Some(block)).collect())
        }
    }
}

/// Applies the effects of a link to its target blocks.
fn apply_effects(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    key: &LinkKey,
    blocks: &[BlockId],
) -> Result<Vec<ConfidenceEffect>> {
    let mut effects = Vec::new();
    for block in blocks {
        if let Some(moved) = apply_link_effect(transaction, moment, key, block)? {
            effects.push(ConfidenceEffect::new(block, moved));
        }
        let Some(from) = key.from.block() else { continue };
        if key.link_type == LinkType::Contradicts
            && let Some(found) = Contradiction::between(from, block, 1.0, moment.at)
        {
            record_contradiction(transaction, &Contradiction { reason: Some(STATED_BY_LINK.to_owned()), ..found })?;
        }
    }
    if let (Some(from), Some(to)) = (key.from.block(), key.to.block()) {
        project(transaction, moment, from, to)?;
    }
    Ok(effects)
}

/// Applies the pending links to a new context to its first block.
pub(crate) fn resolve_pending_links(
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
        let effects = apply_effects(transaction, moment, &link.key, std::slice::from_ref(block))?;
        resolved.push(PlacedLink { link, created: false, resolved: true, effects }.into_result());
    }
    Ok(resolved)
}

/// Removes a link with its effects, contradiction and edge, and returns the changes of confidence.
/// Returns `None` if the transaction's own scope has no such link.
pub(crate) fn remove(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    key: &LinkKey,
) -> Result<Option<Vec<ConfidenceEffect>>> {
    if !transaction.delete_link(key)? {
        return Ok(None);
    }
    let mut effects = Vec::new();
    for effect in transaction.get_effects_of(key)? {
        let is_gone = |update: &BeliefUpdate| matches!(update, BeliefUpdate::Link(effect) if effect.key == *key);
        if let Some(moved) = replay_belief_without(transaction, &effect.block_id, is_gone)? {
            effects.push(ConfidenceEffect::new(&effect.block_id, moved));
        }
        if let Some(from) = key.from.block().filter(|_| key.link_type == LinkType::Contradicts) {
            remove_stated_contradiction(transaction, from, &effect.block_id)?;
        }
    }
    if let (Some(from), Some(to)) = (key.from.block(), key.to.block()) {
        project(transaction, moment, from, to)?;
    }
    Ok(Some(effects))
}

/// Removes a contradiction that was stated by links when none of them is left.
fn remove_stated_contradiction(transaction: &mut dyn Transaction, from: &BlockId, to: &BlockId) -> Result<()> {
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
        Some(found) if !found.resolved && found.reason.as_deref() == Some(STATED_BY_LINK) => {
            Ok(transaction.delete_contradiction(&found)?)
        }
        _ => Ok(()),
    }
}
