//! `review` and `keep_replaced`: what dreams replaced, and the decision about it.

mod request;

use std::fmt;

use elfmem_core::{Block, BlockId, BlockReplacement, OperationKind, ReplacementKind, Timestamp, TrustPolicy};
use elfmem_store::{BlockQuery, ReplacedQuery, Snapshot, Store, Transaction};
use elfmem_text::phrase::counted;
use serde::Serialize;

use crate::Result;
use crate::care::{BlockSummary, CareError};
use crate::memory::{Memory, head_of, resolve_exactly};
use crate::moment::Moment;
use crate::trace;

pub use request::{KeepReplaced, ReviewReplaced};

/// The word that stands for all replaced blocks.
const ALL: &str = "all";

/// A block that a dream replaced.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReplacedBlock {
    /// The replaced block.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// How it relates to the block that replaced it.
    pub kind: ReplacementKind,
    /// The reason, as the rules gave it.
    pub reason: String,
    /// When it was replaced.
    pub replaced_at: Timestamp,
    /// Whether somebody has looked at it and kept it.
    pub reviewed: bool,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
    /// The block that holds its place now. `None` if that one was purged.
    pub by: Option<BlockSummary>,
}

/// Result of `keep_replaced`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KeepReplacedResult {
    /// The replaced blocks whose replacement is kept.
    pub kept: Vec<BlockId>,
    /// Number of replaced blocks that wait for a review.
    pub left: u64,
}

impl fmt::Display for KeepReplacedResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept {}; {} left to review.", counted(self.kept.len() as u64, "replacement"), self.left)
    }
}

/// The query for replaced blocks that nobody has reviewed.
pub(crate) fn unreviewed() -> BlockQuery {
    BlockQuery { replaced: Some(ReplacedQuery::Unreviewed), ..BlockQuery::default() }
}

/// Notes on an archived block why another one holds its place, for the review.
pub(crate) fn note_replacement(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    id: &BlockId,
    kind: ReplacementKind,
    reason: &str,
) -> Result<()> {
    let replacement = BlockReplacement { kind, reason: reason.to_owned(), at: moment.at, reviewed: false };
    transaction.update_block(id, &mut |block| block.replacement = Some(replacement.clone()))?;
    Ok(())
}

impl<S: Store> Memory<S> {
    /// Lists the blocks that dreams replaced, the latest first. See [`ReviewReplaced`].
    pub fn review(&self, request: impl Into<ReviewReplaced>) -> Result<Vec<ReplacedBlock>> {
        let _span = trace::verb("review");
        let ReviewReplaced { all } = request.into();
        let replaced = Some(if all { ReplacedQuery::All } else { ReplacedQuery::Unreviewed });
        self.read(|snapshot| {
            let blocks = snapshot.list_blocks(&BlockQuery { replaced, ..BlockQuery::default() })?;
            let mut found = Vec::with_capacity(blocks.len());
            for block in blocks {
                found.extend(replaced_block(snapshot, &self.options.trust, block)?);
            }
            found.sort_by_key(|block| std::cmp::Reverse(block.replaced_at));
            Ok(found)
        })
    }

    /// Keeps replacements that dreams made, so that they are not listed for review any more. `all` stands for all of them.
    /// See [`KeepReplaced`].
    ///
    /// # Errors
    /// [`CareError::NotReplaced`] for a block that no dream replaced.
    pub fn keep_replaced(&self, request: impl Into<KeepReplaced>) -> Result<KeepReplacedResult> {
        let _span = trace::verb("keep_replaced");
        let KeepReplaced { blocks } = request.into();
        self.change(OperationKind::KeepReplaced, |transaction, _| {
            let mut kept = Vec::new();
            for named in &blocks {
                if named.trim().eq_ignore_ascii_case(ALL) {
                    kept.extend(transaction.list_blocks(&unreviewed())?.into_iter().map(|block| block.id));
                } else {
                    kept.push(resolve_exactly(&*transaction, named)?);
                }
            }
            kept.sort();
            kept.dedup();
            for id in &kept {
                let mut is_replaced = false;
                transaction.update_block(id, &mut |block| {
                    if let Some(replacement) = &mut block.replacement {
                        (is_replaced, replacement.reviewed) = (true, true);
                    }
                })?;
                if !is_replaced {
                    return Err(CareError::NotReplaced { id: id.clone() }.into());
                }
            }
            Ok(KeepReplacedResult { kept, left: transaction.count_blocks(&unreviewed())? })
        })
    }
}

fn replaced_block(snapshot: &dyn Snapshot, trust: &TrustPolicy, block: Block) -> Result<Option<ReplacedBlock>> {
    let trusted = trust.trusts(&block);
    let Some(replacement) = block.replacement else { return Ok(None) };
    let head = head_of(snapshot, block.id.clone())?;
    let by = if head == block.id { None } else { snapshot.get_block(&head)? };
    Ok(Some(ReplacedBlock {
        block_id: block.id,
        content: block.content,
        kind: replacement.kind,
        reason: replacement.reason,
        replaced_at: replacement.at,
        reviewed: replacement.reviewed,
        trusted,
        by: by.map(|head| BlockSummary::new(head, trust)),
    }))
}
