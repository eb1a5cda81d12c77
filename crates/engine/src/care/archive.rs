//! `forget` and `restore`: archives a block, and reverses that.

use std::fmt;

use elfmem_core::{ArchiveReason, Block, BlockId, BlockStatus, Edge, Link, OperationKind, Tag};
use elfmem_store::{Contradiction, Entity, NumberedChange, Store, Transaction};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::request::{Forget, Restore};
use super::{CareError, RedirectNote, live_block};
use crate::Result;
use crate::connect::degree_cap;
use crate::input::LONGEST_NOTE;
use crate::links::{remove_outgoing_links, restore_links};
use crate::memory::{Memory, resolve_exactly};
use crate::moment::Moment;
use crate::results::{counted, one_line};
use crate::secrets::checked_remark;
use crate::trace;
use crate::undo::UndoHistory;

/// Result of `forget`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ForgetResult {
    /// The archived block.
    pub block_id: BlockId,
    /// The reason given by the caller.
    pub reason: Option<String>,
    /// Number of tags removed.
    pub tags_dropped: usize,
    /// Number of edges removed.
    pub edges_dropped: usize,
    /// The requested block, if this one superseded it.
    pub led_from: Option<BlockId>,
}

impl fmt::Display for ForgetResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.block_id.short();
        let why = self.reason.as_ref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
        write!(
            f,
            "Forgot block {id}{why}. Bring it back with undo(), or later with restore(block_id={id}).{}",
            RedirectNote(&self.led_from)
        )
    }
}

/// Result of `restore`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RestoreResult {
    /// The restored block.
    pub block_id: BlockId,
    /// The status, as before the block was archived.
    pub status: BlockStatus,
    /// The restored tags.
    pub tags: Vec<Tag>,
    /// Number of restored edges.
    pub edges_restored: usize,
    /// Number of restored contradictions.
    pub contradictions_restored: usize,
    /// Edges and contradictions that could not be restored, with the reason.
    pub left_out: Vec<String>,
    /// Problems that did not stop the operation, with what to do about them.
    pub warnings: Vec<String>,
}

impl fmt::Display for RestoreResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, status) = (self.block_id.short(), self.status);
        let (tags, edges) = (counted(self.tags.len() as u64, "tag"), counted(self.edges_restored as u64, "edge"));
        write!(f, "Restored block {id} ({status}) with {tags} and {edges}.")?;
        if !self.left_out.is_empty() {
            write!(f, " Left out: {}.", self.left_out.join("; "))?;
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}

impl<S: Store> Memory<S> {
    /// Takes a block out of recall. Its text is kept, its tags and edges are in the journal. See [`Forget`].
    ///
    /// # Errors
    /// An archived block, or a reason that is longer than 4 KiB or holds what no text holds.
    pub fn forget(&self, request: impl Into<Forget>) -> Result<ForgetResult> {
        let _span = trace::verb("forget");
        let Forget { block_id: id, reason } = request.into();
        let reason = checked_remark("reason", reason.as_deref(), LONGEST_NOTE, self.options.secrets)?;
        self.change(OperationKind::Forget, |transaction, moment| {
            let (block, led_from) = live_block(&*transaction, &moment.trust, &id)?;
            let edges = transaction.get_edges_for_block(&block.id)?.len();
            remove_outgoing_links(transaction, moment, &block.id)?;
            transaction.update_block_status(&block.id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))?;
            Ok(ForgetResult {
                block_id: block.id,
                reason: reason.clone(),
                tags_dropped: block.tags.len(),
                edges_dropped: edges,
                led_from,
            })
        })
    }

    /// Brings an archived block back as it was: its status, tags, edges and contradictions, from the journal. Edges to blocks
    /// that are archived themselves, or have no room left, stay away and are named. See [`Restore`].
    ///
    /// # Errors
    /// A block that is not archived, or was purged.
    pub fn restore(&self, request: impl Into<Restore>) -> Result<RestoreResult> {
        let _span = trace::verb("restore");
        let Restore { block_id: named } = request.into();
        let mut result = self.change(OperationKind::Restore, |transaction, moment| {
            let id = resolve_exactly(&*transaction, &named)?;
            let block = transaction.get_block(&id)?.filter(|block| block.status == BlockStatus::Archived);
            let block = block.ok_or_else(|| CareError::NotArchived { id: id.clone() })?;
            restore_block(transaction, moment, &block)
        })?;
        result.warnings.extend(self.embed_active(std::slice::from_ref(&result.block_id)));
        Ok(result)
    }
}

