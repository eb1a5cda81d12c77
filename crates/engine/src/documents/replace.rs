//! Replaces the blocks of an earlier version of a document.

use std::collections::HashMap;

use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::Transaction;
use elfmem_text::document::{Successor, VersionPart, successors};

use super::key::{DocumentKey, archive_part};
use super::labels::withdraw_labels;
use crate::Result;
use crate::learn::CheckedLearn;
use crate::moment::Moment;
use crate::results::LearnDocumentResult;
use crate::supersede::{SuccessorKind, supersede};

/// Supersedes or archives the blocks of the earlier version that the later one does not contain, and counts them.
pub(crate) fn replace(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    key: &DocumentKey,
    before: &[Block],
    after: &[CheckedLearn],
    result: &mut LearnDocumentResult,
) -> Result<()> {
    let stays: HashMap<&BlockId, &CheckedLearn> = after.iter().map(|chunk| (&chunk.id, chunk)).collect();
    for (block, successor) in before.iter().zip(find_successors(key, before, after)) {
        if stays.contains_key(&block.id) {
            continue;
        }
        if key.is_said_elsewhere(block) {
            withdraw_labels(transaction, key, block)?;
            key.take_out(transaction, block)?;
            result.kept += 1;
            continue;
        }
        let (new, kind) = match successor {
            Some(Successor::Reworded(at)) => (Some(at), SuccessorKind::LaterState),
            Some(Successor::Rewritten(at)) => (Some(at), SuccessorKind::OtherClaim),
            None => (None, SuccessorKind::OtherClaim),
        };
        let new = match new {
            Some(at) => live_chunk(&*transaction, &after[at])?.map(|id| (at, id)),
            None => None,
        };
        match new {
            Some((at, id)) => {
                // A successor inherits what others gave to the block. What the document gives, the document says.
                if after[at].part.as_ref().is_some_and(|part| part.labels.is_some()) {
                    withdraw_labels(transaction, key, block)?;
                }
                key.take_out(transaction, block)?;
                supersede(transaction, moment, block, &id, kind)?;
                result.changed += 1;
                result.chunks[at].superseded.get_or_insert_with(|| block.id.clone());
            }
            // Somebody said that it must not be lost.
            None if block.pinned => {
                key.take_out(transaction, block)?;
                result.kept += 1;
            }
            None => {
                key.take_out(transaction, block)?;
                archive_part(transaction, moment, block)?;
                result.removed += 1;
            }
        }
    }
    Ok(())
}

/// Returns the block of a chunk, unless it is archived.
fn live_chunk(transaction: &dyn Transaction, chunk: &CheckedLearn) -> Result<Option<BlockId>> {
    let status = transaction.get_statuses(std::slice::from_ref(&chunk.id))?.remove(&chunk.id);
    Ok(status.filter(|status| *status != BlockStatus::Archived).map(|_| chunk.id.clone()))
}

/// Finds what took the place of each block of the earlier version.
fn find_successors(key: &DocumentKey, before: &[Block], after: &[CheckedLearn]) -> Vec<Option<Successor>> {
    let texts: HashMap<&BlockId, &str> = before.iter().map(|block| (&block.id, block.content.as_str())).collect();
    let old: Vec<VersionPart<'_>> = before
        .iter()
        .map(|block| {
            let part = block.parts.iter().find(|part| key.contains(part));
            VersionPart { text: &block.content, headings: part.map_or(&[], |part| part.headings.as_slice()) }
        })
        .collect();
    let new: Vec<VersionPart<'_>> = after
        .iter()
        .map(|chunk| VersionPart {
            // Ids ignore case and white space, and so does what counts as unchanged.
            text: texts.get(&chunk.id).copied().unwrap_or(&chunk.content),
            headings: chunk.part.as_ref().map_or(&[], |part| part.headings.as_slice()),
        })
        .collect();
    successors(&old, &new)
}
