//! Removes and restores rows of events, contexts and links.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, LinkEffect, LinkKey};
use elfmem_store::{Context, Enrolment, Entity, Event, Transaction};

use super::apply::restored;
use super::net_change::NetChange;
use crate::Result;

/// Splits a row id at the first separator.
fn parts(net: &NetChange) -> (&str, &str) {
    net.id.split_once('|').unwrap_or((&net.id, ""))
}

/// Removes a row that the operation created. Returns true if it existed.
pub(super) fn remove(transaction: &mut dyn Transaction, net: &NetChange) -> Result<bool> {
    let (first, rest) = parts(net);
    Ok(match net.entity {
        Entity::Event => transaction.delete_event(first)?,
        Entity::Context => transaction.delete_context(&ContextId::from_stored(first))?,
        Entity::Enrolment => {
            transaction.delete_enrolment(&BlockId::from_stored(first), &ContextId::from_stored(rest))?
        }
        Entity::Link => match LinkKey::from_name(&net.id) {
            Some(key) => transaction.delete_link(&key)?,
            None => false,
        },
        _ => match effect(transaction, net)? {
            Some(found) => {
                transaction.delete_effect(&found)?;
                true
            }
            None => false,
        },
    })
}

/// Restores a row that the operation removed or changed. Returns false if the row was changed
/// since.
pub(super) fn restore(transaction: &mut dyn Transaction, net: &NetChange) -> Result<bool> {
    let (first, rest) = parts(net);
    Ok(match net.entity {
        Entity::Event => match restored::<Event>(transaction.get_event(first)?.as_ref(), net) {
            Some(event) => transaction.insert_event(&event)?,
            None => false,
        },
        Entity::Context => {
            let current = transaction.get_context(&ContextId::from_stored(first))?.map(|found| found.context);
            match restored::<Context>(current.as_ref(), net) {
                Some(context) => transaction.insert_context(&context)?,
                None => false,
            }
        }
        Entity::Enrolment => {
            let all = transaction.get_enrolments(&[BlockId::from_stored(first)])?;
            let current = all.into_iter().find(|found| found.context_id.as_str() == rest);
            match restored::<Enrolment>(current.as_ref(), net) {
                Some(enrolment) => {
                    transaction.put_enrolment(&enrolment)?;
                    true
                }
                None => false,
            }
        }
        Entity::Link => {
            let current = LinkKey::from_name(&net.id).map(|key| transaction.get_link(&key)).transpose()?.flatten();
            match restored(current.as_ref(), net) {
                Some(link) => {
                    transaction.put_link(&link)?;
                    true
                }
                None => false,
            }
        }
        _ => match restored(effect(transaction, net)?.as_ref(), net) {
            Some(found) => {
                transaction.put_effect(&found)?;
                true
            }
            None => false,
        },
    })
}

/// Returns the link effect of a row id of the form `block|link`.
fn effect(transaction: &dyn Transaction, net: &NetChange) -> Result<Option<LinkEffect>> {
    let (block, link) = parts(net);
    let Some(key) = LinkKey::from_name(link) else { return Ok(None) };
    let all = transaction.get_effects(&BlockId::from_stored(block))?;
    Ok(all.into_iter().find(|found| found.key == key))
}
