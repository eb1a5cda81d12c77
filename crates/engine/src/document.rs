//! `learn_document`: a long text as a chain of blocks, in one transaction.

use crate::results::{LearnDocumentResult, LearnStatus};
use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{Edge, EdgeKey, EdgeOrigin, OperationKind, Relation};
use elfmem_store::{Snapshot, Store};
use elfmem_text::document::{DEFAULT_CHUNK_WORDS, split_document};
use elfmem_text::secrets::{Redactions, SecretsPolicy};

use crate::learn::{CheckedLearn, Learn, MAX_CONTENT_BYTES, store_block};
use crate::memory::Memory;
use crate::secrets::Screen;
use crate::{Error, Result};

/// The longest document.
const MAX_DOCUMENT_BYTES: usize = 32 * 1024 * 1024;

/// A document to store.
#[derive(Debug, Clone)]
pub struct LearnDocument {
    template: Learn,
    chunk_words: usize,
}

impl LearnDocument {
    /// Stores `text`, cut into blocks of about 256 words.
    pub fn new(text: impl Into<String>) -> Self {
        Self { template: Learn::new(text).source("document"), chunk_words: DEFAULT_CHUNK_WORDS }
    }

    /// Adds tags to every block.
    #[must_use]
    pub fn tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.template = self.template.tags(tags);
        self
    }

    /// Sets the category of every block.
    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.template = self.template.category(category);
        self
    }

    /// Says where the document comes from.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.template = self.template.source(source);
        self
    }

    /// Names the document: a file, a page. Everything from it can be taken back by that name.
    #[must_use]
    pub fn document(mut self, name: impl Into<String>) -> Self {
        self.template.document = Some(name.into());
        self
    }

    /// Sets how many words a block aims for.
    #[must_use]
    pub fn chunk_words(mut self, words: usize) -> Self {
        self.chunk_words = words;
        self
    }

    /// Stores keys, tokens and passwords in it as they are.
    #[must_use]
    pub fn allow_secrets(mut self, allow: bool) -> Self {
        self.template = self.template.allow_secrets(allow);
        self
    }

    /// The blocks of it, and what was redacted. Secrets are looked for in the whole: a key may run over the end of a piece.
    fn chunks(&self, secrets: SecretsPolicy) -> Result<(Vec<CheckedLearn>, Redactions)> {
        let policy = if self.template.allow_secrets { SecretsPolicy::Allow } else { secrets };
        let mut screen = Screen::new(policy);
        let text = &self.template.content;
        if text.len() > MAX_DOCUMENT_BYTES {
            return Err(Error::ContentTooLong { bytes: text.len(), limit: MAX_DOCUMENT_BYTES });
        }
        let text = screen.pass(text);
        let redacted = screen.finish()?;
        let pieces = split_document(&text, self.chunk_words, MAX_CONTENT_BYTES);
        if pieces.is_empty() {
            return Err(Error::EmptyContent);
        }
        let checked = |piece: String| Learn { content: piece, ..self.template.clone() }.checked(SecretsPolicy::Allow);
        Ok((pieces.into_iter().map(checked).collect::<Result<_>>()?, redacted))
    }
}

impl<S: Store> Memory<S> {
    /// Stores a long text: cut along its structure and sentences, neighbouring blocks linked, all or nothing.
    ///
    /// USE WHEN: a text is longer than one thought. DON'T USE WHEN: you can say it in a sentence or two;
    /// [`learn`](Self::learn) that. COST: fast, one transaction, no model. RETURNS: one
    /// [`LearnResult`](crate::LearnResult) per block, in order. NEXT: recall finds its parts at once.
    ///
    /// # Errors
    /// Empty or over 32 MiB; otherwise as [`learn`](Self::learn).
    pub fn learn_document(&self, document: &LearnDocument) -> Result<LearnDocumentResult> {
        let (chunks, redacted) = document.chunks(self.options.secrets)?;
        let result = self.change(OperationKind::LearnDocument, |transaction, moment| {
            let redacted = redacted.clone();
            let mut result =
                LearnDocumentResult { chunks: vec![], created: 0, duplicates: 0, edges_created: 0, redacted };
            for chunk in &chunks {
                let stored = store_block(transaction, moment, chunk)?;
                match stored.status {
                    LearnStatus::DuplicateRejected => result.duplicates += 1,
                    _ => result.created += 1,
                }
                let previous = result.chunks.last().map(|previous| &previous.block_id);
                let key = previous.and_then(|previous| EdgeKey::canonical(previous, &stored.block_id));
                // A piece that returns again and again (a heading, a line) would be next to everything.
                if let Some(key) = key
                    && has_room(&*transaction, &key)?
                {
                    let edge = Edge::new(key, Relation::FOLLOWS, EdgeOrigin::DOCUMENT, moment.at);
                    result.edges_created += usize::from(transaction.insert_edge(&edge)?);
                }
                result.chunks.push(stored);
            }
            Ok(result)
        })?;
        let mut running = self.running();
        for chunk in result.chunks.iter().filter(|chunk| chunk.status == LearnStatus::Created) {
            running.breadcrumbs.record_learned(&chunk.block_id);
        }
        Ok(result)
    }
}

/// Whether both ends have fewer edges than they may have.
pub(crate) fn has_room(snapshot: &(impl Snapshot + ?Sized), key: &EdgeKey) -> Result<bool> {
    let degrees = snapshot.get_degrees(&[key.from_id.clone(), key.to_id.clone()])?;
    Ok(degrees.values().all(|degree| *degree < DEGREE_CAP))
}
