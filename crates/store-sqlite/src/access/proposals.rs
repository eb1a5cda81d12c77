//! Proposals.

use elfmem_store::{Proposal, ProposalState, ReadProposals, WriteProposals};

use super::Result;
use crate::proposals;
use crate::transaction::SqliteTransaction;

impl ReadProposals for SqliteTransaction<'_> {
    fn list_proposals(&self, state: Option<ProposalState>) -> Result<Vec<Proposal>> {
        proposals::list(self.connection, &self.scopes, state)
    }

    fn find_proposal(&self, subject: &str) -> Result<Option<Proposal>> {
        proposals::find(self.connection, &self.scopes, subject)
    }
}

impl WriteProposals for SqliteTransaction<'_> {}
