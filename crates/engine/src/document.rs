//! `learn_document`: a long text as a chain of blocks, in one transaction.

use crate::results::{LearnDocumentResult, LearnResult, LearnStatus};
use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{Edge, EdgeKey, EdgeOrigin, OperationKind, Relation, Trust};
use elfmem_store::{Snapshot, Store, Transaction};
use elfmem_text::document::split_document;
use elfmem_text::secrets::{Redactions, SecretsPolicy};

use crate::learn::{CheckedLearn, Learn, LearnDocument, MAX_CONTENT_BYTES, store_block};
use crate::memory::Memory;
use crate::moment::Moment;
use crate::secrets::Screen;
use crate::trace;
use crate::trust::may_join;
use crate::{Error, Result};

/// The source of a document that names none.
const DEFAULT_SOURCE: &str = "document";
/// The longest document.
const MAX_DOCUMENT_BYTES: usize = 32 * 1024 * 1024;

impl LearnDocument {
    /// Cuts the text into blocks and tells what was redacted. Secrets are searched in the whole text: a key may cross a cut.
    fn chunks(&self, secrets: SecretsPolicy) -> Result<(Vec<CheckedLearn>, Redactions)> {
        let policy = if self.secrets.allow_secrets { SecretsPolicy::Allow } else { secrets };
        let mut screen = Screen::new(policy);
        let text = &self.text;
        if text.len() > MAX_DOCUMENT_BYTES {
            return Err(Error::ContentTooLong { bytes: text.len(), limit: MAX_DOCUMENT_BYTES });
        }
        let text = screen.pass(text);
        let mut template =
            Learn::new("").source(screen.pass(self.source.as_deref().unwrap_or(DEFAULT_SOURCE)).into_owned());
        template.labels.clone_from(&self.labels);
        template.labels.tags = screen.pass_all(&self.labels.tags);
        screen.replace(&mut template.labels.category);
        template.document = screen.pass_optional(self.name.as_ref());
        let redacted = screen.finish()?;
        let pieces = split_document(&text, self.chunk_words, MAX_CONTENT_BYTES);
        if pieces.is_empty() {
            return Err(Error::EmptyContent);
        }
        let checked = |piece: String| Learn { content: piece, ..template.clone() }.checked(SecretsPolicy::Allow);
        Ok((pieces.into_iter().map(checked).collect::<Result<_>>()?, redacted))
    }
}

impl<S: Store> Memory<S> {
    /// Stores a long text as a chain of blocks, all of it or nothing. It is cut along its structure and sentences. See
    /// [`LearnDocument`].
    ///
    /// # Errors
    /// A text that is empty or over 32 MiB; otherwise the errors of [`learn`](Self::learn).
    pub fn learn_document(&self, document: impl Into<LearnDocument>) -> Result<LearnDocumentResult> {
        let _span = trace::verb("learn_document");
        let document = document.into();
        let (chunks, redacted) = document.chunks(self.options.secrets)?;
        let speaker = chunks.iter().map(|chunk| self.trust_of(chunk)).max().unwrap_or(Trust::Owner);
        let result = self.change_as(OperationKind::LearnDocument, None, speaker, |transaction, moment| {
            let redacted = redacted.clone();
            let mut result =
                LearnDocumentResult { chunks: vec![], created: 0, duplicates: 0, edges_created: 0, redacted };
            let mut previous_is_own = true;
            for chunk in &chunks {
                let stored = store_block(transaction, moment, chunk)?;
                match stored.status {
                    LearnStatus::DuplicateRejected => result.duplicates += 1,
                    _ => result.created += 1,
                }
                let previous = result.chunks.last().map(|previous| &previous.block_id);
                let key = previous.and_then(|previous| EdgeKey::canonical(previous, &stored.block_id));
                // A piece that returns again and again (a heading, a line) would be next to everything.
                let own = is_own(&*transaction, moment, &stored)?;
                let joins = std::mem::replace(&mut previous_is_own, own) && own;
                if let Some(key) = key
                    && joins
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

/// Whether a piece may be joined with those around it: not if an untrusted document repeats a trusted block.
fn is_own(snapshot: &dyn Transaction, moment: &Moment, stored: &LearnResult) -> Result<bool> {
    if moment.speaker == Trust::Owner || stored.status != LearnStatus::DuplicateRejected {
        return Ok(true);
    }
    Ok(snapshot.get_block(&stored.block_id)?.is_none_or(|block| may_join(moment, moment.speaker, &[block])))
}

/// Whether both ends have fewer edges than they may have.
pub(crate) fn has_room(snapshot: &(impl Snapshot + ?Sized), key: &EdgeKey) -> Result<bool> {
    let degrees = snapshot.get_degrees(&[key.from_id.clone(), key.to_id.clone()])?;
    Ok(degrees.values().all(|degree| *degree < DEGREE_CAP))
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
