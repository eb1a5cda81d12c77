//! Taking an outcome back: what the rest of the evidence says is believed again.

use elfmem_core::outcome::{OutcomeRecord, Refolded, fold_without};
use elfmem_core::results::RetractResult;
use elfmem_core::{Belief, BlockId};
use elfmem_store::{Store, Transaction};

use crate::memory::Memory;
use crate::{Error, Result};

impl<S: Store> Memory<S> {
    /// Takes an outcome back: the confidence and evidence of its blocks become what the outcomes that still stand add up to.
    ///
    /// USE WHEN: a signal was wrong, or its source turned out not to be trusted. DON'T USE WHEN: later use showed
    /// something else; that is another outcome. COST: instant. RETURNS: [`RetractResult`]. What else the outcome did
    /// (use counts, edges, faster fading) stays. NEXT: none.
    ///
    /// # Errors
    /// [`Error::UnknownOutcome`] when no outcome of that name is on record.
    pub fn retract_outcome(&self, outcome_id: &str) -> Result<RetractResult> {
        let outcome_id = outcome_id.trim();
        self.change("retract_outcome", |transaction, _| {
            let records = transaction.get_outcomes_by_id(outcome_id)?;
            if records.is_empty() {
                return Err(Error::UnknownOutcome { id: outcome_id.to_owned() });
            }
            let mut moved = 0.0;
            for record in &records {
                moved += refold_without(transaction, record)?;
            }
            Ok(RetractResult {
                outcome_id: outcome_id.to_owned(),
                blocks_updated: records.len(),
                mean_confidence_delta: moved / records.len() as f64,
            })
        })
    }
}

/// Takes one record away and folds the rest of its block's again; by how much the block is believed more.
fn refold_without(transaction: &mut dyn Transaction, gone: &OutcomeRecord) -> Result<f64> {
    let Some(block) = transaction.get_block(&gone.block_id)? else { return Ok(0.0) };
    let records = transaction.get_outcomes(&gone.block_id)?;
    let current = Belief { confidence: block.confidence, evidence: block.outcome_evidence };
    let Refolded { standing, belief } = fold_without(&records, current, |record| record.outcome_id == gone.outcome_id);
    transaction.delete_outcome(gone)?;
    for record in standing.iter().filter(|record| !records.contains(record)) {
        transaction.put_outcome(record)?;
    }
    transaction.update_block(&gone.block_id, &mut |block| {
        block.confidence = belief.confidence;
        block.outcome_evidence = belief.evidence;
    })?;
    Ok(belief.confidence.get() - current.confidence.get())
}

/// Lets a block that took another's belief over also have the outcomes it came from, so that one of them can still be taken
/// back. They follow on the block's own; what both learned from stays its own.
pub(crate) fn take_outcomes(transaction: &mut dyn Transaction, from: &BlockId, to: &BlockId) -> Result<()> {
    let own = transaction.get_outcomes(to)?;
    let last = own.last().map_or(0, |record| record.sequence);
    for record in transaction.get_outcomes(from)? {
        if own.iter().any(|known| known.outcome_id == record.outcome_id) {
            continue;
        }
        let sequence = last + record.sequence;
        transaction.put_outcome(&OutcomeRecord { block_id: to.clone(), sequence, ..record })?;
    }
    Ok(())
}
