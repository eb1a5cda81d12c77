//! Memory files as documents: reading, writing, moving and removing them.

use std::collections::{BTreeMap, HashMap};

use elfmem_core::{ArchiveReason, Block, BlockId, BlockStatus, DocumentPart};
use elfmem_store::{BlockQuery, DocumentQuery, Snapshot, Transaction};
use elfmem_text::secrets::SecretsPolicy;

use super::error::FileError;
use super::path::FilePath;
use crate::documents::{DocumentKey, archive_part, store_text};
use crate::learn::{CheckedLearn, LearnDocument};
use crate::moment::Moment;
use crate::secrets::Screen;
use crate::{Error, Result};

/// The source of documents that are memory files.
const FILE_SOURCE: &str = "memory-tool";
/// The longest file, in bytes.
pub(super) const MAX_FILE_BYTES: usize = 1024 * 1024;

/// Returns the document of a file.
fn key(path: &str) -> DocumentKey {
    DocumentKey { name: path.to_owned(), source: FILE_SOURCE.to_owned() }
}

/// Returns true if a block is still a part of its files. What consolidation replaced is, what was forgotten is not.
fn is_kept(block: &Block) -> bool {
    block.status != BlockStatus::Archived || block.archive_reason != Some(ArchiveReason::Forgotten)
}

/// Returns the text of a block at one place of a file.
fn text_at<'a>(block: &'a Block, part: &'a DocumentPart) -> &'a str {
    part.verbatim.as_deref().unwrap_or(&block.content)
}

/// Returns the exact text of a file; `None` if there is no such file.
pub(super) fn read(snapshot: &(impl Snapshot + ?Sized), path: &FilePath) -> Result<Option<String>> {
    let key = key(path.as_str());
    let blocks = key.blocks(snapshot)?;
    let mut places: Vec<(u32, &str)> = Vec::new();
    for block in blocks.iter().filter(|block| is_kept(block)) {
        let parts = block.parts.iter().filter(|part| key.contains(part));
        places.extend(parts.map(|part| (part.position, text_at(block, part))));
    }
    places.sort_by_key(|(position, _)| *position);
    Ok((!places.is_empty()).then(|| places.into_iter().map(|(_, text)| text).collect()))
}

/// Returns the paths of all files with their sizes.
pub(super) fn sizes(snapshot: &(impl Snapshot + ?Sized)) -> Result<BTreeMap<String, usize>> {
    let document = Some(DocumentQuery::OfSource(FILE_SOURCE.to_owned()));
    let query = BlockQuery { document, ..BlockQuery::default() };
    let mut sizes = BTreeMap::new();
    for block in snapshot.list_blocks(&query)? {
        if !is_kept(&block) || block.scope != *snapshot.scope() || block.brought_by.peer.is_some() {
            continue;
        }
        for part in block.parts.iter().filter(|part| part.source == FILE_SOURCE) {
            *sizes.entry(part.document.clone()).or_insert(0) += text_at(&block, part).len();
        }
    }
    Ok(sizes)
}

/// Returns the files at or below a path.
pub(super) fn files_below(snapshot: &(impl Snapshot + ?Sized), path: &FilePath) -> Result<Vec<String>> {
    let names = sizes(snapshot)?.into_keys();
    Ok(names.filter(|name| name == path.as_str() || path.relative(name).is_some()).collect())
}

/// Writes a file: the blocks of unchanged passages stay, changed ones are superseded. Returns the text that was stored, without
/// secrets.
pub(super) fn write(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    path: &FilePath,
    text: &str,
    secrets: SecretsPolicy,
) -> Result<String> {
    if text.len() > MAX_FILE_BYTES {
        let (path, bytes) = (path.as_str().to_owned(), text.len());
        return Err(FileError::TooLong { path, bytes, limit: MAX_FILE_BYTES }.into());
    }
    if text.contains('\0') {
        return Err(Error::NulInContent);
    }
    let mut screen = Screen::new(secrets);
    let text = screen.pass(text).into_owned();
    screen.finish()?;
    // A block cannot be empty: a file without words stands in the memory with its name.
    let learned = if text.trim().is_empty() { path.as_str() } else { &text };
    let document = LearnDocument::new(learned).name(path.as_str()).source(FILE_SOURCE).allow_secrets();
    let chunks = store_text(transaction, moment, &document)?;
    let texts: Vec<&str> = chunks.iter().map(|chunk| chunk.content.as_str()).collect();
    let slices = slices(&text, &texts);
    put_parts(transaction, &key(path.as_str()), &chunks, &slices)?;
    Ok(text)
}

