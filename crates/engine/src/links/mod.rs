//! `link`, `unlink` and `chain`: typed statements between blocks and contexts (seed 004).

mod chain;
mod ends;
mod inherit;
mod place;
mod projection;
mod request;
mod result;

use elfmem_core::{LinkEnd, LinkKey, LinkOrigin, LinkType, OperationKind};
use elfmem_store::{LinkQuery, Store};

use crate::Result;
use crate::events::EventError;
use crate::input::LONGEST_NOTE;
use crate::memory::Memory;
use crate::secrets::{checked_remark, refuse_secret_name};
use crate::trace;

pub use chain::{Chain, ChainDirection, ChainNode};
pub(crate) use ends::{LinkEndReference, parse_link_end, refuse_redirected_end, resolve_live_block};
pub(crate) use inherit::{inherit_links, reapply_incoming_links, remove_outgoing_links, restore_links, withdraw_links};
pub(crate) use place::{NewLink, place, remove, resolve_pending_links};
pub use request::{AddLink, ListLinks, ShowChain, Unlink};
pub use result::{ConfidenceEffect, LinkResult, UnlinkResult};

impl<S: Store> Memory<S> {
    /// States a link between two blocks, a block and a context, or two contexts. See [`AddLink`].
    ///
    /// # Errors
    /// [`EventError`]: a type or a context that is none, an end that is not there or archived, a link of something with itself.
    pub fn link(&self, request: impl Into<AddLink>) -> Result<LinkResult> {
        let _span = trace::verb("link");
        let AddLink { from, link_type, to, note } = request.into();
        let note = checked_remark("note", note.as_deref(), LONGEST_NOTE, self.options.secrets)?;
        refuse_secret_name("target", &to, self.options.secrets)?;
        let link_type = parse_link_type(&link_type)?;
        self.change(OperationKind::Link, |transaction, moment| {
            let named = [from.as_str(), to.as_str()];
            let from = ends::resolve_existing_end(&*transaction, &from)?;
            let to = ends::resolve_link_end(&*transaction, &to)?;
            for (text, end) in named.into_iter().zip([&from, &to]) {
                ends::refuse_redirected_end(&*transaction, &moment.trust, text, end)?;
            }
            let key = ends::check_distinct(LinkKey { from, link_type, to })?;
            let new = NewLink { origin: LinkOrigin::Stated, event_id: None, note: note.clone() };
            Ok(place(transaction, moment, &key, &new)?.into_result())
        })
    }

    /// Takes a link back. Whatever it did to belief is folded again without it. See [`Unlink`].
    ///
    /// # Errors
    /// A type or an end that cannot be read, and a link that another scope has stated.
    pub fn unlink(&self, request: impl Into<Unlink>) -> Result<UnlinkResult> {
        let _span = trace::verb("unlink");
        let Unlink { from, link_type, to } = request.into();
        let link_type = parse_link_type(&link_type)?;
        self.change(OperationKind::Unlink, |transaction, moment| {
            let (from, to) =
                (ends::resolve_link_end(&*transaction, &from)?, ends::resolve_link_end(&*transaction, &to)?);
            let key = LinkKey { from, link_type, to };
            let known = transaction.get_link(&key)?.is_some();
            let moved = remove(transaction, moment, &key)?;
            if known && moved.is_none() {
                return Err(EventError::OtherScope { link: key.to_string() }.into());
            }
            Ok(UnlinkResult { key, removed: moved.is_some(), effects: moved.unwrap_or_default() })
        })
    }

    /// Links in the order they came. See [`ListLinks`].
    pub fn links(&self, request: impl Into<ListLinks>) -> Result<Vec<elfmem_core::Link>> {
        let _span = trace::verb("links");
        let ListLinks { block_id, from, to, link_type, unresolved, limit, from_any, to_any } = request.into();
        let link_type = link_type.as_deref().map(parse_link_type).transpose()?;
        self.read(|snapshot| {
            let end = |text: &Option<String>, any: &Option<Vec<LinkEnd>>| -> Result<Option<Vec<LinkEnd>>> {
                match text {
                    Some(text) => Ok(Some(vec![ends::resolve_link_end(snapshot, text)?])),
                    None => Ok(any.clone()),
                }
            };
            let (from, to, limit) = (end(&from, &from_any)?, end(&to, &to_any)?, (limit > 0).then_some(limit));
            let Some(block) = block_id.as_deref().map(|text| ends::resolve_link_end(snapshot, text)).transpose()?
            else {
                return Ok(snapshot.list_links(&LinkQuery { from, to, link_type, unresolved, limit })?);
            };
            let is_at = |ends: &Option<Vec<LinkEnd>>| ends.as_ref().is_none_or(|ends| ends.contains(&block));
            let here = || Some(vec![block.clone()]);
            let mut found = Vec::new();
            if is_at(&from) {
                found =
                    snapshot.list_links(&LinkQuery { from: here(), to: to.clone(), link_type, unresolved, limit })?;
            }
            if is_at(&to) {
                found.extend(snapshot.list_links(&LinkQuery { from, to: here(), link_type, unresolved, limit })?);
            }
            found.sort_by_key(|link| link.sequence);
            found.dedup_by_key(|link| link.sequence);
            found.truncate(limit.map_or(usize::MAX, |limit| limit as usize));
            Ok(found)
        })
    }
}

/// Parses the name of a link type.
pub(crate) fn parse_link_type(name: &str) -> Result<LinkType> {
    LinkType::parse(name).ok_or_else(|| EventError::UnknownLinkType { name: name.to_owned() }.into())
}
