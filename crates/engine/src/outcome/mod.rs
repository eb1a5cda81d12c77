//! `outcome`: records how useful recalled blocks were, and updates their confidence, decay and
//! edges.

mod edges;
mod request;
mod retract;

use std::collections::HashSet;

use crate::results::{OutcomeResult, SkippedBlock, UNKNOWN_BLOCK};
use elfmem_core::outcome::{OutcomeRecord, PENALISE_BELOW, REINFORCE_ABOVE, after_outcome};
use elfmem_core::{
    Belief, Block, BlockId, BlockStatus, BroughtBy, OperationKind, Signal, Speaker, Timestamp, Trust, TrustPolicy,
};
use elfmem_store::{LearnedState, Snapshot, Store, Transaction};
use elfmem_text::secrets::SecretsPolicy;

use crate::care::CareError;
use crate::dream::Promotion;
use crate::input::checked_text;
use crate::learn::visible_name;
use crate::memory::{Memory, refuse_untrusted_redirect, resolve_learned};
use crate::moment::Moment;
use crate::secrets::{checked_remark, refuse_secret_name};
use crate::trace;
use crate::trust::{NOT_HEARD, counts_for};
use crate::{Error, Result};

pub use request::{Outcome, RetractOutcome};

/// Maximum number of blocks of one outcome.
const MAX_BLOCKS: usize = 500;
/// Maximum weight of one outcome.
const MAX_WEIGHT: f64 = 1_000.0;
/// Number of random bits after the milliseconds in a generated id, so that ids of concurrent
/// processes differ.
const RANDOM_BITS: u32 = 52;
/// Maximum length of an outcome id or source in bytes.
const MAX_LABEL_BYTES: usize = 256;

impl Outcome {
    /// Sets who says so, unless that is set.
    pub(crate) fn or_source(mut self, source: &str) -> Self {
        self.source.get_or_insert_with(|| source.to_owned());
        self
    }

    fn checked(&self, secrets: SecretsPolicy) -> Result<CheckedOutcome> {
        let wanted = "a number between 0 and 1";
        let signal =
            Signal::new(self.signal).map_err(|_| Error::BadNumber { what: "signal", value: self.signal, wanted })?;
        if !(self.weight > 0.0 && self.weight <= MAX_WEIGHT) {
            let wanted = "a number above 0 and at most 1000";
            return Err(Error::BadNumber { what: "weight", value: self.weight, wanted });
        }
        if self.block_ids.len() > MAX_BLOCKS {
            let problem = format!("names {} blocks; the maximum is {MAX_BLOCKS}", self.block_ids.len());
            return Err(Error::BadText { what: "outcome", problem });
        }
        let outcome_id = checked_text("outcome id", self.outcome_id.as_deref(), MAX_LABEL_BYTES)?;
        outcome_id.as_deref().map_or(Ok(()), |id| refuse_secret_name("outcome id", id, secrets))?;
        Ok(CheckedOutcome {
            signal,
            weight: self.weight,
            source: checked_remark("source", self.source.as_deref(), MAX_LABEL_BYTES, secrets)?
                .map(|source| visible_name(&source))
                .unwrap_or_default(),
            outcome_id,
        })
    }
}

/// A validated outcome.
struct CheckedOutcome {
    signal: Signal,
    weight: f64,
    source: String,
    /// The id given by the caller.
    outcome_id: Option<String>,
}

impl CheckedOutcome {
    /// Whether it is said by somebody who speaks for the owner.
    fn trust(&self, moment: &Moment) -> Trust {
        moment.trust_of(&self.source, &moment.who)
    }

    fn is_good(&self) -> bool {
        self.signal.get() > REINFORCE_ABOVE
    }

    fn is_bad(&self) -> bool {
        self.signal.get() < PENALISE_BELOW
    }
}

