//! Doing what a proposal asks for.

use elfmem_core::{Block, BlockId, BlockStatus, EdgeWeight, Tag};
use elfmem_store::{Proposal, ProposalKind, Transaction};

use crate::care::CareError;
use crate::connect::{ConnectError, assert_alike};
use crate::moment::Moment;
use crate::supersede::{Heir, supersede};
use crate::{Error, Result};

/// What accepting a proposal would do.
pub(super) fn in_words(proposal: &Proposal) -> String {
    let block = proposal.block_id.short();
    let other = proposal.other_id.as_ref().map(BlockId::short).unwrap_or_default();
    match proposal.kind {
        ProposalKind::NearDuplicate => format!("Let {block} take the place of {other}."),
        ProposalKind::Stale => format!("Keep {block}: count it as used now."),
        ProposalKind::Connection => format!("Join {block} and {other}."),
        ProposalKind::Tag => format!("Tag {block} with {}.", proposal.tag.as_deref().unwrap_or_default()),
    }
}

/// Does it; what was done, in one sentence.
pub(super) fn carry_out(transaction: &mut dyn Transaction, moment: &Moment, proposal: &Proposal) -> Result<String> {
    let block = active(transaction, proposal, &proposal.block_id)?;
    match proposal.kind {
        ProposalKind::NearDuplicate => {
            let older = active(transaction, proposal, &partner(proposal)?)?;
            supersede(transaction, moment, &older, &block.id, Heir::SameKnowledge)?;
            Ok(format!("Block {} takes the place of {}.", block.id.short(), older.id.short()))
        }
        ProposalKind::Stale => {
            transaction.reinforce_blocks(std::slice::from_ref(&block.id), moment.hours)?;
            Ok(format!("Block {} counts as used now.", block.id.short()))
        }
        ProposalKind::Connection => {
            let other = active(transaction, proposal, &partner(proposal)?)?;
            join(transaction, moment, proposal, &block.id, &other.id)
        }
        ProposalKind::Tag => {
            let tag = proposal.tag.as_deref().map(Tag::parse).transpose()?;
            let tag = tag.ok_or_else(|| outdated(proposal, "it names no tag"))?;
            transaction.update_block(&block.id, &mut |block| block.retag(|tags| tags.push(tag.clone())))?;
            Ok(format!("Block {} is tagged {tag}.", block.id.short()))
        }
    }
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

/// Makes the edge as `connect` makes it: whoever accepts it asserts it, and what gives way to it is the same.
fn join(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    proposal: &Proposal,
    a: &BlockId,
    b: &BlockId,
) -> Result<String> {
    let placed = assert_alike(transaction, moment, [a, b], EdgeWeight::saturating(proposal.score));
    match placed {
        Ok(result) => Ok(result.to_string()),
        Err(Error::Connect(ConnectError::SelfLoop { .. })) => Err(outdated(proposal, "both ends are the same block")),
        Err(Error::Connect(ConnectError::EdgeExists { .. })) => Err(outdated(proposal, "the two are joined already")),
        Err(Error::Connect(ConnectError::DegreeLimit { id, .. })) => {
            Err(outdated(proposal, format!("block {} has no room", id.short())))
        }
        Err(other) => Err(other),
    }
}
