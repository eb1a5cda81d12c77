//! `documents`: what is stored by name.

use std::collections::BTreeMap;

use elfmem_core::{Block, BlockStatus, Scope, Timestamp};
use elfmem_store::{BlockQuery, DocumentQuery, Snapshot, Store};
use serde::Serialize;

use super::request::ListDocuments;
use crate::Result;
use crate::memory::Memory;
use crate::trace;

/// A stored document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DocumentDetails {
    /// The name.
    pub name: String,
    /// The source.
    pub source: String,
    /// The peer that sent it. `None` for a document that was learned here.
    pub peer: Option<String>,
    /// The scope.
    pub scope: Scope,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
    /// Number of blocks that are not archived.
    pub chunks: usize,
    /// When its oldest block was stored.
    pub stored_at: Timestamp,
    /// When its newest block was stored.
    pub updated_at: Timestamp,
}

impl<S: Store> Memory<S> {
    /// Lists the documents that have a name, by name. See [`ListDocuments`].
    pub fn documents(&self, request: impl Into<ListDocuments>) -> Result<Vec<DocumentDetails>> {
        let _span = trace::verb("documents");
        let ListDocuments {} = request.into();
        self.read(|snapshot| documents(snapshot, |block| self.options.trust.trusts(block)))
    }
}

/// Lists the documents of a snapshot, by name, source, peer and scope.
pub(super) fn documents(
    snapshot: &(impl Snapshot + ?Sized),
    trusts: impl Fn(&Block) -> bool,
) -> Result<Vec<DocumentDetails>> {
    let query = BlockQuery { document: Some(DocumentQuery::Any), ..BlockQuery::default() };
    let mut found: BTreeMap<(String, String, Option<String>, String), DocumentDetails> = BTreeMap::new();
    for block in snapshot.list_blocks(&query)?.iter().filter(|block| block.status != BlockStatus::Archived) {
        for part in &block.parts {
            let (name, source, peer) = (part.document.clone(), part.source.clone(), block.brought_by.peer.clone());
            let key = (name.clone(), source.clone(), peer.clone(), block.scope.as_str().to_owned());
            let details = found.entry(key).or_insert_with(|| DocumentDetails {
                name,
                source,
                peer,
                scope: block.scope.clone(),
                trusted: true,
                chunks: 0,
                stored_at: block.created_at,
                updated_at: block.created_at,
            });
            details.chunks += 1;
            details.trusted &= trusts(block);
            details.stored_at = details.stored_at.min(block.created_at);
            details.updated_at = details.updated_at.max(block.created_at);
        }
    }
    Ok(found.into_values().collect())
}
