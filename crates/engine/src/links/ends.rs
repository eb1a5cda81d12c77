//! Parsing and resolution of the ends of a link.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockStatus, LinkEnd, LinkKey, TrustPolicy};
use elfmem_store::Snapshot;

use crate::care::CareError;
use crate::events::EventError;
use crate::memory::{refuse_untrusted_redirect, resolve_block};
use crate::{Error, Result};

/// Prefix of block ids in the system of seed 004.
const LOCUS_PREFIX: &str = "locus_";

/// A parsed, unresolved end of a link. Only contexts contain a colon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LinkEndReference {
    /// A context id.
    Context(ContextId),
    /// A block id or a prefix of one.
    Block(String),
}

/// Parses an end of a link.
pub(crate) fn parse_link_end(text: &str) -> Result<LinkEndReference> {
    let text = text.trim();
    if !text.contains(':') {
        return Ok(LinkEndReference::Block(text.to_owned()));
    }
    ContextId::parse(text).map(LinkEndReference::Context).map_err(|error| EventError::BadContext(error).into())
}

/// Resolves an end of a link. A context need not exist: the link is pending until it does.
pub(crate) fn resolve_link_end(snapshot: &dyn Snapshot, text: &str) -> Result<LinkEnd> {
    match parse_link_end(text)? {
        LinkEndReference::Context(id) => Ok(LinkEnd::Context(id)),
        LinkEndReference::Block(text) => resolve_live_block(snapshot, &text),
    }
}

/// Resolves an end of a link that must exist.
pub(super) fn resolve_existing_end(snapshot: &dyn Snapshot, text: &str) -> Result<LinkEnd> {
    match resolve_link_end(snapshot, text)? {
        LinkEnd::Context(id) if snapshot.get_context(&id)?.is_none() => {
            Err(EventError::UnknownContext { id: id.to_string() }.into())
        }
        end => Ok(end),
    }
}

/// Fails if an end of a link that is to be changed was named by the id of an untrusted block and is a trusted one.
pub(crate) fn refuse_redirected_end(
    snapshot: &dyn Snapshot,
    trust: &TrustPolicy,
    text: &str,
    end: &LinkEnd,
) -> Result<()> {
    let text = text.trim();
    let text = text.strip_prefix(LOCUS_PREFIX).unwrap_or(text);
    end.block().map_or(Ok(()), |head| refuse_untrusted_redirect(snapshot, trust, text, head))
}

/// Resolves a block id or prefix to a block that is not archived.
pub(crate) fn resolve_live_block(snapshot: &dyn Snapshot, text: &str) -> Result<LinkEnd> {
    let text = text.trim();
    let text = text.strip_prefix(LOCUS_PREFIX).unwrap_or(text);
    let found = resolve_block(snapshot, text)?.ok_or_else(|| Error::UnknownBlock { id: text.to_owned() })?;
    if found.status == BlockStatus::Archived {
        return Err(CareError::Archived { id: found.id, reason: found.archive_reason }.into());
    }
    Ok(LinkEnd::Block(found.id))
}

/// Rejects a link whose two ends are the same.
pub(crate) fn check_distinct(key: LinkKey) -> Result<LinkKey> {
    if key.from == key.to {
        return Err(EventError::SelfLink { id: key.from.to_string() }.into());
    }
    Ok(key)
}
