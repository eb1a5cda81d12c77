//! `proposals`: suggested changes that need a decision. They are listed, accepted or rejected.

mod accept;
mod request;
mod sources;

use std::fmt;

use elfmem_core::trust::TrustPolicy;
use elfmem_core::{Block, BlockId, BlockStatus, OperationKind, Timestamp};
use elfmem_store::{Proposal, ProposalKind, ProposalState, Snapshot, Store, Transaction};
use serde::Serialize;

use crate::Result;
use crate::care::CareError;
use crate::graduate::SimilarityThresholds;
use crate::memory::Memory;
use crate::trace;

pub use request::{AcceptProposals, ListProposals, RejectProposals};
pub(crate) use sources::{admissible, proposal, propose_tags, put};

/// A proposal with the blocks it concerns.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProposalDetails {
    /// The proposal.
    #[serde(flatten)]
    pub proposal: Proposal,
    /// The effect of accepting it.
    pub action: String,
    /// The blocks it concerns.
    pub blocks: Vec<ProposedBlock>,
}

/// A block that a proposal concerns.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProposedBlock {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// Who said it.
    pub source: String,
    /// Whether that source is trusted.
    pub trusted: bool,
}

/// Result of accepting or rejecting proposals.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProposalsResult {
    /// `accepted` or `rejected`.
    pub action: &'static str,
    /// The proposal numbers.
    pub numbers: Vec<i64>,
    /// The effect of each accepted proposal.
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
    /// What waits for a decision, by number; with `settled_too` also what was decided. See [`ListProposals`].
    pub fn proposals(&self, request: impl Into<ListProposals>) -> Result<Vec<ProposalDetails>> {
        let _span = trace::verb("proposals");
        let ListProposals { all } = request.into();
        self.read(|snapshot| {
            let found = match all {
                true => snapshot.list_proposals(None)?,
                false => open_proposals(snapshot)?,
            };
            found.into_iter().map(|proposal| details(snapshot, proposal, &self.options.trust)).collect()
        })
    }

    /// Does what proposals ask for, all of them or none. See [`AcceptProposals`].
    ///
    /// # Errors
    /// No such proposal, one that was decided before, one that no longer holds.
    pub fn accept_proposals(&self, request: impl Into<AcceptProposals>) -> Result<ProposalsResult> {
        let _span = trace::verb("accept_proposals");
        let AcceptProposals { numbers } = request.into();
        // Only patterns need similarity thresholds. The embedder need not be available for other
        // proposals.
        let needs_thresholds = |number: &i64| {
            self.read(|snapshot| {
                Ok(snapshot.get_proposal(*number)?.is_some_and(|one| one.kind == ProposalKind::Pattern))
            })
        };
        let needed = numbers.iter().map(needs_thresholds).collect::<Result<Vec<bool>>>()?.contains(&true);
        let thresholds = if needed { self.similarity_thresholds() } else { SimilarityThresholds::default() };
        let mut created = Vec::new();
        let result = self.change(OperationKind::Accept, |transaction, moment| {
            let mut effects = Vec::new();
            created.clear();
            for number in &numbers {
                let proposal = open_proposal(&*transaction, *number)?;
                let applied = accept::apply(transaction, moment, &proposal, thresholds)?;
                created.extend(applied.created);
                effects.push(applied.effect);
                settle(transaction, proposal, ProposalState::Accepted, moment.at)?;
            }
            Ok(ProposalsResult { action: "accepted", numbers: numbers.clone(), effects })
        })?;
        // A block that could not be embedded is found by full-text search; `migrate-embeddings`
        // embeds it later.
        self.embed_active(&created);
        Ok(result)
    }

    /// Turns proposals down. They do not come back. See [`RejectProposals`].
    ///
    /// # Errors
    /// No such proposal, one that was decided before.
    pub fn reject_proposals(&self, request: impl Into<RejectProposals>) -> Result<ProposalsResult> {
        let _span = trace::verb("reject_proposals");
        let RejectProposals { numbers } = request.into();
        self.change(OperationKind::Reject, |transaction, moment| {
            for number in &numbers {
                let proposal = open_proposal(&*transaction, *number)?;
                settle(transaction, proposal, ProposalState::Rejected, moment.at)?;
            }
            Ok(ProposalsResult { action: "rejected", numbers: numbers.clone(), effects: Vec::new() })
        })
    }
}

/// Returns the open proposals whose blocks are all live.
pub(crate) fn open_proposals(snapshot: &dyn Snapshot) -> Result<Vec<Proposal>> {
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

fn details(snapshot: &dyn Snapshot, proposal: Proposal, trust: &TrustPolicy) -> Result<ProposalDetails> {
    let ids: Vec<_> = proposal.blocks().cloned().collect();
    let blocks = snapshot.get_blocks(&ids)?;
    let action = accept::describe(&proposal, &blocks, trust);
    let shown = |block: Block| {
        let trusted = trust.trusts(&block);
        ProposedBlock { block_id: block.id, content: block.content, source: block.source, trusted }
    };
    Ok(ProposalDetails { action, proposal, blocks: blocks.into_iter().map(shown).collect() })
}

fn open_proposal(snapshot: &dyn Snapshot, number: i64) -> Result<Proposal> {
    let proposal = snapshot.get_proposal(number)?.ok_or(CareError::NoProposal { number })?;
    match proposal.state {
        ProposalState::Open => Ok(proposal),
        state => Err(CareError::Settled { number, state }.into()),
    }
}

fn settle(transaction: &mut dyn Transaction, proposal: Proposal, state: ProposalState, at: Timestamp) -> Result<()> {
    Ok(transaction.update_proposal(&Proposal { state, settled_at: Some(at), ..proposal })?)
}
