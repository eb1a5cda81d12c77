//! `link`, `unlink` and `chain`: typed statements between blocks and contexts (seed 004).

mod chain;
mod ends;
mod inherit;
mod place;
mod projection;
mod result;

use elfmem_core::{LinkKey, LinkOrigin, LinkType, OperationKind};
use elfmem_store::{LinkQuery, Store};

use crate::Result;
use crate::events::EventError;
use crate::input::LONGEST_NOTE;
use crate::memory::Memory;
use crate::secrets::checked_remark;

pub use chain::{Chain, ChainDirection, ChainNode};
pub(crate) use ends::{LinkEndReference, parse_link_end, resolve_link_end, resolve_live_block};
pub(crate) use inherit::{inherit_links, remove_outgoing_links, restore_links};
pub(crate) use place::{NewLink, place, remove, resolve_pending_links};
pub use result::{ConfidenceEffect, LinkResult, UnlinkResult};

impl<S: Store> Memory<S> {
    /// States a link between two blocks, a block and a context, or two contexts.
    ///
    /// USE WHEN: new evidence confirms or contradicts something stored, or one thing grew out of another. DON'T USE WHEN: the
    /// two merely belong together; [`connect`](Self::connect) them. COST: instant, one durable write, no model. RETURNS:
    /// [`LinkResult`]: whether it is new, and whose confidence it moved. The same link counts once. NEXT:
    /// [`unlink`](Self::unlink) takes it back and folds belief again; [`chain`](Self::chain) shows what stands behind a block.
    ///
    /// # Errors
    /// [`EventError`]: a type or a context that is none, an end that is not there or archived, a link of something with itself.
    pub fn link(&self, from: &str, link_type: &str, to: &str, note: Option<&str>) -> Result<LinkResult> {
        let note = checked_remark("note", note, LONGEST_NOTE, self.options.secrets)?;
        let link_type = parse_link_type(link_type)?;
        self.change(OperationKind::Link, |transaction, moment| {
            let from = ends::resolve_existing_end(&*transaction, from)?;
            let to = resolve_link_end(&*transaction, to)?;
            let key = ends::check_distinct(LinkKey { from, link_type, to })?;
            let new = NewLink { origin: LinkOrigin::Stated, event_id: None, note: note.clone() };
            Ok(place(transaction, moment, &key, &new)?.into_result())
        })
    }

    /// Takes a link back. Whatever it did to belief is folded again without it.
    ///
    /// USE WHEN: a link was wrong. DON'T USE WHEN: things have changed since; say so with another link. COST: instant. RETURNS:
    /// [`UnlinkResult`]: whether there was one, and whose confidence moved. NEXT: none.
    ///
    /// # Errors
    /// A type or an end that cannot be read, and a link that another scope has stated.
    pub fn unlink(&self, from: &str, link_type: &str, to: &str) -> Result<UnlinkResult> {
        let link_type = parse_link_type(link_type)?;
        self.change(OperationKind::Unlink, |transaction, moment| {
            let (from, to) = (resolve_link_end(&*transaction, from)?, resolve_link_end(&*transaction, to)?);
            let key = LinkKey { from, link_type, to };
            let known = transaction.get_link(&key)?.is_some();
            let moved = remove(transaction, moment, &key)?;
            if known && moved.is_none() {
                return Err(EventError::OtherScope { link: key.to_string() }.into());
            }
            Ok(UnlinkResult { key, removed: moved.is_some(), effects: moved.unwrap_or_default() })
        })
    }

    /// Links in the order they came.
    ///
    /// USE WHEN: you want to see what was stated, or which contexts links wait for. DON'T USE WHEN: you want what stands behind
    /// one block; that is its [`chain`](Self::chain). COST: fast, one read. RETURNS: [`elfmem_core::Link`]s. NEXT: none.
    pub fn links(&self, query: &LinkQuery) -> Result<Vec<elfmem_core::Link>> {
        self.read(|snapshot| Ok(snapshot.list_links(query)?))
    }
}

/// Parses the name of a link type.
pub(crate) fn parse_link_type(name: &str) -> Result<LinkType> {
    LinkType::parse(name).ok_or_else(|| EventError::UnknownLinkType { name: name.to_owned() }.into())
}
