//! `learn_document`: a long text as a chain of blocks, in one transaction.

use std::collections::{HashMap, HashSet};

use elfmem_core::{BlockId, BlockStatus, DocumentPart, OperationKind, Trust};
use elfmem_store::{Store, Transaction};
use elfmem_text::document::DocumentChunks;
use elfmem_text::secrets::{Redactions, SecretsPolicy};

use super::follow_edges::{join, separate};
use super::key::DocumentKey;
use super::replace::replace;
use crate::learn::{CheckedLearn, Learn, LearnDocument, MAX_CONTENT_BYTES, store_block, visible_name};
use crate::memory::{Memory, head_of};
use crate::moment::Moment;
use crate::results::{LearnDocumentResult, LearnResult, LearnStatus};
use crate::secrets::Screen;
use crate::trace;
use crate::trust::counts_for;
use crate::{Error, Result};

/// The source of a document that names none.
pub(crate) const DOCUMENT_SOURCE: &str = "document";
/// The longest document.
const MAX_DOCUMENT_BYTES: usize = 32 * 1024 * 1024;
/// The longest name of a document, in bytes.
pub(crate) const MAX_NAME_BYTES: usize = 1_024;

/// A document without its text: what its blocks have in common.
struct DocumentHeader {
    template: Learn,
    key: Option<DocumentKey>,
    policy: SecretsPolicy,
    redacted: Redactions,
}

impl LearnDocument {
    fn header(&self, secrets: SecretsPolicy) -> Result<DocumentHeader> {
        let policy = if self.secrets.allow_secrets { SecretsPolicy::Allow } else { secrets };
        let mut screen = Screen::new(policy);
        let source = visible_name(&screen.pass(self.source.as_deref().unwrap_or(DOCUMENT_SOURCE)));
        let name = self.name.as_deref().map(|name| visible_name(&screen.pass(name))).filter(|name| !name.is_empty());
        if name.as_ref().is_some_and(|name| name.len() > MAX_NAME_BYTES) {
            let problem = format!("is longer than {MAX_NAME_BYTES} bytes");
            return Err(Error::BadText { what: "name", problem });
        }
        let mut template = Learn::new("").source(source.clone());
        template.labels.clone_from(&self.labels);
        template.labels.tags = screen.pass_all(&self.labels.tags);
        screen.replace(&mut template.labels.category);
        template.document.clone_from(&name);
        let key = name.map(|name| DocumentKey { name, source });
        Ok(DocumentHeader { template, key, policy, redacted: screen.finish()? })
    }

    /// Cuts the text into blocks, along those of the earlier version where it did not change. Secrets are searched in the
    /// whole text: a key may cross a cut.
    fn chunks(&self, header: &mut DocumentHeader, known: &[String]) -> Result<Vec<CheckedLearn>> {
        if self.text.len() > MAX_DOCUMENT_BYTES {
            return Err(Error::ContentTooLong { bytes: self.text.len(), limit: MAX_DOCUMENT_BYTES });
        }
        let mut screen = Screen::new(header.policy);
        let text = screen.pass(&self.text);
        let chunks = DocumentChunks::new(self.chunk_words, MAX_CONTENT_BYTES).known(known).split(&text);
        header.redacted.merge(&screen.finish()?);
        if chunks.is_empty() {
            return Err(Error::EmptyContent);
        }
        let mut seen: HashSet<BlockId> = HashSet::new();
        let mut checked = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let learn = Learn { content: chunk.text, ..header.template.clone() };
            let mut new = learn.checked(SecretsPolicy::Allow)?;
            // A text that returns has its first place.
            if let Some(key) = header.key.as_ref().filter(|_| seen.insert(new.id.clone())) {
                let (document, source) = (key.name.clone(), key.source.clone());
                let position = u32::try_from(checked.len()).unwrap_or(u32::MAX);
                new.part = Some(DocumentPart {
                    document,
                    source,
                    position,
                    headings: chunk.headings,
                    verbatim: None,
                    labels: None,
                });
            }
            checked.push(new);
        }
        Ok(checked)
    }
}

