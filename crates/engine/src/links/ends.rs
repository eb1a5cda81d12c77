//! What a text names at one end of a link.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockStatus, LinkEnd, LinkKey};
use elfmem_store::Snapshot;

use crate::care::CareError;
use crate::events::EventError;
use crate::memory::resolve_block;
use crate::{Error, Result};

/// What stands before the id of a block in documents of the seed's system.
const LOCUS: &str = "locus_";

/// What a text names, before the memory is asked: a context has a colon in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    /// A context by its id.
    Context(ContextId),
    /// A block by its id or the beginning of it.
    Block(String),
}

/// Reads what a text names.
pub(crate) fn named(text: &str) -> Result<Named> {
    let text = text.trim();
    if !text.contains(':') {
        return Ok(Named::Block(text.to_owned()));
    }
    ContextId::parse(text).map(Named::Context).map_err(|error| EventError::BadContext(error).into())
}

/// The end that a text names. A context need not exist yet: the link waits for it.
pub(crate) fn target(snapshot: &dyn Snapshot, text: &str) -> Result<LinkEnd> {
    match named(text)? {
        Named::Context(id) => Ok(LinkEnd::Context(id)),
        Named::Block(text) => named_block(snapshot, &text),
    }
}

/// The end that a text names, which must be there.
pub(super) fn existing(snapshot: &dyn Snapshot, text: &str) -> Result<LinkEnd> {
    match target(snapshot, text)? {
        LinkEnd::Context(id) if snapshot.get_context(&id)?.is_none() => {
            Err(EventError::UnknownContext { id: id.to_string() }.into())
        }
        end => Ok(end),
    }
}

/// The block that a text names, which must not be archived.
pub(crate) fn named_block(snapshot: &dyn Snapshot, text: &str) -> Result<LinkEnd> {
    let text = text.trim();
    let text = text.strip_prefix(LOCUS).unwrap_or(text);
    let found = resolve_block(snapshot, text)?.ok_or_else(|| Error::UnknownBlock { id: text.to_owned() })?;
    if found.status == BlockStatus::Archived {
        return Err(CareError::Archived { id: found.id, reason: found.archive_reason }.into());
    }
    Ok(LinkEnd::Block(found.id))
}

/// Refuses a link of something with itself.
pub(crate) fn distinct(key: LinkKey) -> Result<LinkKey> {
    if key.from == key.to {
        return Err(EventError::SelfLink { id: key.from.to_string() }.into());
    }
    Ok(key)
}
