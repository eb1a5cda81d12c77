//! Outcomes on record, and what is believed when one of them is taken away.

use serde::{Deserialize, Serialize};

use crate::belief::{Belief, Evidence, PRIOR_MASS};
use crate::id::BlockId;
use crate::time::Timestamp;
use crate::unit::{Confidence, Signal};

/// Above this a signal is good: it keeps blocks fresh and joins them.
pub const REINFORCE_ABOVE: f64 = 0.5;
/// Below this a signal is bad: blocks fade faster.
pub const PENALISE_BELOW: f64 = 0.20;
/// The weight of a new edge between blocks that served together, for a perfect signal.
pub const EDGE_WEIGHT_SCALE: f64 = 0.8;

/// What one outcome did to one block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeRecord {
    /// Which outcome.
    pub outcome_id: String,
    /// Which block.
    pub block_id: BlockId,
    /// Its place among the outcomes of the block.
    pub sequence: u64,
    /// How well the block served.
    pub signal: Signal,
    /// How much that counts.
    pub weight: f64,
    /// Who said so.
    pub source: String,
    /// How much the block was believed before.
    pub confidence_before: Confidence,
    /// And after.
    pub confidence_after: Confidence,
    /// How much of that was observed before.
    pub evidence_before: Evidence,
    /// When it was.
    pub created_at: Timestamp,
}

impl OutcomeRecord {
    /// What was believed before it.
    pub fn before(&self) -> Belief {
        Belief { confidence: self.confidence_before, evidence: self.evidence_before }
    }

    /// What was believed after it.
    pub fn after(&self) -> Belief {
        Belief { confidence: self.confidence_after, evidence: self.evidence_before.more(self.weight) }
    }

    /// The same outcome, following on `before`.
    #[must_use]
    fn following(&self, before: Belief) -> Self {
        let after = before.after_outcome(self.signal, self.weight, PRIOR_MASS);
        Self {
            confidence_before: before.confidence,
            evidence_before: before.evidence,
            confidence_after: after.confidence,
            ..self.clone()
        }
    }
}

/// A block's outcomes and belief after some of its outcomes were taken away.
#[derive(Debug, Clone, PartialEq)]
pub struct Refolded {
    /// Those that still stand, each following on the one before it.
    pub standing: Vec<OutcomeRecord>,
    /// What they add up to.
    pub belief: Belief,
}

/// Folds again what still stands of a block's outcomes, which come in their order, when `is_gone` ones are taken away.
///
/// Where a record does not follow on the one before it, something other than an outcome set the belief (it was inherited, or
/// comes from an older database): from there on it starts with what that set. The same holds of `current`, what is believed now.
pub fn fold_without(records: &[OutcomeRecord], current: Belief, is_gone: impl Fn(&OutcomeRecord) -> bool) -> Refolded {
    let mut standing = Vec::with_capacity(records.len());
    // What was believed at this point according to the records, and what is to be believed.
    let mut reached: Option<(Belief, Belief)> = None;
    let follow = |reached: Option<(Belief, Belief)>, next: Belief| match reached {
        Some((recorded, folded)) if recorded == next => folded,
        _ => next,
    };
    for record in records {
        let start = follow(reached, record.before());
        let folded = if is_gone(record) {
            start
        } else {
            let kept = record.following(start);
            let after = kept.after();
            standing.push(kept);
            after
        };
        reached = Some((record.after(), folded));
    }
    Refolded { standing, belief: follow(reached, current) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record(sequence: u64, before: Belief, signal: f64, weight: f64) -> OutcomeRecord {
        let blank = OutcomeRecord {
            outcome_id: format!("o{sequence}"),
            block_id: BlockId::from_stored("b"),
            sequence,
            signal: Signal::saturating(signal),
            weight,
            source: String::new(),
            confidence_before: before.confidence,
            confidence_after: before.confidence,
            evidence_before: before.evidence,
            created_at: Timestamp::UNIX_EPOCH,
        };
        blank.following(before)
    }

    fn history(start: Belief, outcomes: &[(f64, f64)]) -> (Vec<OutcomeRecord>, Belief) {
        let mut now = start;
        let mut records = Vec::new();
        for (at, (signal, weight)) in outcomes.iter().enumerate() {
            let next = record(at as u64 + 1, now, *signal, *weight);
            now = next.after();
            records.push(next);
        }
        (records, now)
    }

    #[test]
    fn belief_set_from_elsewhere_begins_anew_and_later_outcomes_build_on_it() {
        let (mut records, _) = history(Belief::default(), &[(1.0, 1.0), (1.0, 1.0)]);
        let inherited = Belief { confidence: Confidence::saturating(0.2), evidence: Evidence::new(7.0) };
        let later = record(3, inherited, 0.9, 1.0);
        let now = later.after();
        records.push(later);
        let first_gone = fold_without(&records, now, |record| record.sequence == 1);
        assert_eq!(first_gone.belief, now, "what came before the inheritance no longer matters");
        assert_eq!(first_gone.standing[0].before(), Belief::default());
        let last_gone = fold_without(&records, now, |record| record.sequence == 3);
        assert_eq!(last_gone.belief, inherited);
        let set_since = Belief { confidence: Confidence::saturating(0.9), ..now };
        assert_eq!(fold_without(&records, set_since, |record| record.sequence == 3).belief, set_since);
    }

    proptest! {
        #[test]
        fn what_is_left_adds_up_as_if_the_rest_had_never_been(
            start in (0.0..=1.0f64, 0.0..20.0f64),
            outcomes in prop::collection::vec((0.0..=1.0f64, 0.1..5.0f64, any::<bool>()), 0..12),
        ) {
            let start = Belief { confidence: Confidence::saturating(start.0), evidence: Evidence::new(start.1) };
            let all: Vec<(f64, f64)> = outcomes.iter().map(|(signal, weight, _)| (*signal, *weight)).collect();
            let kept: Vec<(f64, f64)> =
                outcomes.iter().filter(|(.., gone)| !gone).map(|(signal, weight, _)| (*signal, *weight)).collect();
            let (records, now) = history(start, &all);
            let gone = |record: &OutcomeRecord| outcomes[record.sequence as usize - 1].2;
            let refolded = fold_without(&records, now, gone);
            let expected = history(start, &kept).1;
            prop_assert_eq!(refolded.belief, if records.is_empty() { now } else { expected });
            prop_assert_eq!(refolded.standing.len(), kept.len());
            prop_assert!(refolded.standing.windows(2).all(|pair| pair[0].after() == pair[1].before()));
        }

        #[test]
        fn folding_again_with_nothing_gone_changes_nothing(
            outcomes in prop::collection::vec((0.0..=1.0f64, 0.1..5.0f64), 0..12),
        ) {
            let (records, now) = history(Belief::default(), &outcomes);
            let refolded = fold_without(&records, now, |_| false);
            prop_assert_eq!(refolded, Refolded { standing: records, belief: now });
        }
    }
}
