//! Folders of notes that were moved as a whole: finds the earlier folder and renames its documents.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use elfmem_core::{Block, BlockStatus};
use elfmem_store::{Store, Transaction};
use elfmem_text::secrets::SecretsPolicy;

use crate::Result;
use crate::documents::{DOCUMENT_SOURCE, DocumentKey, blocks_by_document};
use crate::import::{ImportContents, Note, NotesOrigin, ParsedImport};
use crate::learn::visible_name;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::secrets::Screen;
use crate::trust::counts_for;

/// What the memory has of an earlier folder, in blocks.
#[derive(Default)]
struct Evidence {
    /// The blocks of its documents.
    blocks: usize,
    /// Those whose text stands in the note with the same path in the new folder.
    unchanged: usize,
}

impl<S: Store> Memory<S> {
    /// Returns the other folders that the notes of an import may have been in when they were imported before, the likeliest
    /// first. At least half of what the memory has of such a folder stands unchanged in the notes with the same paths.
    ///
    /// Whether the folder is gone, and so was moved, is for the caller to find out. See [`ParsedImport::moved_from`].
    ///
    /// # Errors
    /// Those of the store.
    pub fn earlier_folders(&self, parsed: &ParsedImport) -> Result<Vec<PathBuf>> {
        let ImportContents::Texts(set) = &parsed.contents else { return Ok(Vec::new()) };
        let Some(NotesOrigin::Folder { path, .. }) = &set.origin else { return Ok(Vec::new()) };
        let documents = self.read(|snapshot| blocks_by_document(snapshot))?;
        let documents: Vec<(&Path, Vec<&Block>)> = documents
            .iter()
            .filter(|(key, _)| key.source == DOCUMENT_SOURCE)
            .map(|(key, blocks)| (Path::new(&key.name), blocks.iter().filter(|block| is_live(block)).collect()))
            .collect();
        let notes: HashMap<&Path, &Note> = set.notes.iter().map(|note| (Path::new(&note.place), note)).collect();
        let mut folders: Vec<(PathBuf, usize)> = candidates(&documents, &notes)
            .into_iter()
            .filter(|folder| !folder.starts_with(path) && !path.starts_with(folder))
            .filter_map(|folder| {
                let evidence = evidence_of(&folder, &documents, &notes);
                (evidence.unchanged * 2 >= evidence.blocks.max(1)).then_some((folder, evidence.unchanged))
            })
            .collect();
        folders.sort_by(|(one, unchanged), (next, others)| others.cmp(unchanged).then_with(|| one.cmp(next)));
        Ok(folders.into_iter().map(|(folder, _)| folder).collect())
    }
}

fn is_live(block: &Block) -> bool {
    block.status != BlockStatus::Archived
}

/// Returns the folders in which a note has the path that it has in the new folder.
fn candidates(documents: &[(&Path, Vec<&Block>)], notes: &HashMap<&Path, &Note>) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = documents
        .iter()
        .flat_map(|(name, _)| name.ancestors().skip(1).map(|folder| (*name, folder)))
        .filter(|(name, folder)| name.strip_prefix(folder).is_ok_and(|place| notes.contains_key(place)))
        .map(|(_, folder)| folder.to_owned())
        .collect();
    found.sort();
    found.dedup();
    found
}

fn evidence_of(folder: &Path, documents: &[(&Path, Vec<&Block>)], notes: &HashMap<&Path, &Note>) -> Evidence {
    let mut evidence = Evidence::default();
    for (name, blocks) in documents {
        let Ok(place) = name.strip_prefix(folder) else { continue };
        let note = notes.get(place);
        evidence.blocks += blocks.len();
        evidence.unchanged +=
            blocks.iter().filter(|block| note.is_some_and(|note| note.text.contains(&block.content))).count();
    }
    evidence
}

/// Names the documents of the earlier folder of the notes by their paths in the new one.
pub(super) fn rename_documents(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    from: &Path,
    to: &Path,
    secrets: SecretsPolicy,
) -> Result<()> {
    for (key, blocks) in blocks_by_document(&*transaction)? {
        let Ok(place) = Path::new(&key.name).strip_prefix(from) else { continue };
        if key.source != DOCUMENT_SOURCE {
            continue;
        }
        let mut screen = Screen::new(secrets);
        let name = visible_name(&screen.pass(&to.join(place).display().to_string()));
        // A name that the policy refuses is refused when its note is read.
        if screen.finish().is_err() {
            continue;
        }
        let renamed = DocumentKey { name, source: key.source.clone() };
        for block in blocks.iter().filter(|block| counts_for(moment, moment.speaker, block)) {
            rename(transaction, block, &key, &renamed)?;
        }
    }
    Ok(())
}

/// Changes the name of a document in a block. A block that is in both is in the new one already.
fn rename(transaction: &mut dyn Transaction, block: &Block, from: &DocumentKey, to: &DocumentKey) -> Result<()> {
    transaction.update_block(&block.id, &mut |block| {
        if block.parts.iter().any(|part| to.contains(part)) {
            block.parts.retain(|part| !from.contains(part));
        }
        for part in block.parts.iter_mut().filter(|part| from.contains(part)) {
            part.document.clone_from(&to.name);
        }
        if block.source == from.source && block.brought_by.document.as_deref() == Some(&from.name) {
            block.brought_by.document = Some(to.name.clone());
        }
    })?;
    Ok(())
}
