//! Links of blocks that are forgotten, restored or superseded.

use elfmem_core::{BeliefUpdate, BlockId, Link, LinkEffect, LinkEnd, LinkKey, Trust};
use elfmem_store::{Enrolment, LinkQuery, Transaction};

use super::place::{NewLink, place, remove};
use crate::Result;
use crate::belief_updates::{apply_link_effect, replay_belief_without};
use crate::moment::Moment;

/// Removes the outgoing links of a block and their effects.
pub(crate) fn remove_outgoing_links(transaction: &mut dyn Transaction, moment: &Moment, block: &BlockId) -> Result<()> {
    let from = Some(vec![LinkEnd::from(block.clone())]);
    for link in transaction.list_links(&LinkQuery { from, ..LinkQuery::default() })? {
        remove(transaction, moment, &link.key)?;
    }
    Ok(())
}

/// Takes back what the links of a block did to other blocks, before the block is removed for good. Links of other scopes
/// are removed with the block.
pub(crate) fn withdraw_links(transaction: &mut dyn Transaction, moment: &Moment, block: &BlockId) -> Result<()> {
    remove_outgoing_links(transaction, moment, block)?;
    for LinkEffect { key, block_id, .. } in transaction.get_effects_naming(block)? {
        if block_id != *block {
            replay_belief_without(transaction, &block_id, |update| is_of_link(update, &key))?;
        }
    }
    Ok(())
}

/// Returns true if a belief update is the effect of a link.
fn is_of_link(update: &BeliefUpdate, key: &LinkKey) -> bool {
    matches!(update, BeliefUpdate::Link(effect) if effect.key == *key)
}

/// Applies the effects of the links to a block again, after its belief began anew.
pub(crate) fn reapply_incoming_links(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    block: &BlockId,
) -> Result<()> {
    let to = Some(vec![LinkEnd::from(block.clone())]);
    for link in transaction.list_links(&LinkQuery { to, ..LinkQuery::default() })? {
        apply_link_effect(transaction, moment, &link.key, block)?;
    }
    Ok(())
}

/// Restores the outgoing links of a block whose targets still exist.
pub(crate) fn restore_links(transaction: &mut dyn Transaction, moment: &Moment, links: &[Link]) -> Result<()> {
    for Link { key, origin, event_id, note, .. } in links {
        let exists = match &key.to {
            LinkEnd::Block(id) => transaction.block_exists(id)?,
            LinkEnd::Context(_) => true,
        };
        if exists {
            let new = NewLink { origin: *origin, event_id: event_id.clone(), note: note.clone() };
            place(transaction, moment, key, &new)?;
        }
    }
    Ok(())
}

/// Moves the links and contexts of a block to its successor. Links between the two, and duplicates
/// of links that the successor has, are removed. Links with trusted blocks stay where they are if the speaker is untrusted.
pub(crate) fn inherit_links(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    old: &BlockId,
    new: &BlockId,
) -> Result<()> {
    let ends = Some(vec![LinkEnd::from(old.clone())]);
    let mut links = transaction.list_links(&LinkQuery { from: ends.clone(), ..LinkQuery::default() })?;
    links.extend(transaction.list_links(&LinkQuery { to: ends, ..LinkQuery::default() })?);
    // They stay in the order they came, with new numbers: an undo may bring an old link back, with its own number, while the one
    // that came of it still exists.
    links.sort_by_key(|link| link.sequence);
    let renamed = |end: &LinkEnd| if end.block() == Some(old) { LinkEnd::from(new.clone()) } else { end.clone() };
    for link in links {
        let other = if link.key.from.block() == Some(old) { link.key.to.block() } else { link.key.from.block() };
        if moment.speaker == Trust::Untrusted && is_trusted(transaction, moment, other)? {
            continue;
        }
        let key = LinkKey { from: renamed(&link.key.from), link_type: link.key.link_type, to: renamed(&link.key.to) };
        if key.from == key.to || transaction.get_link(&key)?.is_some() {
            remove(transaction, moment, &link.key)?;
        } else if transaction.delete_link(&link.key)? {
            for effect in transaction.get_effects_of(&link.key)? {
                transaction.delete_effect(&effect)?;
                transaction.put_effect(&LinkEffect { key: key.clone(), ..effect })?;
            }
            transaction.put_link(&Link { key, sequence: 0, ..link })?;
        }
    }
    let known = transaction.get_enrolments(std::slice::from_ref(new))?;
    for enrolment in transaction.get_enrolments(std::slice::from_ref(old))? {
        if !known.iter().any(|known| known.context_id == enrolment.context_id) {
            transaction.put_enrolment(&Enrolment { block_id: new.clone(), ..enrolment })?;
        }
    }
    Ok(())
}

fn is_trusted(transaction: &dyn Transaction, moment: &Moment, id: Option<&BlockId>) -> Result<bool> {
    let block = id.map(|id| transaction.get_block(id)).transpose()?.flatten();
    Ok(block.is_some_and(|block| moment.trust.trusts(&block)))
}
