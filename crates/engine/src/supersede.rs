//! One block takes the place of another and inherits what that one had learned.

use elfmem_core::eviction::{DEGREE_CAP, eviction_candidate};
use elfmem_core::{ArchiveReason, Block, BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin};
use elfmem_store::{Contradiction, Transaction};

use crate::Result;
use crate::belief_updates::copy_belief_updates;
use crate::links::inherit_links;
use crate::moment::Moment;

/// What the newer block is to the one whose place it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heir {
    /// The same knowledge in newer words: all that was learned about the older holds of it.
    SameKnowledge,
    /// Tells how what the older told of has changed: it is as trusted and as much used, but what spoke against the former
    /// state does not speak against the new one.
    LaterState,
    /// Another claim: how the older was believed, and what spoke against it, ends with it.
    OtherClaim,
}

/// Moves what `old` had to `new`, and archives `old` with a pointer to `new`.
pub(crate) fn supersede(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    old: &Block,
    new: &BlockId,
    heir: Heir,
) -> Result<()> {
    if heir != Heir::OtherClaim {
        inherit_links(transaction, moment, &old.id, new)?;
    }
    // What the two said of each other is not evidence any more.
    let old = &transaction.get_block(&old.id)?.unwrap_or_else(|| old.clone());
    let edges = transaction.get_edges_for_block(&old.id)?;
    let mut contradictions = transaction.get_contradictions_for_blocks(std::slice::from_ref(&old.id))?;
    // Where both were said to hold, they still do in other words.
    contradictions.extend(transaction.get_settled_contradictions(&old.id)?);
    transaction.update_block_status(&old.id, BlockStatus::Archived, Some(ArchiveReason::Superseded))?;
    transaction.update_block(&old.id, &mut |block| block.superseded_by = Some(new.clone()))?;
    let mut believed = false;
    transaction.update_block(new, &mut |block| {
        take_labels(block, old);
        believed = heir != Heir::OtherClaim && take_belief(block, old);
    })?;
    if believed {
        copy_belief_updates(transaction, &old.id, new)?;
    }
    for contradiction in contradictions.into_iter().filter(|_| heir == Heir::SameKnowledge) {
        let other = contradiction.other(&old.id).clone();
        let moved = Contradiction::between(&other, new, contradiction.score, contradiction.created_at);
        if let Some(moved) = moved {
            let Contradiction { resolved, reason, note, .. } = contradiction;
            contradict(transaction, &Contradiction { resolved, reason, note, ..moved })?;
        }
    }
    move_edges(transaction, edges, &old.id, new)
}

/// Tags, pin and cue, and the life that goes with the tags.
pub(crate) fn take_labels(new: &mut Block, old: &Block) {
    new.retag(|tags| tags.extend(old.tags.iter().cloned()));
    new.pinned |= old.pinned;
    if new.cue.is_none() {
        new.cue.clone_from(&old.cue);
    }
}

/// Belief is taken over unless the newer text has evidence of its own that weighs more; whether it was.
fn take_belief(new: &mut Block, old: &Block) -> bool {
    let weighs = old.outcome_evidence >= new.outcome_evidence;
    if weighs {
        new.confidence = old.confidence;
        new.outcome_evidence = old.outcome_evidence;
    }
    new.reinforcement_count = new.reinforcement_count.saturating_add(old.reinforcement_count);
    new.last_reinforced_at = new.last_reinforced_at.later_of(old.last_reinforced_at);
    weighs
}

/// Lets the edges that `from` had end at `to`. What an agent asserted comes before what was found alike, which never joins two
/// blocks that contradict each other. At the degree cap edges give way as they do to a connect; where none may, the weakest of
/// those that came are left behind.
pub(crate) fn move_edges(
    transaction: &mut dyn Transaction,
    edges: Vec<Edge>,
    from: &BlockId,
    to: &BlockId,
) -> Result<()> {
    let mut came = Vec::new();
    for edge in edges {
        let Some(key) = EdgeKey::canonical(edge.key.other(from), to) else { continue };
        let alike = edge.origin == EdgeOrigin::SIMILARITY;
        let known = transaction.get_edge(&key)?;
        let taken = known.is_some_and(|known| alike || known.origin != EdgeOrigin::SIMILARITY);
        let barred = alike && are_contradicting(transaction, &key)?;
        if !taken && !barred {
            let asserted_from = edge.asserted_from.map(|end| if end == *from { to.clone() } else { end });
            came.push(key.clone());
            transaction.put_edge(&Edge { key, asserted_from, ..edge })?;
        }
    }
    // The strongest first.
    let mut own = transaction.get_edges_for_block(to)?;
    while own.len() > DEGREE_CAP {
        let weakest = || own.iter().rev().find(|edge| came.contains(&edge.key));
        let Some(key) = eviction_candidate(&own).or_else(weakest).map(|edge| edge.key.clone()) else { break };
        transaction.delete_edge(&key)?;
        own.retain(|edge| edge.key != key);
    }
    Ok(())
}

/// Records a contradiction unless the pair has one; two blocks that cannot both hold are not alike, whatever their vectors
/// say. Whether it was recorded.
pub(crate) fn contradict(transaction: &mut dyn Transaction, found: &Contradiction) -> Result<bool> {
    let recorded = transaction.insert_contradiction(found)?;
    let key = EdgeKey { from_id: found.block_a_id.clone(), to_id: found.block_b_id.clone() };
    if recorded
        && !found.resolved
        && transaction.get_edge(&key)?.is_some_and(|edge| edge.origin == EdgeOrigin::SIMILARITY)
    {
        transaction.delete_edge(&key)?;
    }
    Ok(recorded)
}

/// Whether an unsettled contradiction stands between two blocks.
fn are_contradicting(transaction: &dyn Transaction, key: &EdgeKey) -> Result<bool> {
    Ok(transaction.get_contradiction(&key.from_id, &key.to_id)?.is_some_and(|found| !found.resolved))
}