impl<S: Store> Memory<S> {
    /// Records how well blocks served. See [`Outcome`]. Blocks that wait in the inbox are promoted first.
    ///
    /// # Errors
    /// A signal outside `[0, 1]`, a weight that is not above 0, and an outcome id on record with another signal or weight.
    pub fn outcome(&self, request: impl Into<Outcome>) -> Result<OutcomeResult> {
        let _span = trace::verb("outcome");
        let outcome = request.into();
        let checked = outcome.checked(self.options.secrets)?;
        let who = BroughtBy::actor(&self.options.actor);
        let promotion = self.plan_promotion(outcome.block_ids.iter().map(String::as_str))?;
        let speaker = self.options.trust.trust_of(Speaker { source: &checked.source, brought_by: &who });
        self.change_as(OperationKind::Outcome, None, speaker, |transaction, moment| {
            let given = checked.outcome_id.as_deref().map(|given| stored_id(given, moment.speaker));
            let outcome_id = match given {
                Some(outcome_id) if is_recorded(transaction, &outcome_id, &checked)? => {
                    return Ok(OutcomeResult { outcome_id, repeated: true, ..OutcomeResult::default() });
                }
                Some(outcome_id) => outcome_id,
                None => generate_id(moment.at, (self.options.random)()),
            };
            apply(transaction, moment, &checked, outcome_id, &outcome.block_ids, &promotion)
        })
    }
}

/// What the ids begin with that untrusted sources give to their outcomes, so that none of them is taken from the owner.
const UNTRUSTED_ID: &str = "untrusted:";

/// Returns the id under which an outcome is stored, by the id that somebody gave to it.
fn stored_id(given: &str, speaker: Trust) -> String {
    match speaker {
        Trust::Untrusted if !given.starts_with(UNTRUSTED_ID) => format!("{UNTRUSTED_ID}{given}"),
        _ => given.to_owned(),
    }
}

/// Generates an outcome id from the time and random bits. Ids increase with time, because appending
/// to the end of an index is cheaper than inserting at random positions.
fn generate_id(at: Timestamp, random: u64) -> String {
    let milliseconds = at.as_millisecond().max(0).unsigned_abs();
    format!("{milliseconds:011x}{:013x}", random & ((1 << RANDOM_BITS) - 1))
}

/// Returns true if the outcome was recorded before and must not count again.
fn is_recorded(snapshot: &dyn Snapshot, outcome_id: &str, outcome: &CheckedOutcome) -> Result<bool> {
    let known = snapshot.get_outcomes_by_id(outcome_id)?;
    if known.iter().any(|record| record.signal != outcome.signal || record.weight != outcome.weight) {
        return Err(Error::OtherOutcome { id: outcome_id.to_owned() });
    }
    Ok(!known.is_empty())
}

fn apply(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    outcome: &CheckedOutcome,
    outcome_id: String,
    named: &[String],
    promotion: &Promotion,
) -> Result<OutcomeResult> {
    let speaker = outcome.trust(moment);
    let promoted = promotion.commit(transaction, moment, |snapshot, id| {
        Ok(snapshot.get_block(id)?.is_some_and(|block| counts_for(moment, speaker, &block)))
    })?;
    let mut result = OutcomeResult { outcome_id, promoted, ..OutcomeResult::default() };
    let mut blocks = active_blocks(transaction, &moment.trust, named, promotion, &mut result.skipped)?;
    skip_trusted(transaction, moment, outcome, &mut blocks, &mut result.skipped)?;
    let mut gained = 0.0;
    for (id, before) in &blocks {
        gained += update_block(transaction, moment, outcome, id, before, &mut result)?;
    }
    result.blocks_updated = blocks.len();
    result.mean_confidence_delta = gained / blocks.len().max(1) as f64;
    if outcome.is_good() && blocks.len() > 1 {
        let ids: Vec<BlockId> = blocks.into_iter().map(|(id, _)| id).collect();
        edges::connect_pairs(transaction, moment, outcome.signal, &ids, &mut result)?;
    }
    Ok(result)
}

