//! Events, contexts and links: taking away what an operation made, putting back what it removed.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, LinkEffect, LinkKey};
use elfmem_store::{Context, Enrolment, Entity, Event, Transaction};

use super::apply::restored;
use super::net::Net;
use crate::Result;

/// The name of such a row up to the first mark, and the rest.
fn parts(net: &Net) -> (&str, &str) {
    net.id.split_once('|').unwrap_or((&net.id, ""))
}

/// Removes what an operation made; whether it was there.
pub(super) fn remove(transaction: &mut dyn Transaction, net: &Net) -> Result<bool> {
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

/// Puts back what an operation removed, or changes back what it changed; whether the row is as the operation left it.
pub(super) fn put_back(transaction: &mut dyn Transaction, net: &Net) -> Result<bool> {
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

/// What is on record of a link and a block, whose names stand one after the other.
fn effect(transaction: &dyn Transaction, net: &Net) -> Result<Option<LinkEffect>> {
    let (block, link) = parts(net);
    let Some(key) = LinkKey::from_name(link) else { return Ok(None) };
    let all = transaction.get_effects(&BlockId::from_stored(block))?;
    Ok(all.into_iter().find(|found| found.key == key))
}
