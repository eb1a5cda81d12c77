//! What moved the belief in a block: read in one order, added to, taken away, handed on.

use elfmem_core::belief_update::{ReplayedBelief, replay_without};
use elfmem_core::link::after_link_up_to;
use elfmem_core::{Belief, BeliefUpdate, BlockId, LinkEffect, LinkKey};
use elfmem_store::{Snapshot, Transaction};

use crate::Result;
use crate::moment::Moment;
use crate::trust::counts_for;

/// Everything that moved the belief in a block, in the order it came. What other programs recorded is part of the belief
/// that it began with.
pub(crate) fn updates(snapshot: &dyn Snapshot, block: &BlockId) -> Result<Vec<BeliefUpdate>> {
    let outcomes = snapshot.get_outcomes(block)?.into_iter().filter(|record| !record.is_history());
    let mut all: Vec<BeliefUpdate> = outcomes.map(BeliefUpdate::Outcome).collect();
    all.extend(snapshot.get_effects(block)?.into_iter().map(BeliefUpdate::Link));
    all.sort_by_key(BeliefUpdate::sequence);
    Ok(all)
}

/// How far a block's belief was moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ConfidenceChange {
    pub(crate) before: f64,
    pub(crate) after: f64,
}

/// Lets a link move the belief in a block, and puts that on record; none when it did before, the block is not there, or the link comes
/// from an untrusted block and the other is trusted.
pub(crate) fn apply_link_effect(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    key: &LinkKey,
    block: &BlockId,
) -> Result<Option<ConfidenceChange>> {
    let known = transaction.get_effects(block)?.iter().any(|effect| effect.key == *key);
    let Some(found) = transaction.get_block(block)?.filter(|_| key.link_type.moves_belief() && !known) else {
        return Ok(None);
    };
    let from = key.from.block().map(|id| transaction.get_block(id)).transpose()?.flatten();
    let speaker = from.map_or(moment.speaker, |from| moment.trust.trust_of(&from));
    if !counts_for(moment, speaker, &found) {
        return Ok(None);
    }
    let ceiling = speaker.ceiling();
    let after = after_link_up_to(found.confidence, key.link_type, ceiling);
    transaction.put_effect(&LinkEffect {
        key: key.clone(),
        block_id: block.clone(),
        sequence: transaction.get_last_evidence_sequence(block)? + 1,
        confidence_before: found.confidence,
        confidence_after: after,
        evidence_before: found.outcome_evidence,
        created_at: moment.at,
        ceiling,
    })?;
    transaction.update_block(block, &mut |block| {
        block.confidence = after;
        if key.link_type == elfmem_core::LinkType::Reinforces {
            // What was confirmed is present again.
            block.last_reinforced_at = block.last_reinforced_at.later_of(moment.hours);
        }
    })?;
    Ok(Some(ConfidenceChange { before: found.confidence.get(), after: after.get() }))
}

/// Takes testimonies about a block away and folds the rest again.
pub(crate) fn replay_belief_without(
    transaction: &mut dyn Transaction,
    block: &BlockId,
    is_removed: impl Fn(&BeliefUpdate) -> bool,
) -> Result<Option<ConfidenceChange>> {
    let Some(found) = transaction.get_block(block)? else { return Ok(None) };
    let all = updates(&*transaction, block)?;
    let current = Belief { confidence: found.confidence, evidence: found.outcome_evidence };
    let ReplayedBelief { remaining, belief } = replay_without(&all, current, &is_removed);
    for gone in all.iter().filter(|update| is_removed(update)) {
        match gone {
            BeliefUpdate::Outcome(record) => transaction.delete_outcome(record)?,
            BeliefUpdate::Link(effect) => transaction.delete_effect(effect)?,
        }
    }
    for update in remaining.iter().filter(|update| !all.contains(update)) {
        put(transaction, update)?;
    }
    transaction.update_block(block, &mut |block| {
        block.confidence = belief.confidence;
        block.outcome_evidence = belief.evidence;
    })?;
    Ok(Some(ConfidenceChange { before: current.confidence.get(), after: belief.confidence.get() }))
}

fn put(transaction: &mut dyn Transaction, update: &BeliefUpdate) -> Result<()> {
    match update {
        BeliefUpdate::Outcome(record) => transaction.put_outcome(record)?,
        BeliefUpdate::Link(effect) => transaction.put_effect(effect)?,
    }
    Ok(())
}

/// Lets a block that took another's belief over also have what that came from, so that one of them can still be taken back.
/// They follow on the block's own; what both learned from stays its own.
pub(crate) fn copy_belief_updates(transaction: &mut dyn Transaction, from: &BlockId, to: &BlockId) -> Result<()> {
    let own = updates(&*transaction, to)?;
    let last = own.last().map_or(0, BeliefUpdate::sequence);
    let same = |a: &BeliefUpdate, b: &BeliefUpdate| match (a, b) {
        (BeliefUpdate::Outcome(a), BeliefUpdate::Outcome(b)) => a.outcome_id == b.outcome_id,
        (BeliefUpdate::Link(a), BeliefUpdate::Link(b)) => a.key == b.key,
        _ => false,
    };
    for mut update in updates(&*transaction, from)? {
        if own.iter().any(|known| same(known, &update)) {
            continue;
        }
        match &mut update {
            BeliefUpdate::Outcome(record) => {
                (record.block_id, record.sequence) = (to.clone(), last + record.sequence);
            }
            BeliefUpdate::Link(effect) => (effect.block_id, effect.sequence) = (to.clone(), last + effect.sequence),
        }
        put(transaction, &update)?;
    }
    Ok(())
}