/// Resolves ids to distinct active blocks with their learned state. Adds the other ids to `skipped`
/// with the reason.
fn active_blocks(
    snapshot: &dyn Snapshot,
    trust: &TrustPolicy,
    named: &[String],
    promotion: &Promotion,
    skipped: &mut Vec<SkippedBlock>,
) -> Result<Vec<(BlockId, LearnedState)>> {
    let mut blocks: Vec<(BlockId, LearnedState)> = Vec::with_capacity(named.len());
    let mut seen: HashSet<BlockId> = HashSet::new();
    for text in named {
        let found = resolve_learned(snapshot, text).and_then(|found| {
            if let Some((id, _)) = &found {
                refuse_untrusted_redirect(snapshot, trust, text, id)?;
            }
            Ok(found)
        });
        let reason = match found {
            Ok(Some((id, _))) if !seen.insert(id.clone()) => "it was named before".to_owned(),
            Ok(Some((id, block))) => match block.status {
                BlockStatus::Active => {
                    blocks.push((id, block.learned));
                    continue;
                }
                BlockStatus::Inbox => promotion.why_waiting(),
                BlockStatus::Archived => "it is archived".to_owned(),
            },
            Ok(None) | Err(Error::UnknownBlock { .. }) => UNKNOWN_BLOCK.to_owned(),
            Err(
                error @ (Error::AmbiguousId { .. }
                | Error::BadId { .. }
                | Error::Care(CareError::LeadsToTrusted { .. })),
            ) => error.message().trim_end_matches('.').to_owned(),
            Err(error) => return Err(error),
        };
        skipped.push(SkippedBlock { id: text.clone(), reason });
    }
    Ok(blocks)
}

/// Removes the blocks of trusted sources if the outcome comes from an untrusted one, and adds them to `skipped`.
fn skip_trusted(
    snapshot: &dyn Snapshot,
    moment: &Moment,
    outcome: &CheckedOutcome,
    blocks: &mut Vec<(BlockId, LearnedState)>,
    skipped: &mut Vec<SkippedBlock>,
) -> Result<()> {
    let speaker = outcome.trust(moment);
    if speaker == Trust::Owner {
        return Ok(());
    }
    let ids: Vec<BlockId> = blocks.iter().map(|(id, _)| id.clone()).collect();
    let mut found = snapshot.get_blocks(&ids)?;
    found.retain(|block| !counts_for(moment, speaker, block));
    blocks.retain(|(id, _)| !found.iter().any(|block| block.id == *id));
    let skip = |block: Block| SkippedBlock { id: block.id.to_string(), reason: NOT_HEARD.to_owned() };
    skipped.extend(found.into_iter().map(skip));
    Ok(())
}

/// Applies an outcome to one block: updates confidence and reinforcement or decay, and records the
/// outcome. Returns the change of confidence.
fn update_block(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    outcome: &CheckedOutcome,
    id: &BlockId,
    before: &LearnedState,
    result: &mut OutcomeResult,
) -> Result<f64> {
    let belief = Belief { confidence: before.confidence, evidence: before.outcome_evidence };
    // An untrusted source cannot raise confidence above the ceiling.
    let ceiling = outcome.trust(moment).ceiling();
    let moved = after_outcome(belief, outcome.signal, outcome.weight, ceiling);
    let mut after = LearnedState { confidence: moved.confidence, outcome_evidence: moved.evidence, ..*before };
    if outcome.is_good() {
        after.record_use(moment.hours);
    } else if outcome.is_bad() {
        after.decay_lambda = before.decay_lambda.penalised();
        result.blocks_penalized += usize::from(after.decay_lambda != before.decay_lambda);
    }
    transaction.update_learned_state(id, before, &after)?;
    transaction.put_outcome(&OutcomeRecord {
        outcome_id: result.outcome_id.clone(),
        block_id: id.clone(),
        sequence: transaction.get_last_evidence_sequence(id)? + 1,
        signal: outcome.signal,
        weight: outcome.weight,
        source: outcome.source.clone(),
        confidence_before: before.confidence,
        confidence_after: after.confidence,
        evidence_before: before.outcome_evidence,
        created_at: moment.at,
        ceiling,
    })?;
    Ok(after.confidence.get() - before.confidence.get())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn generated_ids_increase_with_time(
            earlier in 0i64..4_000_000_000_000, later in 1i64..300_000_000_000, random in any::<[u64; 2]>(),
        ) {
            let name = |milliseconds, random| generate_id(Timestamp::from_millisecond(milliseconds).unwrap(), random);
            let [first, second] = [name(earlier, random[0]), name(earlier + later, random[1])];
            prop_assert!(first < second && first.len() == 24 && second.len() == 24);
        }
    }
}
