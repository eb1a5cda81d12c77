//! Doing what a proposal asks for.

use elfmem_core::{Block, BlockId, BlockStatus, EdgeWeight, Tag};
use elfmem_store::{Proposal, ProposalKind, Transaction};

use crate::care::CareError;
use crate::connect::{ConnectError, assert_alike};
use crate::graduate::{self, Nearness};
use crate::moment::Moment;
use crate::supersede::{SuccessorKind, supersede};
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
        ProposalKind::Pattern | ProposalKind::Skill => {
            let (context, text) = (proposal.tag.as_deref(), proposal.text.as_deref());
            format!("Tell in {}: {}", context.unwrap_or_default(), text.unwrap_or_default())
        }
        ProposalKind::Demotion => format!("Let the skill {block} be a pattern again."),
    }
}

/// What was done.
pub(super) struct Done {
    /// In one sentence.
    pub(super) effect: String,
    /// A block that was made and has no vector yet.
    pub(super) told: Option<BlockId>,
}

/// Does it.
pub(super) fn carry_out(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    proposal: &Proposal,
    nearness: Nearness,
) -> Result<Done> {
    let block = active(transaction, proposal, &proposal.block_id)?;
    let mut told = None;
    let effect = match proposal.kind {
        ProposalKind::Pattern | ProposalKind::Skill | ProposalKind::Demotion => {
            let done = graduate::accept(transaction, moment, proposal, nearness)?;
            let done = done.ok_or_else(|| outdated(proposal, "nothing is ready for it any more"))?;
            told = done.told;
            Ok(done.effect)
        }
        ProposalKind::NearDuplicate => {
            let older = active(transaction, proposal, &partner(proposal)?)?;
            supersede(transaction, moment, &older, &block.id, SuccessorKind::SameKnowledge)?;
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
    };
    effect.map(|effect| Done { effect, told })
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
