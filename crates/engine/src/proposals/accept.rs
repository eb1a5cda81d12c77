//! Applies accepted proposals.

use std::fmt::Write as _;

use elfmem_core::trust::TrustPolicy;
use elfmem_core::{Block, BlockId, BlockStatus, EdgeWeight, Tag};
use elfmem_store::{Contradiction, Proposal, ProposalKind, Transaction};
use elfmem_text::secrets::SecretsPolicy;
use elfmem_text::tokens;

use crate::care::CareError;
use crate::connect::{ConnectError, connect_similar};
use crate::graduate::{self, SimilarityThresholds};
use crate::learn::{Learn, refuse_crowded, store_block};
use crate::moment::Moment;
use crate::supersede::{SuccessorKind, record_contradiction, supersede};
use crate::{Error, Result};

/// Describes the effect of accepting a proposal about the given blocks.
pub(super) fn describe(proposal: &Proposal, blocks: &[Block], trust: &TrustPolicy) -> String {
    let block = proposal.block_id.short();
    let other = proposal.other_id.as_ref().map(BlockId::short).unwrap_or_default();
    match proposal.kind {
        ProposalKind::NearDuplicate => match &proposal.text {
            Some(text) => {
                let of = |id: Option<&BlockId>| blocks.iter().find(|block| Some(&block.id) == id);
                let merge = match (of(proposal.other_id.as_ref()), of(Some(&proposal.block_id))) {
                    (Some(older), Some(newer)) => Merge::of(older, newer, trust),
                    _ => return format!("Replace {other} and {block} with: {text}"),
                };
                match merge.stays {
                    None if trust.trusts(merge.said_by) => format!("Replace {other} and {block} with: {text}"),
                    None => format!("Replace {other} and {block} with, {}: {text}", untrusted_words(merge.said_by)),
                    Some(stays) => {
                        let (gone, words) = (merge.said_by.id.short(), untrusted_words(merge.said_by));
                        format!("Keep {}, which is trusted, and replace {gone} with, {words}: {text}", stays.id.short())
                    }
                }
            }
            None => format!("Replace {other} with {block}."),
        },
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
            match &proposal.text {
                Some(text) => {
                    let merge = Merge::of(&older, &block, &moment.trust);
                    let merged = store_merged(transaction, moment, &block, merge.said_by, text)?;
                    let replaced: Vec<&Block> = [&older, &block]
                        .into_iter()
                        .filter(|one| merge.stays.is_none_or(|kept| kept.id != one.id))
                        .collect();
                    for old in &replaced {
                        supersede(transaction, moment, old, &merged, SuccessorKind::SameKnowledge)?;
                    }
                    let ids: Vec<&str> = replaced.iter().map(|one| one.id.short()).collect();
                    let mut effect = format!("Block {} supersedes {}.", merged.short(), ids.join(" and "));
                    if !moment.trust.trusts(merge.said_by) {
                        let _ = write!(effect, " It is {}, and is marked so.", untrusted_words(merge.said_by));
                    }
                    if let Some(stays) = merge.stays {
                        let _ = write!(effect, " Block {}, which is trusted, stays as it is.", stays.id.short());
                    }
                    created = Some(merged);
                    Ok(effect)
                }
                None => {
                    supersede(transaction, moment, &older, &block.id, SuccessorKind::SameKnowledge)?;
                    Ok(format!("Block {} supersedes {}.", block.id.short(), older.id.short()))
                }
            }
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

/// Whose words a merged text holds.
struct Merge<'a> {
    /// The block whose provenance it takes: an untrusted one, if there is one.
    said_by: &'a Block,
    /// The trusted block that it does not replace, because the other one is not trusted.
    stays: Option<&'a Block>,
}

impl<'a> Merge<'a> {
    /// A merged text has the least trust of its parts: to accept a proposal is not to say its words.
    fn of(older: &'a Block, newer: &'a Block, trust: &TrustPolicy) -> Self {
        match (trust.trusts(older), trust.trusts(newer)) {
            (false, true) => Self { said_by: older, stays: Some(newer) },
            (true, false) => Self { said_by: newer, stays: Some(older) },
            _ => Self { said_by: newer, stays: None },
        }
    }
}

fn untrusted_words(block: &Block) -> String {
    let from = if block.source.is_empty() { block.brought_by.in_words() } else { block.source.clone() };
    format!("with words from '{from}', not trusted")
}

/// Stores the proposed text of two blocks as an active block with the provenance of `said_by`.
fn store_merged(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    newer: &Block,
    said_by: &Block,
    text: &str,
) -> Result<BlockId> {
    let merged =
        Learn::new(text).source(said_by.source.clone()).checked(SecretsPolicy::Allow)?.in_scope(&*transaction)?;
    // Whoever said exactly these words before has said them.
    let own = transaction.get_block(&merged.id)?.is_some_and(|known| moment.trust.trusts(&known));
    let stored = store_block(transaction, moment, &merged)?;
    transaction.update_block(&stored.block_id, &mut |block| {
        if !own {
            block.source.clone_from(&said_by.source);
            block.brought_by = said_by.brought_by.clone();
        }
        block.status = BlockStatus::Active;
        block.category = newer.category.clone();
        block.event_at = newer.event_at;
        block.token_count = Some(tokens::estimate(&block.content));
    })?;
    Ok(stored.block_id)
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
