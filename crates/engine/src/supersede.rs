//! Replaces one block with another, which inherits its labels, edges, links and confidence.

use std::collections::HashSet;

use elfmem_core::eviction::eviction_candidate;
use elfmem_core::{ArchiveReason, Block, BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, Trust};
use elfmem_store::{Contradiction, Transaction};

use crate::belief_updates::copy_belief_updates;
use crate::connect::degree_cap;
use crate::links::inherit_links;
use crate::moment::Moment;
use crate::trust::Succession;
use crate::{Error, Result};

/// How the content of a successor relates to the block that it replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SuccessorKind {
    /// Knowledge reworded. Inherits everything.
    SameKnowledge,
    /// A later state of the same thing. Inherits confidence and use, but no contradictions.
    LaterState,
    /// A different claim. Inherits neither confidence nor contradictions.
    OtherClaim,
}

/// Archives `old` with a pointer to `new`, and moves its labels, edges, links and confidence to
/// `new`. A trusted successor of an untrusted block inherits nothing.
///
/// # Errors
/// [`Error::UntrustedSuccessor`] if only `old` is trusted.
pub(crate) fn supersede(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    old: &Block,
    new: &BlockId,
    kind: SuccessorKind,
) -> Result<()> {
    let successor = transaction.get_block(new)?.ok_or_else(|| Error::UnknownBlock { id: new.to_string() })?;
    match Succession::of(moment, old, &successor) {
        Succession::Inherit => {}
        Succession::Clean => return archive_for(transaction, &old.id, new),
        Succession::Refused => {
            let (old, new, source_name) = (old.id.clone(), successor.id, successor.source);
            return Err(Error::UntrustedSuccessor { old, new, source_name });
        }
    }
    if kind != SuccessorKind::OtherClaim {
        inherit_links(transaction, moment, &old.id, new)?;
    }
    // Links between the two blocks no longer count as evidence, so the block may have changed.
    let old = &transaction.get_block(&old.id)?.unwrap_or_else(|| old.clone());
    let mut edges = transaction.get_edges_for_block(&old.id)?;
    let joinable = joinable_ends(transaction, moment, edges.iter().map(|edge| edge.key.other(&old.id)))?;
    edges.retain(|edge| joinable.contains(edge.key.other(&old.id)));
    let mut contradictions = transaction.get_contradictions_for_blocks(std::slice::from_ref(&old.id))?;
    // A resolved contradiction stays resolved for the successor.
    contradictions.extend(transaction.get_settled_contradictions(&old.id)?);
    archive_for(transaction, &old.id, new)?;
    let mut inherited = false;
    transaction.update_block(new, &mut |block| {
        inherit_labels(block, old);
        inherited = kind != SuccessorKind::OtherClaim && inherit_confidence(block, old);
    })?;
    if inherited {
        copy_belief_updates(transaction, &old.id, new)?;
    }
    for contradiction in contradictions.into_iter().filter(|_| kind == SuccessorKind::SameKnowledge) {
        let other = contradiction.other(&old.id).clone();
        let moved = Contradiction::between(&other, new, contradiction.score, contradiction.created_at);
        if let Some(moved) = moved {
            let Contradiction { resolved, reason, note, .. } = contradiction;
            record_contradiction(transaction, &Contradiction { resolved, reason, note, ..moved })?;
        }
    }
    move_edges(transaction, edges, &old.id, new)
}

/// Returns the blocks that whoever speaks may join with another block: all, or the untrusted ones.
fn joinable_ends<'a>(
    transaction: &dyn Transaction,
    moment: &Moment,
    ends: impl Iterator<Item = &'a BlockId>,
) -> Result<HashSet<BlockId>> {
    let ends: Vec<BlockId> = ends.cloned().collect();
    if moment.speaker == Trust::Owner {
        return Ok(ends.into_iter().collect());
    }
    let blocks = transaction.get_blocks(&ends)?;
    Ok(blocks.into_iter().filter(|block| !moment.trust.trusts(block)).map(|block| block.id).collect())
}

/// Archives a block with a pointer to its successor.
pub(crate) fn archive_for(transaction: &mut dyn Transaction, old: &BlockId, new: &BlockId) -> Result<()> {
    transaction.update_block_status(old, BlockStatus::Archived, Some(ArchiveReason::Superseded))?;
    transaction.update_block(old, &mut |block| block.superseded_by = Some(new.clone()))?;
    Ok(())
}

/// Copies tags (with their decay tier) as far as there is room, pin and cue to the successor.
pub(crate) fn inherit_labels(new: &mut Block, old: &Block) {
    new.add_tags(old.tags.iter().cloned());
    new.pinned |= old.pinned;
    if new.cue.is_none() {
        new.cue.clone_from(&old.cue);
    }
}

/// Adds the reinforcements of the older block, and copies its confidence unless the successor has
/// more evidence. Returns true if the confidence was copied.
fn inherit_confidence(new: &mut Block, old: &Block) -> bool {
    let copies = old.outcome_evidence >= new.outcome_evidence;
    if copies {
        new.confidence = old.confidence;
        new.outcome_evidence = old.outcome_evidence;
    }
    new.reinforcement_count = new.reinforcement_count.saturating_add(old.reinforcement_count);
    new.last_reinforced_at = new.last_reinforced_at.later_of(old.last_reinforced_at);
    copies
}

/// Moves the edges of `from` to `to`. Asserted edges take precedence over similarity edges, and
/// similarity edges never connect contradicting blocks. Above the degree cap, edges are displaced
/// as in `connect`; if all are protected, the weakest moved edges are dropped.
pub(crate) fn move_edges(
    transaction: &mut dyn Transaction,
    edges: Vec<Edge>,
    from: &BlockId,
    to: &BlockId,
) -> Result<()> {
    let mut moved = Vec::new();
    for edge in edges {
        let Some(key) = EdgeKey::canonical(edge.key.other(from), to) else { continue };
        let similarity = edge.origin == EdgeOrigin::SIMILARITY;
        let existing = transaction.get_edge(&key)?;
        let occupied = existing.is_some_and(|existing| similarity || existing.origin != EdgeOrigin::SIMILARITY);
        let forbidden = similarity && are_contradicting(transaction, &key)?;
        if !occupied && !forbidden {
            let asserted_from = edge.asserted_from.map(|end| if end == *from { to.clone() } else { end });
            moved.push(key.clone());
            transaction.put_edge(&Edge { key, asserted_from, ..edge })?;
        }
    }
    // Sorted by weight, strongest first.
    let mut own = transaction.get_edges_for_block(to)?;
    let cap = degree_cap(&*transaction)?;
    while own.len() > cap {
        let weakest = || own.iter().rev().find(|edge| moved.contains(&edge.key));
        let Some(key) = eviction_candidate(&own).or_else(weakest).map(|edge| edge.key.clone()) else { break };
        transaction.delete_edge(&key)?;
        own.retain(|edge| edge.key != key);
    }
    Ok(())
}

/// Records a contradiction unless the pair has one, and deletes a similarity edge between the two
/// blocks. Returns true if it was recorded.
pub(crate) fn record_contradiction(transaction: &mut dyn Transaction, found: &Contradiction) -> Result<bool> {
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

/// Returns true if the pair has an unresolved contradiction.
fn are_contradicting(transaction: &dyn Transaction, key: &EdgeKey) -> Result<bool> {
    Ok(transaction.get_contradiction(&key.from_id, &key.to_id)?.is_some_and(|found| !found.resolved))
}