impl<S: Store> Memory<S> {
    /// Stores a long text as a chain of blocks, all of it or nothing. It is cut along its structure and sentences. See
    /// [`LearnDocument`].
    ///
    /// A document with the name and the source of one that is stored in this scope replaces it: blocks whose text is
    /// unchanged stay as they are, changed ones are superseded by their successors, and what vanished is archived unless
    /// another document, somebody else or a pin keeps it. All of it is one operation for [`undo`](Self::undo).
    ///
    /// # Errors
    /// A text that is empty or over 32 MiB; otherwise the errors of [`learn`](Self::learn).
    pub fn learn_document(&self, document: impl Into<LearnDocument>) -> Result<LearnDocumentResult> {
        let _span = trace::verb("learn_document");
        let document = document.into();
        let mut header = document.header(self.options.secrets)?;
        let known: Vec<String> = match &header.key {
            Some(key) => {
                self.read(|snapshot| Ok(key.blocks(snapshot)?.into_iter().map(|block| block.content).collect()))?
            }
            None => Vec::new(),
        };
        let chunks = document.chunks(&mut header, &known)?;
        let speaker = chunks.iter().map(|chunk| self.trust_of(chunk)).max().unwrap_or(Trust::Owner);
        let result = self.change_as(OperationKind::LearnDocument, None, speaker, |transaction, moment| {
            store_document(transaction, moment, &header, &chunks)
        })?;
        let mut running = self.running();
        for chunk in result.chunks.iter().filter(|chunk| chunk.status == LearnStatus::Created) {
            running.breadcrumbs.record_learned(&chunk.block_id);
        }
        Ok(result)
    }
}

/// Stores a document whose text is free of secrets, as a part of another operation. Returns the chunks in their order.
pub(crate) fn store_text(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    document: &LearnDocument,
) -> Result<Vec<CheckedLearn>> {
    let mut header = document.header(SecretsPolicy::Allow)?;
    let known: Vec<String> = match &header.key {
        Some(key) => key.blocks(&*transaction)?.into_iter().map(|block| block.content).collect(),
        None => Vec::new(),
    };
    let chunks = document.chunks(&mut header, &known)?;
    store_document(transaction, moment, &header, &chunks)?;
    chunks.iter().map(|chunk| chunk.in_scope(&*transaction)).collect()
}

fn store_document(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    header: &DocumentHeader,
    chunks: &[CheckedLearn],
) -> Result<LearnDocumentResult> {
    let chunks = &chunks.iter().map(|chunk| chunk.in_scope(&*transaction)).collect::<Result<Vec<_>>>()?[..];
    let mut result = LearnDocumentResult { redacted: header.redacted.clone(), ..LearnDocumentResult::default() };
    let mut before = Vec::new();
    let mut represented: HashMap<BlockId, BlockId> = HashMap::new();
    if let Some(key) = &header.key {
        result.document = Some(key.name.clone());
        for block in key.blocks(&*transaction)? {
            if block.status == BlockStatus::Archived {
                // Consolidation or the owner put another block in its place: that one stands for it.
                let head = head_of(&*transaction, block.id.clone())?;
                if head != block.id && is_live(&*transaction, &head)? {
                    represented.insert(block.id, head);
                }
            } else if counts_for(moment, moment.speaker, &block) {
                before.push(block);
            }
        }
    }
    result.replaced = !before.is_empty();
    let old: HashSet<&BlockId> = before.iter().map(|block| &block.id).collect();
    let mut seen: HashSet<&BlockId> = HashSet::new();
    for chunk in chunks {
        if represented.contains_key(&chunk.id) {
            result.unchanged += 1;
            result.chunks.push(LearnResult::new(chunk.id.clone(), LearnStatus::DuplicateRejected));
            continue;
        }
        let stored = store_block(transaction, moment, chunk)?;
        match stored.status {
            LearnStatus::DuplicateRejected if old.contains(&chunk.id) && seen.insert(&chunk.id) => {
                result.unchanged += 1;
            }
            LearnStatus::DuplicateRejected => result.duplicates += 1,
            _ => result.created += 1,
        }
        result.chunks.push(stored);
    }
    if let Some(key) = &header.key {
        replace(transaction, moment, key, &before, chunks, &mut result)?;
    }
    let after: Vec<BlockId> =
        chunks.iter().map(|chunk| represented.get(&chunk.id).unwrap_or(&chunk.id).clone()).collect();
    separate(transaction, &before, &after)?;
    result.edges_created = join(transaction, moment, &after)?;
    Ok(result)
}

fn is_live(transaction: &dyn Transaction, id: &BlockId) -> Result<bool> {
    let status = transaction.get_statuses(std::slice::from_ref(id))?.remove(id);
    Ok(status.is_some_and(|status| status != BlockStatus::Archived))
}

#[cfg(test)]
mod tests {
    use elfmem_text::document::DEFAULT_CHUNK_WORDS;

    use super::*;

    #[test]
    fn a_document_is_cut_into_blocks_of_the_usual_size_by_default() {
        assert_eq!(LearnDocument::new("text").chunk_words, DEFAULT_CHUNK_WORDS);
    }
}
