//! Applies accepted proposals.

use elfmem_core::{Block, BlockId, BlockStatus, EdgeWeight, Tag};
use elfmem_store::{Contradiction, Proposal, ProposalKind, Transaction};

use crate::care::CareError;
use crate::connect::{ConnectError, connect_similar};
use crate::graduate::{self, SimilarityThresholds};
use crate::learn::refuse_crowded;
use crate::moment::Moment;
use crate::supersede::{SuccessorKind, record_contradiction, supersede};
use crate::{Error, Result};

/// Describes the effect of accepting a proposal.
pub(super) fn describe(proposal: &Proposal) -> String {
    let block = proposal.block_id.short();
    let other = proposal.other_id.as_ref().map(BlockId::short).unwrap_or_default();
    match proposal.kind {
        ProposalKind::NearDuplicate => format!("Replace {other} with {block}."),
        ProposalKind::Stale => format!("Keep {block}: count it as used now."),
        ProposalKind::Connection => format!("Connect {block} and {other}."),
        ProposalKind::Tag => format!("Tag {block} with {}.", proposal.tag.as_deref().unwrap_or_default()),
        ProposalKind::Pattern | ProposalKind::Skill => {
            let (context, text) = (proposal.tag.as_deref(), proposal.text.as_deref());
            format!("Store in {}: {}", context.unwrap_or_default(), text.unwrap_or_default())
        }
        ProposalKind::Demotion => format!("Demote the skill {block} to a pattern."),
        ProposalKind::Contradiction => format!("Record that {block} and {other} contradict each other."),
    }
}

/// The result of applying a proposal.
pub(super) struct AppliedProposal {
    /// A one-sentence summary.
    pub(super) effect: String,
    /// A new block, which has no vector yet.
    pub(super) created: Option<BlockId>,
}

/// Applies a proposal.
pub(super) fn apply(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    proposal: &Proposal,
    thresholds: SimilarityThresholds,
) -> Result<AppliedProposal> {
    let block = active(transaction, proposal, &proposal.block_id)?;
    let mut created = None;
    let effect = match proposal.kind {
        ProposalKind::Pattern | ProposalKind::Skill | ProposalKind::Demotion => {
            let applied = graduate::accept(transaction, moment, proposal, thresholds)?;
            let applied = applied.ok_or_else(|| outdated(proposal, "its conditions are no longer met"))?;
            created = applied.created;
            Ok(applied.effect)
        }
        ProposalKind::NearDuplicate => {
            let older = active(transaction, proposal, &partner(proposal)?)?;
            supersede(transaction, moment, &older, &block.id, SuccessorKind::SameKnowledge)?;
            Ok(format!("Block {} supersedes {}.", block.id.short(), older.id.short()))
        }
        ProposalKind::Stale => {
            transaction.reinforce_blocks(std::slice::from_ref(&block.id), moment.hours)?;
            Ok(format!("Block {} counts as used now.", block.id.short()))
        }
        ProposalKind::Connection => {
            let other = active(transaction, proposal, &partner(proposal)?)?;
            connect(transaction, moment, proposal, &block.id, &other.id)
        }
        ProposalKind::Contradiction => {
            let other = active(transaction, proposal, &partner(proposal)?)?;
            let found = Contradiction::between(&block.id, &other.id, proposal.score, moment.at);
            let found = found.ok_or_else(|| outdated(proposal, "both are the same block"))?;
            let reason = Some(proposal.reason.clone());
            record_contradiction(transaction, &Contradiction { reason, ..found })?;
            Ok(format!("Blocks {} and {} contradict each other.", block.id.short(), other.id.short()))
        }
        ProposalKind::Tag => {
            let tag = proposal.tag.as_deref().map(Tag::parse).transpose()?;
            let tag = tag.ok_or_else(|| outdated(proposal, "it names no tag"))?;
            let tagged =
                transaction.update_block(&block.id, &mut |block| block.retag(|tags| tags.push(tag.clone())))?;
            refuse_crowded(&block, &tagged)?;
            Ok(format!("Block {} is tagged {tag}.", block.id.short()))
        }
    };
    effect.map(|effect| AppliedProposal { effect, created })
}

fn outdated(proposal: &Proposal, problem: impl Into<String>) -> crate::Error {
    CareError::Outdated { number: proposal.number, problem: problem.into() }.into()
}

fn partner(proposal: &Proposal) -> Result<BlockId> {
    proposal.other_id.clone().ok_or_else(|| outdated(proposal, "it names one block only"))
}

fn active(transaction: &dyn Transaction, proposal: &Proposal, id: &BlockId) -> Result<Block> {
    let block = transaction.get_block(id)?.filter(|block| block.status == BlockStatus::Active);
    block.ok_or_else(|| outdated(proposal, format!("block {} is not active", id.short())))
}

/// Creates the proposed edge with the rules of the verb `connect`: acceptance is an assertion.
fn connect(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    proposal: &Proposal,
    a: &BlockId,
    b: &BlockId,
) -> Result<String> {
    let placed = connect_similar(transaction, moment, [a, b], EdgeWeight::saturating(proposal.score));
    match placed {
        Ok(result) => Ok(result.to_string()),
        Err(Error::Connect(ConnectError::SelfLoop { .. })) => Err(outdated(proposal, "both ends are the same block")),
        Err(Error::Connect(ConnectError::EdgeExists { .. })) => {
            Err(outdated(proposal, "the two are connected already"))
        }
        Err(Error::Connect(ConnectError::DegreeLimit { id, .. })) => {
            Err(outdated(proposal, format!("block {} has the maximum number of edges", id.short())))
        }
        Err(other) => Err(other),
    }
}
