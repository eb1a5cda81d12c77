//! Proposals: changes that the memory suggests and does not make by itself.

mod proposal;

pub use proposal::{Proposal, ProposalKind, ProposalState};

use crate::rows::{RowKey, RowKind, delete_recorded, get, insert_recorded, list, missing, update_recorded};
use crate::{Internal, ReadBlocks, Result, Row, StoreError, WriteJournal};

/// Reads proposals. A proposal is visible where all its blocks are.
pub trait ReadProposals: ReadBlocks {
    /// Lists proposals by number; only those of one state if asked for.
    fn list_proposals(&self, state: Option<ProposalState>) -> Result<Vec<Proposal>> {
        list(self, None, |proposal: &Proposal| state.is_none_or(|state| proposal.state == state))
    }

    /// Reads one proposal by its number.
    fn get_proposal(&self, number: i64) -> Result<Option<Proposal>> {
        get(self, &RowKey::Proposal(number))
    }

    /// Finds the proposal about a [subject](Proposal::subject), whatever its state.
    fn find_proposal(&self, subject: &str) -> Result<Option<Proposal>> {
        Ok(list(self, None, |proposal: &Proposal| proposal.subject() == subject)?.pop())
    }
}

/// Changes proposals.
pub trait WriteProposals: ReadProposals + WriteJournal {
    /// Stores a new proposal and gives it a number, unless it has one: a restored proposal keeps its own.
    ///
    /// # Errors
    /// The number or the subject is taken.
    fn insert_proposal(&mut self, proposal: &Proposal) -> Result<Proposal> {
        let mut stored = proposal.clone();
        if stored.number == 0 {
            stored.number = self.next_number(RowKind::Proposal, Internal(()))?;
        }
        if !insert_recorded(self, &Row::Proposal(stored.clone()))? {
            return Err(StoreError::driver(format!("proposal {} exists already", stored.subject())));
        }
        Ok(stored)
    }

    /// Stores a proposal that changed.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none of that number.
    fn update_proposal(&mut self, proposal: &Proposal) -> Result<()> {
        update_recorded(self, &Row::Proposal(proposal.clone()))?
            .ok_or_else(|| missing("proposal", proposal.number))
            .map(drop)
    }

    /// Removes a proposal; whether there was one.
    fn delete_proposal(&mut self, number: i64) -> Result<bool> {
        delete_recorded(self, &RowKey::Proposal(number))
    }
}
