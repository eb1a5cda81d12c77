//! `blame` and `influence`: the sources of a block, and the blocks that depend on it.

use std::fmt;

use crate::results::{counted, one_line};
use elfmem_core::{Block, BlockId, BroughtBy, Confidence, OperationKind, Signal, Timestamp};
use elfmem_store::{JournalQuery, Snapshot, Store};
use serde::Serialize;

use super::LineageBlock;
use super::dependencies::{DependencyDirection, reachable};
use super::request::{Blame, Influence};
use crate::memory::{Memory, resolve_exactly};
use crate::trace;
use crate::undo_window::{UndoWindow, undo_window};
use crate::{Error, Result};

/// The operation that stored a block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StoredBy {
    /// The operation number, as passed to `undo`.
    pub seq: i64,
    /// When it ran.
    pub at: Timestamp,
    /// The actor that requested it.
    pub actor: String,
    /// Which operation.
    pub operation: OperationKind,
}

/// An outcome that changed the confidence of a block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OutcomeDetails {
    /// The outcome id, as passed to `retract_outcome`.
    pub outcome_id: String,
    /// The signal.
    pub signal: Signal,
    /// The weight.
    pub weight: f64,
    /// The source of the outcome.
    pub source: String,
    /// When it was recorded.
    pub at: Timestamp,
    /// The confidence of the block after it.
    pub confidence_after: Confidence,
    /// Whether its source is trusted.
    pub trusted: bool,
    /// Whether it can be retracted. One that the Python elfmem recorded cannot.
    pub retractable: bool,
}

/// Result of `blame`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BlameResult {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// The source.
    pub source: String,
    /// How the block entered the memory.
    pub brought_by: BroughtBy,
    /// Whether its source is trusted.
    pub trusted: bool,
    /// The confidence.
    pub confidence: Confidence,
    /// The operation that stored it. `None` for a block from an imported database.
    pub stored_by: Option<StoredBy>,
    /// The blocks it depends on, nearest first.
    pub rests_on: Vec<LineageBlock>,
    /// The outcomes that changed its confidence, oldest first.
    pub outcomes: Vec<OutcomeDetails>,
    /// Where the undo window begins: of earlier operations only the description is known.
    pub undo_window: Option<UndoWindow>,
}

impl fmt::Display for BlameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trust = if self.trusted { "trusted" } else { "not trusted" };
        let (id, way) = (self.block_id.short(), self.brought_by.in_words());
        let (blocks, outcomes) =
            (counted(self.rests_on.len() as u64, "block"), counted(self.outcomes.len() as u64, "outcome"));
        write!(
            f,
            "Block {id} comes from '{}' ({way}; {trust}) and rests on {blocks} and {outcomes}.",
            one_line(&self.source)
        )?;
        self.undo_window.as_ref().map_or(Ok(()), |window| write!(f, " {window}"))
    }
}

/// Result of `influence`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InfluenceResult {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// Whether its source is trusted.
    pub trusted: bool,
    /// The blocks that depend on it, nearest first.
    pub supports: Vec<LineageBlock>,
}

impl fmt::Display for InfluenceResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, rest) = (self.block_id.short(), counted(self.supports.len() as u64, "block"));
        write!(f, "{rest} {} on block {id}.", if self.supports.len() == 1 { "rests" } else { "rest" })
    }
}

impl<S: Store> Memory<S> {
    /// Tells what a block rests on: who brought it and when, the blocks it follows from, and the outcomes that moved its belief.
    /// See [`Blame`].
    ///
    /// # Errors
    /// An id that no block has.
    pub fn blame(&self, request: impl Into<Blame>) -> Result<BlameResult> {
        let _span = trace::verb("blame");
        let Blame { block_id: block } = request.into();
        let trust = &self.options.trust;
        self.read(|snapshot| {
            let block = named_block(snapshot, &block)?;
            let touching = JournalQuery { block: Some(block.id.clone()), ..JournalQuery::default() };
            let first = snapshot.get_operations(&touching)?.into_iter().next();
            let outcomes = snapshot.get_outcomes(&block.id)?.into_iter().map(|record| OutcomeDetails {
                trusted: trust.trusts_source(&record.source),
                retractable: !record.is_history(),
                outcome_id: record.outcome_id,
                signal: record.signal,
                weight: record.weight,
                source: record.source,
                at: record.created_at,
                confidence_after: record.confidence_after,
            });
            Ok(BlameResult {
                stored_by: first.map(|operation| StoredBy {
                    seq: operation.seq,
                    at: operation.header.at,
                    actor: operation.header.actor,
                    operation: operation.header.operation,
                }),
                rests_on: reachable(snapshot, trust, &block, DependencyDirection::Sources)?,
                outcomes: outcomes.collect(),
                undo_window: undo_window(snapshot)?,
                trusted: trust.trusts(&block),
                block_id: block.id,
                content: block.content,
                source: block.source,
                brought_by: block.brought_by,
                confidence: block.confidence,
            })
        })
    }

    /// Tells what rests on a block: what took its place, what was derived from it, what it supports.
    /// See [`Influence`].
    ///
    /// # Errors
    /// An id that no block has.
    pub fn influence(&self, request: impl Into<Influence>) -> Result<InfluenceResult> {
        let _span = trace::verb("influence");
        let Influence { block_id: block } = request.into();
        self.read(|snapshot| {
            let block = named_block(snapshot, &block)?;
            let supports = reachable(snapshot, &self.options.trust, &block, DependencyDirection::Dependents)?;
            let trusted = self.options.trust.trusts(&block);
            Ok(InfluenceResult { block_id: block.id, content: block.content, trusted, supports })
        })
    }
}

fn named_block(snapshot: &dyn Snapshot, id: &str) -> Result<Block> {
    let id = resolve_exactly(snapshot, id)?;
    snapshot.get_block(&id)?.ok_or_else(|| Error::UnknownBlock { id: id.to_string() })
}
