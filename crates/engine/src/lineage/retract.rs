//! `retract_source`: archives the blocks of a source and the blocks derived from them alone.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use crate::results::counted;
use elfmem_core::{
    ArchiveReason, BeliefUpdate, Block, BlockId, BlockStatus, BroughtBy, OperationKind, OutcomeRecord, Speaker,
};
use elfmem_store::{BlockQuery, ProposalState, Row, Snapshot, Store, Transaction};
use serde::Serialize;

use super::dependencies::{Dependency, DependencyDirection, dependencies};
use super::request::RetractSource;
use crate::belief_updates::replay_belief_without;
use crate::care::restore_block;
use crate::input::checked_text;
use crate::links::remove_outgoing_links;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::trace;
use crate::transfer::is_proposed_by;
use crate::{Error, Result};

/// Maximum length of a source name in bytes.
const MAX_SOURCE_NAME_BYTES: usize = 512;

/// A retracted block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RetractedBlock {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// Whether its source is trusted.
    pub trusted: bool,
    /// The block it was derived from. `None` for a block of the source itself.
    pub follows_from: Option<BlockId>,
}

/// A block that was derived from a retracted block and from another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KeptBlock {
    /// The block id.
    pub block_id: BlockId,
    /// The other block that it was derived from.
    pub follows_from: BlockId,
}

/// Result of `retract_source`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RetractSourceResult {
    /// The source.
    pub source: String,
    /// The archived blocks.
    pub retracted: Vec<RetractedBlock>,
    /// The blocks that were restored because their successor was archived.
    pub restored: Vec<BlockId>,
    /// Number of retracted outcomes of the source on other blocks.
    pub outcomes_retracted: usize,
    /// Number of open proposals of the source that were removed.
    pub proposals_removed: usize,
    /// The blocks that were kept because they were also derived from another block.
    pub kept: Vec<KeptBlock>,
    /// Whether this was a dry run.
    pub dry_run: bool,
    /// What could not be restored, and what to do about it.
    pub warnings: Vec<String>,
}

impl fmt::Display for RetractSourceResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let followers = self.retracted.iter().filter(|block| block.follows_from.is_some()).count();
        let verb = if self.dry_run { "Would retract" } else { "Retracted" };
        write!(f, "{verb} {} of source '{}'", counted(self.retracted.len() as u64, "block"), self.source)?;
        if followers > 0 {
            write!(f, " ({followers} of them because they follow from it alone)")?;
        }
        let outcomes = counted(self.outcomes_retracted as u64, "outcome");
        write!(f, ", {} restored, {outcomes} taken back, {} kept.", self.restored.len(), self.kept.len())?;
        if self.proposals_removed > 0 {
            write!(f, " Removed {}.", counted(self.proposals_removed as u64, "proposal"))?;
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}

impl<S: Store> Memory<S> {
    /// Takes back everything that a source brought: its blocks are archived, and so is what was derived from them alone; blocks whose place
    /// they had taken come back; its outcomes on other blocks count no longer. The source may be named by what blocks call their source,
    /// by a document, a client, a peer or a surface. See [`RetractSource`].
    ///
    /// # Errors
    /// [`Error::UnknownSource`] when nothing here comes from it.
    pub fn retract_source(&self, request: impl Into<RetractSource>) -> Result<RetractSourceResult> {
        let _span = trace::verb("retract_source");
        let RetractSource { source, dry_run } = request.into();
        let source = checked_text("source", Some(&source), MAX_SOURCE_NAME_BYTES)?;
        let source = source.ok_or(Error::UnknownSource { name: String::new(), known: Vec::new() })?;
        if dry_run {
            return self.rehearse(|transaction, moment| retract(transaction, moment, &source, true));
        }
        let mut result = self
            .change(OperationKind::RetractSource, |transaction, moment| retract(transaction, moment, &source, false))?;
        result.warnings.extend(self.embed_active(&result.restored));
        Ok(result)
    }
}

fn retract(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    source: &str,
    dry_run: bool,
) -> Result<RetractSourceResult> {
    let SourceContents { blocks, outcomes, proposals, known } = contents_of_source(&*transaction, source)?;
    if blocks.is_empty() && outcomes.is_empty() && proposals.is_empty() {
        return Err(Error::UnknownSource { name: source.to_owned(), known });
    }
    let (candidates, kept) = with_derived(&*transaction, blocks)?;
    let mut result = RetractSourceResult {
        source: source.to_owned(),
        retracted: Vec::new(),
        restored: Vec::new(),
        outcomes_retracted: 0,
        proposals_removed: 0,
        kept,
        dry_run,
        warnings: Vec::new(),
    };
    let predecessors = predecessors_to_restore(&*transaction, &candidates)?;
    for (id, candidate) in candidates {
        remove_outgoing_links(transaction, moment, &id)?;
        transaction.update_block_status(&id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))?;
        let RetractionCandidate { block, follows_from } = candidate;
        let trusted = moment.trust.trusts(&block);
        result.retracted.push(RetractedBlock { block_id: id, content: block.content, trusted, follows_from });
    }
    for block in predecessors {
        let restored = restore_block(transaction, moment, &block)?;
        result.warnings.extend(restored.left_out.iter().map(|what| format!("{}: left out {what}.", block.id.short())));
        result.restored.push(block.id);
    }
    for number in proposals {
        result.proposals_removed += usize::from(transaction.delete_proposal(number)?);
    }
    for record in outcomes {
        let is_gone = |update: &BeliefUpdate| matches!(update, BeliefUpdate::Outcome(other) if other.outcome_id == record.outcome_id);
        replay_belief_without(transaction, &record.block_id, is_gone)?;
        result.outcomes_retracted += 1;
    }
    Ok(result)
}

