//! Outcomes and effects of links.

use elfmem_core::{BlockId, LinkEffect, LinkKey, OutcomeRecord, Timestamp};
use elfmem_store::{ReadEvidence, WriteEvidence};

use super::Result;
use crate::transaction::SqliteTransaction;
use crate::{links, outcomes};

impl ReadEvidence for SqliteTransaction<'_> {
    fn get_outcomes(&self, block: &BlockId) -> Result<Vec<OutcomeRecord>> {
        outcomes::of_block(self.connection, &self.scopes, block)
    }

    fn get_outcomes_since(&self, since: Timestamp) -> Result<Vec<OutcomeRecord>> {
        outcomes::since(self.connection, &self.scopes, since)
    }

    fn get_outcomes_by_id(&self, outcome_id: &str) -> Result<Vec<OutcomeRecord>> {
        outcomes::of_outcome(self.connection, &self.scopes, outcome_id)
    }

    fn get_effects(&self, block: &BlockId) -> Result<Vec<LinkEffect>> {
        links::effects_on(self.connection, &self.scopes, block)
    }

    fn get_effects_of(&self, key: &LinkKey) -> Result<Vec<LinkEffect>> {
        links::effects_of(self.connection, &self.scopes, key)
    }

    fn get_last_evidence_sequence(&self, block: &BlockId) -> Result<u64> {
        outcomes::last_sequence(self.connection, block)
    }
}

impl WriteEvidence for SqliteTransaction<'_> {}
