//! `retract_outcome`: removes an outcome and recomputes confidence from the remaining evidence.

use super::{RetractOutcome, stored_id};
use crate::results::RetractResult;
use elfmem_core::outcome::OutcomeRecord;
use elfmem_core::{BeliefUpdate, OperationKind, Trust};
use elfmem_store::Store;

use crate::belief_updates::replay_belief_without;
use crate::memory::Memory;
use crate::trace;
use crate::{Error, Result};

impl<S: Store> Memory<S> {
    /// Takes an outcome back: the confidence and evidence of its blocks become what the outcomes and links that still
    /// stand add up to. See [`RetractOutcome`].
    ///
    /// # Errors
    /// [`Error::UnknownOutcome`] when no outcome of that name is on record, [`Error::OutcomeOfAnother`] when the Python
    /// elfmem recorded it.
    pub fn retract_outcome(&self, request: impl Into<RetractOutcome>) -> Result<RetractResult> {
        let _span = trace::verb("retract_outcome");
        let RetractOutcome { outcome_id } = request.into();
        let given = outcome_id.trim();
        self.change(OperationKind::RetractOutcome, |transaction, _| {
            let mut records = transaction.get_outcomes_by_id(given)?;
            let mut outcome_id = given.to_owned();
            if records.is_empty() {
                outcome_id = stored_id(given, Trust::Untrusted);
                records = transaction.get_outcomes_by_id(&outcome_id)?;
            }
            if records.is_empty() {
                return Err(Error::UnknownOutcome { id: given.to_owned() });
            }
            if records.iter().all(OutcomeRecord::is_history) {
                return Err(Error::OutcomeOfAnother { id: outcome_id });
            }
            let mut moved = 0.0;
            for record in &records {
                let is_gone = |update: &BeliefUpdate| match update {
                    BeliefUpdate::Outcome(record) => record.outcome_id == outcome_id,
                    BeliefUpdate::Link(_) => false,
                };
                let refolded = replay_belief_without(transaction, &record.block_id, is_gone)?;
                moved += refolded.map_or(0.0, |moved| moved.after - moved.before);
            }
            Ok(RetractResult {
                outcome_id,
                blocks_updated: records.len(),
                mean_confidence_delta: moved / records.len() as f64,
            })
        })
    }
}