/// Restores an archived block to the state recorded in the journal.
pub(crate) fn restore_block(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    block: &Block,
) -> Result<RestoreResult> {
    let dropped = state_before_archiving(transaction.get_block_changes(&block.id)?, &UndoHistory::read(&*transaction)?);
    let tags: Vec<Tag> = dropped.field("tags").unwrap_or_default();
    // Without a journal entry (an imported database) the inbox is safe: the next dream processes it
    // again.
    let mut status: BlockStatus = dropped.field("status").unwrap_or(BlockStatus::Inbox);
    if block.replacement.is_some() {
        // In the inbox, the next dream would replace it again.
        status = BlockStatus::Active;
    }
    transaction.update_block_status(&block.id, status, None)?;
    let restored = transaction.update_block(&block.id, &mut |block| {
        block.tags.clone_from(&tags);
        if let Some(rate) = dropped.field("decay_lambda") {
            block.decay_lambda = rate;
        }
    })?;
    if block.archive_reason == Some(ArchiveReason::Decayed) {
        transaction.reinforce_blocks(std::slice::from_ref(&block.id), moment.hours)?;
    }
    let mut result = RestoreResult {
        block_id: block.id.clone(),
        status,
        tags: restored.tags,
        edges_restored: 0,
        contradictions_restored: 0,
        left_out: Vec::new(),
        warnings: Vec::new(),
    };
    for edge in dropped.edges {
        let other = edge.key.other(&block.id).clone();
        match check_edge_restorable(transaction, &edge, &other, &block.id)? {
            Ok(()) => {
                transaction.put_edge(&edge)?;
                result.edges_restored += 1;
            }
            Err(problem) => result.left_out.push(format!("the edge to {}, {problem}", other.short())),
        }
    }
    for found in dropped.contradictions {
        let other = found.other(&block.id).clone();
        if is_live(transaction, &other)? {
            result.contradictions_restored += usize::from(transaction.insert_contradiction(&found)?);
        } else {
            result.left_out.push(format!("the contradiction with {}, which is archived", other.short()));
        }
    }
    restore_links(transaction, moment, &dropped.links)?;
    Ok(result)
}

/// Returns why an edge cannot be restored, as the inner error.
fn check_edge_restorable(
    transaction: &dyn Transaction,
    edge: &Edge,
    other: &BlockId,
    own: &BlockId,
) -> Result<std::result::Result<(), &'static str>> {
    if !is_live(transaction, other)? {
        return Ok(Err("which is archived"));
    }
    if transaction.get_edge(&edge.key)?.is_some() {
        return Ok(Err("which has an edge to it already"));
    }
    let degrees = transaction.get_degrees(&[other.clone(), own.clone()])?;
    let cap = degree_cap(transaction)?;
    let full = degrees.values().any(|degree| *degree >= cap);
    Ok(if full { Err("which has no room for it") } else { Ok(()) })
}

fn is_live(transaction: &dyn Transaction, id: &BlockId) -> Result<bool> {
    let status = transaction.get_statuses(std::slice::from_ref(id))?.remove(id);
    Ok(status.is_some_and(|status| status != BlockStatus::Archived))
}

/// The data of a block that its last archiving removed, from the journal.
#[derive(Default)]
struct ArchivedState {
    block: Vec<Value>,
    edges: Vec<Edge>,
    contradictions: Vec<Contradiction>,
    links: Vec<Link>,
}

impl ArchivedState {
    /// Returns the previous value of a field.
    fn field<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let found = self.block.iter().find_map(|image| image.get(name))?;
        serde_json::from_value(found.clone()).ok()
    }
}

/// Finds the state before the last archiving in the changes of a block, newest first. An undo that
/// archived the block again does not count: it removed only what had been restored in between.
fn state_before_archiving(changes: Vec<NumberedChange>, history: &UndoHistory) -> ArchivedState {
    let archives = |numbered: &NumberedChange| {
        let after = numbered.change.after.as_ref().and_then(|image| image.get("status"));
        numbered.change.entity == Entity::Block
            && after.and_then(Value::as_str) == Some("archived")
            && history.is_original_in_effect(numbered.seq)
    };
    let Some(seq) = changes.iter().find(|numbered| archives(numbered)).map(|numbered| numbered.seq) else {
        return ArchivedState::default();
    };
    let mut dropped = ArchivedState::default();
    // In the order of the operation's changes: the first "before" of a field is its original value.
    for NumberedChange { change, .. } in changes.into_iter().rev().filter(|numbered| numbered.seq == seq) {
        let removed = change.before.filter(|_| change.after.is_none() || change.entity == Entity::Block);
        let Some(image) = removed else { continue };
        match change.entity {
            Entity::Block => dropped.block.push(image),
            Entity::Edge => dropped.edges.extend(serde_json::from_value::<Edge>(image).ok()),
            Entity::Contradiction => {
                dropped.contradictions.extend(serde_json::from_value::<Contradiction>(image).ok());
            }
            Entity::Link => dropped.links.extend(serde_json::from_value::<Link>(image).ok()),
            _ => {}
        }
    }
    dropped
}
