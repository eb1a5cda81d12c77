//! Notes that were imported before: only what changed in them comes in.

use std::collections::HashMap;

use elfmem_core::provenance::IMPORT;
use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::Transaction;
use elfmem_text::secrets::SecretsPolicy;

use super::import::ImportOptions;
use super::result::ImportResult;
use crate::Result;
use crate::documents::{DOCUMENT_SOURCE, DocumentKey, blocks_by_document, replace, separate};
use crate::import::{CutNote, Note, TextSet, is_stale_reference};
use crate::learn::{CheckedLearn, visible_name};
use crate::memory::head_of;
use crate::moment::Moment;
use crate::results::{LearnDocumentResult, LearnResult, LearnStatus};
use crate::secrets::Screen;
use crate::trust::counts_for;

/// The documents of this import as they were before it.
#[derive(Default)]
pub(super) struct EarlierNotes {
    /// The live blocks of each document that the import may change.
    versions: Vec<(DocumentKey, Vec<Block>)>,
    /// Archived blocks of the documents, with the block that stands for each.
    represented: HashMap<BlockId, BlockId>,
}

impl EarlierNotes {
    /// Returns the block that stands for an archived one: consolidation or the owner put it in its place.
    pub(super) fn representative(&self, id: &BlockId) -> Option<&BlockId> {
        self.represented.get(id)
    }

    /// Cuts the notes of a set along their earlier versions. Secrets are searched in the whole text: a key may cross a cut.
    pub(super) fn cut(
        transaction: &dyn Transaction,
        moment: &Moment,
        set: &TextSet,
        secrets: SecretsPolicy,
        options: &ImportOptions,
        result: &mut ImportResult,
    ) -> Result<(TextSet, Self)> {
        // What a peer sends has no identity here by which it would replace anything.
        let origin = set.origin.as_ref().filter(|_| options.peer.is_none());
        let mut known = match origin {
            Some(_) => blocks_by_document(transaction)?,
            None => HashMap::new(),
        };
        let mut earlier = Self::default();
        let cut = set.with_notes_cut(|note: &Note| -> Result<Option<CutNote>> {
            let mut screen = Screen::new(secrets);
            let label = visible_name(&screen.pass(&note.place));
            let name = origin.map(|origin| visible_name(&screen.pass(&origin.document_name(note))));
            let text = screen.pass(&note.text);
            match screen.finish() {
                Ok(redacted) => result.redacted.merge(&redacted),
                Err(error) => {
                    result.skip(error.message().trim_end_matches('.'), || label.clone());
                    return Ok(None);
                }
            }
            let key = name.map(|name| DocumentKey { name, source: DOCUMENT_SOURCE.to_owned() });
            let blocks = key.as_ref().and_then(|key| known.remove(key)).unwrap_or_default();
            let texts: Vec<String> = blocks.iter().map(|block| block.content.clone()).collect();
            if let Some(key) = &key {
                earlier.add(transaction, moment, key.clone(), blocks)?;
            }
            Ok(Some(CutNote { chunks: Note::cut(&text, &texts), key, label }))
        })?;
        let is_gone = |key: &DocumentKey| {
            key.source == DOCUMENT_SOURCE && origin.is_some_and(|origin| origin.is_folder_of(&key.name))
        };
        let mut gone: Vec<_> = known.into_iter().filter(|(key, _)| is_gone(key)).collect();
        gone.sort_by(|(one, _), (next, _)| one.name.cmp(&next.name));
        for (key, mut blocks) in gone {
            // What was learned from a file of the folder by other means is none of the import's.
            blocks.retain(|block| block.brought_by.surface.as_deref() == Some(IMPORT));
            earlier.add(transaction, moment, key, blocks)?;
        }
        Ok((cut, earlier))
    }

    fn add(&mut self, snapshot: &dyn Transaction, moment: &Moment, key: DocumentKey, blocks: Vec<Block>) -> Result<()> {
        let mut live = Vec::with_capacity(blocks.len());
        for block in blocks {
            if block.status != BlockStatus::Archived {
                live.extend(counts_for(moment, moment.speaker, &block).then_some(block));
                continue;
            }
            let head = head_of(snapshot, block.id.clone())?;
            let status = snapshot.get_statuses(std::slice::from_ref(&head))?.remove(&head);
            if head != block.id && status.is_some_and(|status| status != BlockStatus::Archived) {
                self.represented.insert(block.id, head);
            }
        }
        self.versions.push((key, live));
        Ok(())
    }

    /// Supersedes or archives what the notes do not contain any more. `chunks` are the stored texts of all notes.
    pub(super) fn replace(
        &self,
        transaction: &mut dyn Transaction,
        moment: &Moment,
        chunks: &[CheckedLearn],
        result: &mut ImportResult,
    ) -> Result<()> {
        let mut by_document: HashMap<&str, Vec<CheckedLearn>> = HashMap::new();
        for chunk in chunks {
            if let Some(part) = &chunk.part {
                by_document.entry(&part.document).or_default().push(chunk.clone());
            }
        }
        for (key, before) in self.versions.iter().filter(|(_, before)| !before.is_empty()) {
            let after = by_document.remove(key.name.as_str()).unwrap_or_default();
            let before = &current(transaction, before)?;
            let outcomes = after.iter().map(|chunk| LearnResult::new(chunk.id.clone(), LearnStatus::DuplicateRejected));
            let mut replaced = LearnDocumentResult { chunks: outcomes.collect(), ..LearnDocumentResult::default() };
            replace(transaction, moment, key, before, &after, &mut replaced)?;
            let ids: Vec<BlockId> = after.iter().map(|chunk| chunk.id.clone()).collect();
            separate(transaction, before, &ids)?;
            for (chunk, outcome) in
                after.iter().zip(&replaced.chunks).filter(|(_, outcome)| outcome.superseded.is_some())
            {
                remove_stale_references(transaction, &outcome.block_id, &chunk.content)?;
            }
            // What the note does not contain any more and another one does.
            for block in current(transaction, before)? {
                if block.status != BlockStatus::Archived && !ids.contains(&block.id) {
                    result.count_updated(&block.id);
                }
            }
            result.changed += replaced.changed as u64;
            result.removed += replaced.removed as u64;
        }
        Ok(())
    }
}

/// Reads blocks again, in their order: another note of the import may have taken them up.
fn current(transaction: &dyn Transaction, blocks: &[Block]) -> Result<Vec<Block>> {
    let mut current = Vec::with_capacity(blocks.len());
    for block in blocks {
        current.extend(transaction.get_block(&block.id)?);
    }
    Ok(current)
}

/// Removes the edges that a block inherited for links that its text does not contain.
fn remove_stale_references(transaction: &mut dyn Transaction, id: &BlockId, text: &str) -> Result<()> {
    for edge in transaction.get_edges_for_block(id)? {
        if is_stale_reference(&edge, id, text) {
            transaction.delete_edge(&edge.key)?;
        }
    }
    Ok(())
}
