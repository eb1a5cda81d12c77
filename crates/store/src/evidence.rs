//! Evidence: the effects of outcomes and links on the confidence in blocks, in the order they happened.

use elfmem_core::{BlockId, LinkEffect, LinkKey, OutcomeRecord, Timestamp};

use crate::rows::{RowKey, delete_recorded, list, put_recorded};
use crate::{ReadBlocks, Result, Row, WriteJournal};

/// How many effects of outcomes, those stored last, [`ReadEvidence::get_outcomes_since`] looks at in every store.
pub const RECENT_OUTCOMES: u32 = 10_000;

/// Reads evidence.
pub trait ReadEvidence: ReadBlocks {
    /// Lists the effects of outcomes on a block, in their order.
    fn get_outcomes(&self, block: &BlockId) -> Result<Vec<OutcomeRecord>> {
        let mut found: Vec<OutcomeRecord> = list(self, Some(std::slice::from_ref(block)), |_| true)?;
        found.sort_by_key(|record| record.sequence);
        Ok(found)
    }

    /// Lists the effects of outcomes since a time, by block and in their order. A store may leave out those that were not among the
    /// last [`RECENT_OUTCOMES`] stored.
    fn get_outcomes_since(&self, since: Timestamp) -> Result<Vec<OutcomeRecord>> {
        let mut found: Vec<OutcomeRecord> = list(self, None, |record: &OutcomeRecord| record.created_at >= since)?;
        found.sort_by(|a, b| a.block_id.cmp(&b.block_id).then(a.sequence.cmp(&b.sequence)));
        Ok(found)
    }

    /// Lists the effects of one outcome, in the order of the blocks' ids.
    fn get_outcomes_by_id(&self, outcome_id: &str) -> Result<Vec<OutcomeRecord>> {
        let mut found: Vec<OutcomeRecord> = list(self, None, |record: &OutcomeRecord| record.outcome_id == outcome_id)?;
        found.sort_by(|a, b| a.block_id.cmp(&b.block_id).then(a.sequence.cmp(&b.sequence)));
        Ok(found)
    }

    /// Lists the effects of links on a block, in their order.
    fn get_effects(&self, block: &BlockId) -> Result<Vec<LinkEffect>> {
        let mut found: Vec<LinkEffect> = list(self, Some(std::slice::from_ref(block)), |_| true)?;
        found.sort_by_key(|effect| effect.sequence);
        Ok(found)
    }

    /// Lists the effects of one link, in the order of the blocks' ids.
    fn get_effects_of(&self, key: &LinkKey) -> Result<Vec<LinkEffect>> {
        let mut found: Vec<LinkEffect> = list(self, None, |effect: &LinkEffect| effect.key == *key)?;
        found.sort_by(|a, b| a.block_id.cmp(&b.block_id).then(a.sequence.cmp(&b.sequence)));
        Ok(found)
    }

    /// Lists the effects of links that a block is an end of, those on other blocks too.
    fn get_effects_naming(&self, id: &BlockId) -> Result<Vec<LinkEffect>> {
        let names_block =
            |effect: &LinkEffect| [&effect.key.from, &effect.key.to].iter().any(|end| end.block() == Some(id));
        list(self, None, names_block)
    }

    /// Returns the sequence number of the latest evidence about a block, an outcome or a link; 0 when there is none.
    fn get_last_evidence_sequence(&self, block: &BlockId) -> Result<u64> {
        let outcome = self.get_outcomes(block)?.last().map_or(0, |record| record.sequence);
        let effect = self.get_effects(block)?.last().map_or(0, |effect| effect.sequence);
        Ok(outcome.max(effect))
    }
}

/// Changes evidence.
pub trait WriteEvidence: ReadEvidence + WriteJournal {
    /// Stores the effect of an outcome on a block, replacing an earlier one of the same two.
    fn put_outcome(&mut self, record: &OutcomeRecord) -> Result<()> {
        put_recorded(self, &Row::Outcome(record.clone()))
    }

    /// Removes the effect of an outcome on a block.
    fn delete_outcome(&mut self, record: &OutcomeRecord) -> Result<()> {
        let (block_id, outcome_id) = (record.block_id.clone(), record.outcome_id.clone());
        delete_recorded(self, &RowKey::Outcome { block_id, outcome_id }).map(drop)
    }

    /// Stores the effect of a link on a block, replacing an earlier one of the same two.
    fn put_effect(&mut self, effect: &LinkEffect) -> Result<()> {
        put_recorded(self, &Row::Effect(effect.clone()))
    }

    /// Removes the effect of a link on a block.
    fn delete_effect(&mut self, effect: &LinkEffect) -> Result<()> {
        let (block_id, key) = (effect.block_id.clone(), effect.key.clone());
        delete_recorded(self, &RowKey::Effect { block_id, key }).map(drop)
    }
}