/// The live blocks of a source, and its outcomes on other blocks.
struct SourceContents {
    blocks: Vec<Block>,
    outcomes: Vec<OutcomeRecord>,
    /// The numbers of its open proposals.
    proposals: Vec<i64>,
    /// Names of existing sources, for the error message.
    known: Vec<String>,
}

/// Maximum number of sources listed in an error message.
const MAX_LISTED_SOURCES: usize = 12;

fn contents_of_source(snapshot: &dyn Snapshot, source: &str) -> Result<SourceContents> {
    let (mut blocks, mut outcomes, mut proposals) = (Vec::new(), Vec::new(), Vec::new());
    let mut known = std::collections::BTreeSet::new();
    snapshot.visit_rows(elfmem_store::Vectors::Skip, &mut |row| {
        match row {
            Row::Block(row) => {
                let hit = Speaker::from(&row.block).is_named(source);
                if known.len() < MAX_LISTED_SOURCES {
                    known.insert(row.block.source.clone());
                }
                if hit && row.block.status != BlockStatus::Archived {
                    blocks.push(row.block);
                }
            }
            Row::Proposal(proposal) if proposal.state == ProposalState::Open && is_proposed_by(&proposal, source) => {
                proposals.push(proposal.number);
            }
            Row::Outcome(record) if is_from(&record, source) && !record.is_history() => outcomes.push(record),
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    // Outcomes on retracted blocks need no retraction of their own.
    outcomes.retain(|record| !blocks.iter().any(|block| block.id == record.block_id));
    Ok(SourceContents { blocks, outcomes, proposals, known: known.into_iter().collect() })
}

/// Returns true if an outcome comes from a source.
fn is_from(record: &OutcomeRecord, source: &str) -> bool {
    Speaker { source: &record.source, brought_by: &BroughtBy::default() }.is_named(source)
}

/// A block to retract.
struct RetractionCandidate {
    block: Block,
    follows_from: Option<BlockId>,
}

/// Returns the blocks to retract, which are the given blocks and the blocks derived from them
/// alone, and the derived blocks to keep.
fn with_derived(
    snapshot: &dyn Snapshot,
    blocks: Vec<Block>,
) -> Result<(BTreeMap<BlockId, RetractionCandidate>, Vec<KeptBlock>)> {
    let mut waiting: Vec<BlockId> = blocks.iter().map(|block| block.id.clone()).collect();
    let mut candidates: BTreeMap<BlockId, RetractionCandidate> =
        blocks.into_iter().map(|block| (block.id.clone(), RetractionCandidate { block, follows_from: None })).collect();
    let mut kept: BTreeMap<BlockId, BlockId> = BTreeMap::new();
    while let Some(id) = waiting.pop() {
        let Some(source) = candidates.get(&id).map(|candidate| candidate.block.clone()) else { continue };
        let is_dependent = |one: &Dependency| one.direction == DependencyDirection::Dependents && one.is_derivation;
        for dependency in dependencies(snapshot, &source)?.into_iter().filter(is_dependent) {
            if candidates.contains_key(&dependency.other) {
                continue;
            }
            let Some(derived) = snapshot.get_block(&dependency.other)? else { continue };
            let other_source = dependencies(snapshot, &derived)?.into_iter().find(|one| {
                one.direction == DependencyDirection::Sources
                    && one.is_derivation
                    && !candidates.contains_key(&one.other)
            });
            match other_source {
                Some(source) => _ = kept.insert(derived.id, source.other),
                None => {
                    kept.remove(&derived.id);
                    waiting.push(derived.id.clone());
                    candidates.insert(
                        derived.id.clone(),
                        RetractionCandidate { block: derived, follows_from: Some(id.clone()) },
                    );
                }
            }
        }
    }
    let kept = kept.into_iter().filter(|(id, _)| !candidates.contains_key(id));
    let kept = kept.map(|(block_id, follows_from)| KeptBlock { block_id, follows_from }).collect();
    Ok((candidates, kept))
}

/// Returns the archived blocks that a retracted block superseded and that do not come from the
/// source themselves.
fn predecessors_to_restore(
    snapshot: &dyn Snapshot,
    candidates: &BTreeMap<BlockId, RetractionCandidate>,
) -> Result<Vec<Block>> {
    let archived = BlockQuery { status: Some(BlockStatus::Archived), ..BlockQuery::default() };
    let mut predecessors = snapshot.list_blocks(&archived)?;
    let retracted: Vec<&Block> = candidates.values().map(|candidate| &candidate.block).collect();
    predecessors.retain(|block| {
        let successor = block.superseded_by.as_ref().and_then(|successor| candidates.get(successor));
        // An older version from the same source stays archived.
        successor.is_some_and(|_| !retracted.iter().any(|other| same_origin(other, block)))
    });
    Ok(predecessors)
}

fn same_origin(a: &Block, b: &Block) -> bool {
    a.source == b.source && a.brought_by == b.brought_by
}
