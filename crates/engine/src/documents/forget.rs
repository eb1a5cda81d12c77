//! `forget_document`: archives all blocks of a document.

use std::fmt;

use elfmem_core::document::short_name;
use elfmem_core::{ArchiveReason, BlockStatus, OperationKind};
use elfmem_store::{Snapshot, Store, Transaction};
use elfmem_text::phrase::counted;
use serde::Serialize;

use super::error::DocumentError;
use super::key::{DocumentKey, archive_part};
use super::learn::MAX_NAME_BYTES;
use super::list::{DocumentDetails, documents};
use super::request::ForgetDocument;
use crate::Result;
use crate::input::{LONGEST_NOTE, checked_text};
use crate::memory::Memory;
use crate::moment::Moment;
use crate::results::one_line;
use crate::secrets::checked_remark;
use crate::trace;

/// Result of `forget_document`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ForgetDocumentResult {
    /// The name of the document.
    pub document: String,
    /// The source of the document.
    pub source: String,
    /// The reason given by the caller.
    pub reason: Option<String>,
    /// Number of archived blocks.
    pub archived: usize,
    /// Number of blocks that stay because another document or somebody else says them too.
    pub kept: usize,
}

impl fmt::Display for ForgetDocumentResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = self.reason.as_ref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
        write!(f, "Forgot document '{}'{why}. Archived {}", self.document, counted(self.archived as u64, "block"))?;
        if self.kept > 0 {
            write!(f, ", kept {} that something else says too", self.kept)?;
        }
        f.write_str(". Bring it back with undo().")
    }
}

impl<S: Store> Memory<S> {
    /// Archives all blocks of a document in one operation. Blocks that another document or somebody else says too stay.
    /// The name of a file may be given without its folders. See [`ForgetDocument`].
    ///
    /// # Errors
    /// [`DocumentError`]: no document has the name, or several have it.
    pub fn forget_document(&self, request: impl Into<ForgetDocument>) -> Result<ForgetDocumentResult> {
        let _span = trace::verb("forget_document");
        let ForgetDocument { document, source, reason } = request.into();
        let name = checked_text("document", Some(&document), MAX_NAME_BYTES)?.unwrap_or_default();
        let reason = checked_remark("reason", reason.as_deref(), LONGEST_NOTE, self.options.secrets)?;
        self.change(OperationKind::ForgetDocument, |transaction, moment| {
            let found = resolve(&*transaction, &name, source.as_deref())?;
            let (archived, kept) = archive(transaction, moment, &found)?;
            let DocumentKey { name: document, source } = found;
            Ok(ForgetDocumentResult { document, source, reason: reason.clone(), archived, kept })
        })
    }
}

/// Archives the blocks of a document. Returns how many were archived and how many stay.
fn archive(transaction: &mut dyn Transaction, moment: &Moment, key: &DocumentKey) -> Result<(usize, usize)> {
    let (mut archived, mut kept) = (0, 0);
    for block in key.blocks(&*transaction)? {
        if block.status == BlockStatus::Archived {
            // Another block stands for it; its text is not a part of the document any more.
            if block.archive_reason != Some(ArchiveReason::Forgotten) {
                key.take_out(transaction, &block)?;
            }
            continue;
        }
        if key.is_said_elsewhere(&block) {
            key.take_out(transaction, &block)?;
            kept += 1;
        } else {
            archive_part(transaction, moment, &block)?;
            archived += 1;
        }
    }
    Ok((archived, kept))
}

/// Finds the document of a name: the one that is called so, else the only one whose path ends in it.
fn resolve(snapshot: &(impl Snapshot + ?Sized), name: &str, source: Option<&str>) -> Result<DocumentKey> {
    let mut known = documents(snapshot, |_| true)?;
    known.retain(|one| {
        one.scope == *snapshot.scope() && one.peer.is_none() && source.is_none_or(|source| one.source == source)
    });
    let is_path_to = |one: &&DocumentDetails| {
        short_name(&one.name) == name || one.name.strip_suffix(name).is_some_and(|rest| rest.ends_with(['/', '\\']))
    };
    let mut found: Vec<&DocumentDetails> = known.iter().filter(|one| one.name == name).collect();
    if found.is_empty() && !name.is_empty() {
        found = known.iter().filter(is_path_to).collect();
    }
    let names = |documents: Vec<&DocumentDetails>| {
        documents.into_iter().map(|one| (one.name.clone(), one.source.clone())).collect::<Vec<_>>()
    };
    match found.as_slice() {
        [one] => Ok(DocumentKey { name: one.name.clone(), source: one.source.clone() }),
        [] => Err(DocumentError::Unknown { name: name.to_owned(), known: names(known.iter().collect()) }.into()),
        _ => Err(DocumentError::Ambiguous { name: name.to_owned(), found: names(found) }.into()),
    }
}