/// Divides a text at the ends of its chunks. Nothing is lost: what is between two chunks goes to the later one.
fn slices<'a>(text: &'a str, chunks: &[&str]) -> Vec<&'a str> {
    let mut slices = Vec::with_capacity(chunks.len());
    let mut start = 0;
    for (at, chunk) in chunks.iter().enumerate() {
        let end = match text[start..].find(chunk) {
            _ if at + 1 == chunks.len() => text.len(),
            Some(found) => start + found + chunk.len(),
            None => start,
        };
        slices.push(&text[start..end]);
        start = end;
    }
    slices
}

/// Gives every block of a file its places in it.
fn put_parts(
    transaction: &mut dyn Transaction,
    key: &DocumentKey,
    chunks: &[CheckedLearn],
    slices: &[&str],
) -> Result<()> {
    let mut places: HashMap<BlockId, Vec<(DocumentPart, &str)>> = HashMap::new();
    for (at, (chunk, slice)) in chunks.iter().zip(slices).enumerate() {
        let headings = chunk.part.as_ref().map(|part| part.headings.clone()).unwrap_or_default();
        let (document, source) = (key.name.clone(), key.source.clone());
        let position = u32::try_from(at).unwrap_or(u32::MAX);
        let part = DocumentPart { document, source, position, headings, verbatim: None, labels: None };
        places.entry(chunk.id.clone()).or_default().push((part, slice));
    }
    for block in key.blocks(&*transaction)? {
        places.entry(block.id).or_default();
    }
    for (id, places) in places {
        let Some(block) = transaction.get_block(&id)? else { continue };
        let mut parts: Vec<DocumentPart> = block.parts.iter().filter(|part| !key.contains(part)).cloned().collect();
        parts.extend(places.into_iter().map(|(part, slice)| DocumentPart {
            verbatim: (slice != block.content).then(|| slice.to_owned()),
            ..part
        }));
        if parts != block.parts {
            transaction.update_block(&id, &mut |block| block.parts.clone_from(&parts))?;
        }
    }
    Ok(())
}

/// Removes a file. Blocks that something else says too stay.
pub(super) fn remove(transaction: &mut dyn Transaction, moment: &Moment, path: &str) -> Result<()> {
    let key = key(path);
    for block in key.blocks(&*transaction)? {
        let is_archived = block.status == BlockStatus::Archived;
        let stays = is_archived || key.is_said_elsewhere(&block);
        key.take_out(transaction, &block)?;
        if !stays {
            archive_part(transaction, moment, &block)?;
        }
    }
    Ok(())
}

/// Gives a file another path. Its blocks stay as they are.
pub(super) fn rename(transaction: &mut dyn Transaction, from: &str, to: &str) -> Result<()> {
    let key = key(from);
    for block in key.blocks(&*transaction)? {
        transaction.update_block(&block.id, &mut |block| {
            for part in block.parts.iter_mut().filter(|part| key.contains(part)) {
                to.clone_into(&mut part.document);
            }
            if block.source == FILE_SOURCE && block.brought_by.document.as_deref() == Some(from) {
                block.brought_by.document = Some(to.to_owned());
            }
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_lose_nothing() {
        for (text, chunks) in [
            ("\n# A\n\none\n\n\ntwo \n", vec!["# A\n\none", "two"]),
            ("one", vec!["one"]),
            ("", vec!["/memories/a"]),
            ("one two", vec!["other", "two"]),
            ("a a a", vec!["a", "a", "a"]),
        ] {
            let slices = slices(text, &chunks);
            assert_eq!((slices.concat(), slices.len()), (text.to_owned(), chunks.len()));
        }
        assert_eq!(slices("one\n\ntwo\n", &["one", "two"]), ["one", "\n\ntwo\n"]);
    }
}
