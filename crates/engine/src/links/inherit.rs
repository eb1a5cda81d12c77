//! Links of blocks that are forgotten, restored or superseded.

use elfmem_core::{BlockId, Link, LinkEffect, LinkEnd, LinkKey};
use elfmem_store::{Enrolment, LinkQuery, Transaction};

use super::place::{NewLink, place, remove};
use crate::Result;
use crate::belief_updates::apply_link_effect;
use crate::moment::Moment;

/// Removes the outgoing links of a block and their effects.
pub(crate) fn remove_outgoing_links(transaction: &mut dyn Transaction, moment: &Moment, block: &BlockId) -> Result<()> {
    let from = Some(vec![LinkEnd::from(block.clone())]);
    for link in transaction.list_links(&LinkQuery { from, ..LinkQuery::default() })? {
        remove(transaction, moment, &link.key)?;
    }
    Ok(())
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
/// of links that the successor has, are removed.
pub(crate) fn inherit_links(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    old: &BlockId,
    new: &BlockId,
) -> Result<()> {
    let ends = Some(vec![LinkEnd::from(old.clone())]);
    let mut links = transaction.list_links(&LinkQuery { from: ends.clone(), ..LinkQuery::default() })?;
    links.extend(transaction.list_links(&LinkQuery { to: ends, ..LinkQuery::default() })?);
    let renamed = |end: &LinkEnd| if end.block() == Some(old) { LinkEnd::from(new.clone()) } else { end.clone() };
    for link in links {
        let key = LinkKey { from: renamed(&link.key.from), link_type: link.key.link_type, to: renamed(&link.key.to) };
        if key.from == key.to || transaction.get_link(&key)?.is_some() {
            remove(transaction, moment, &link.key)?;
        } else if transaction.delete_link(&link.key)? {
            for effect in transaction.get_effects_of(&link.key)? {
                transaction.delete_effect(&effect)?;
                transaction.put_effect(&LinkEffect { key: key.clone(), ..effect })?;
            }
            transaction.put_link(&Link { key, ..link })?;
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
