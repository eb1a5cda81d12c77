//! `proposals`: what the memory would like to do but should not do alone. Someone lists, accepts or rejects them.

mod accept;
mod sources;

use std::fmt;

use elfmem_core::{BlockStatus, OperationKind, Timestamp};
use elfmem_store::{Proposal, ProposalKind, ProposalState, Snapshot, Store, Transaction};
use serde::Serialize;

use crate::Result;
use crate::care::{CareError, Successor};
use crate::graduate::Nearness;
use crate::memory::Memory;

pub(crate) use sources::{fresh, proposal, propose_tags, put};

/// A proposal with the texts it is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposalDetails {
    /// The proposal.
    #[serde(flatten)]
    pub proposal: Proposal,
    /// What accepting it does.
    pub action: String,
    /// The blocks it is about, with their texts.
    pub blocks: Vec<Successor>,
}

/// Result of accepting or rejecting proposals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposalsResult {
    /// `accepted` or `rejected`.
    pub action: &'static str,
    /// Which proposals.
    pub numbers: Vec<i64>,
    /// What was done for each.
    pub effects: Vec<String>,
}

impl fmt::Display for ProposalsResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.numbers.iter().map(i64::to_string).collect();
        let noun = if numbers.len() == 1 { "proposal" } else { "proposals" };
        match self.action {
            "accepted" => write!(f, "Accepted {noun} {}: {}", numbers.join(", "), self.effects.join(" ")),
            _ => write!(f, "Rejected {noun} {}.", numbers.join(", ")),
        }
    }
}

impl<S: Store> Memory<S> {
    /// What waits for a decision, by number; with `settled_too` also what was decided.
    ///
    /// USE WHEN: a dream says that proposals wait, or at a pause. DON'T USE WHEN: you look for contradictions; those
    /// have a list of their own. COST: fast, one read. RETURNS: [`ProposalDetails`] with the blocks and the reason.
    /// NEXT: [`accept_proposals`](Self::accept_proposals) or [`reject_proposals`](Self::reject_proposals).
    pub fn proposals(&self, settled_too: bool) -> Result<Vec<ProposalDetails>> {
        self.read(|snapshot| {
            let found = match settled_too {
                true => snapshot.list_proposals(None)?,
                false => open(snapshot)?,
            };
            found.into_iter().map(|proposal| details(snapshot, proposal)).collect()
        })
    }

    /// Does what proposals ask for, all of them or none.
    ///
    /// USE WHEN: you have read them and agree. DON'T USE WHEN: you have not read the texts. COST: instant. RETURNS:
    /// [`ProposalsResult`]: what was done. NEXT: [`undo`](Self::undo) takes it back and opens them again.
    ///
    /// # Errors
    /// No such proposal, one that was decided before, one that no longer holds.
    pub fn accept_proposals(&self, numbers: &[i64]) -> Result<ProposalsResult> {
        // Only what is about mistakes asks how near two of them are: the embedder need not be there for the rest.
        let asks = |number: &i64| {
            self.read(|snapshot| {
                Ok(snapshot.get_proposal(*number)?.is_some_and(|one| one.kind == ProposalKind::Pattern))
            })
        };
        let asked = numbers.iter().map(asks).collect::<Result<Vec<bool>>>()?.contains(&true);
        let nearness = if asked { self.nearness() } else { Nearness::default() };
        let mut told = Vec::new();
        let result = self.change(OperationKind::Accept, |transaction, moment| {
            let mut effects = Vec::new();
            told.clear();
            for number in numbers {
                let proposal = undecided(&*transaction, *number)?;
                let done = accept::carry_out(transaction, moment, &proposal, nearness)?;
                told.extend(done.told);
                effects.push(done.effect);
                settle(transaction, proposal, ProposalState::Accepted, moment.at)?;
            }
            Ok(ProposalsResult { action: "accepted", numbers: numbers.to_vec(), effects })
        })?;
        // What could not be embedded is found by its words, and a migration finds it.
        self.embed_active(&told);
        Ok(result)
    }

    /// Turns proposals down. They do not come back.
    ///
    /// USE WHEN: you have read them and disagree. DON'T USE WHEN: you are not sure; they do no harm. COST: instant.
    /// RETURNS: [`ProposalsResult`]. NEXT: [`undo`](Self::undo) opens them again.
    ///
    /// # Errors
    /// No such proposal, one that was decided before.
    pub fn reject_proposals(&self, numbers: &[i64]) -> Result<ProposalsResult> {
        self.change(OperationKind::Reject, |transaction, moment| {
            for number in numbers {
                let proposal = undecided(&*transaction, *number)?;
                settle(transaction, proposal, ProposalState::Rejected, moment.at)?;
            }
            Ok(ProposalsResult { action: "rejected", numbers: numbers.to_vec(), effects: Vec::new() })
        })
    }
}

/// Open proposals about blocks that are all still there.
fn open(snapshot: &dyn Snapshot) -> Result<Vec<Proposal>> {
    let mut open = Vec::new();
    for proposal in snapshot.list_proposals(Some(ProposalState::Open))? {
        let ids: Vec<_> = proposal.blocks().cloned().collect();
        let statuses = snapshot.get_statuses(&ids)?;
        if ids.iter().all(|id| statuses.get(id).is_some_and(|status| *status != BlockStatus::Archived)) {
            open.push(proposal);
        }
    }
    Ok(open)
}

fn details(snapshot: &dyn Snapshot, proposal: Proposal) -> Result<ProposalDetails> {
    let ids: Vec<_> = proposal.blocks().cloned().collect();
    let blocks = snapshot.get_blocks(&ids)?;
    let blocks = blocks.into_iter().map(|block| Successor { block_id: block.id, content: block.content }).collect();
    Ok(ProposalDetails { action: accept::in_words(&proposal), proposal, blocks })
}

fn undecided(snapshot: &dyn Snapshot, number: i64) -> Result<Proposal> {
    let proposal = snapshot.get_proposal(number)?.ok_or(CareError::NoProposal { number })?;
    match proposal.state {
        ProposalState::Open => Ok(proposal),
        state => Err(CareError::Settled { number, state }.into()),
    }
}

fn settle(transaction: &mut dyn Transaction, proposal: Proposal, state: ProposalState, at: Timestamp) -> Result<()> {
    Ok(transaction.update_proposal(&Proposal { state, settled_at: Some(at), ..proposal })?)
}
