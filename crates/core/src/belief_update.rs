//! The history of belief updates of a block, and its replay without some of them.
//!
//! Belief is a fold over the start value and all remaining outcomes and links, in order.

use crate::belief::Belief;
use crate::link::LinkEffect;
use crate::outcome::OutcomeRecord;

/// An update of the belief in a block.
#[derive(Debug, Clone, PartialEq)]
pub enum BeliefUpdate {
    /// An outcome.
    Outcome(OutcomeRecord),
    /// A link.
    Link(LinkEffect),
}

impl BeliefUpdate {
    /// Returns the position among the updates of the block.
    pub fn sequence(&self) -> u64 {
        match self {
            Self::Outcome(record) => record.sequence,
            Self::Link(effect) => effect.sequence,
        }
    }

    /// Returns the belief before the update.
    pub fn before(&self) -> Belief {
        match self {
            Self::Outcome(record) => record.before(),
            Self::Link(effect) => effect.before(),
        }
    }

    /// Returns the belief after the update.
    pub fn after(&self) -> Belief {
        match self {
            Self::Outcome(record) => record.after(),
            Self::Link(effect) => effect.after(),
        }
    }

    /// Recomputes the update from another start value.
    #[must_use]
    pub fn reapplied_to(&self, before: Belief) -> Self {
        match self {
            Self::Outcome(record) => Self::Outcome(record.reapplied_to(before)),
            Self::Link(effect) => Self::Link(effect.reapplied_to(before)),
        }
    }
}

/// The result of a replay: the remaining updates and the resulting belief.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayedBelief {
    /// The remaining updates, each starting from the result of the previous one.
    pub remaining: Vec<BeliefUpdate>,
    /// The resulting belief.
    pub belief: Belief,
}

/// Replays the updates of a block, in order, without those selected by `is_removed`.
///
/// If an update does not start from the result of the previous one, something else set the belief:
/// inheritance, or an older database. The replay then continues from that value. The same applies
/// to `current`, the stored belief.
pub fn replay_without(
    updates: &[BeliefUpdate],
    current: Belief,
    is_removed: impl Fn(&BeliefUpdate) -> bool,
) -> ReplayedBelief {
    let mut remaining = Vec::with_capacity(updates.len());
    // The belief at this point as recorded, and as replayed.
    let mut reached: Option<(Belief, Belief)> = None;
    let follow = |reached: Option<(Belief, Belief)>, next: Belief| match reached {
        Some((recorded, folded)) if recorded == next => folded,
        _ => next,
    };
    for update in updates {
        let start = follow(reached, update.before());
        let folded = if is_removed(update) {
            start
        } else {
            let kept = update.reapplied_to(start);
            let after = kept.after();
            remaining.push(kept);
            after
        };
        reached = Some((update.after(), folded));
    }
    ReplayedBelief { remaining, belief: follow(reached, current) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::{Evidence, LinkType};
    use crate::id::BlockId;
    use crate::link::{LinkEnd, LinkKey};
    use crate::time::Timestamp;
    use crate::unit::{Confidence, Signal};
    use proptest::prelude::*;

    /// A random update.
    #[derive(Debug, Clone, Copy)]
    enum RandomUpdate {
        Outcome(f64, f64),
        Link(LinkType),
    }

    fn random_update() -> impl Strategy<Value = RandomUpdate> {
        prop_oneof![
            (0.0..=1.0f64, 0.1..5.0f64).prop_map(|(signal, weight)| RandomUpdate::Outcome(signal, weight)),
            prop_oneof![Just(LinkType::Reinforces), Just(LinkType::Contradicts), Just(LinkType::Extends)]
                .prop_map(RandomUpdate::Link),
        ]
    }

    fn update(sequence: u64, before: Belief, kind: RandomUpdate) -> BeliefUpdate {
        let (block_id, created_at) = (BlockId::from_stored("b"), Timestamp::UNIX_EPOCH);
        let Belief { confidence, evidence } = before;
        let blank = match kind {
            RandomUpdate::Outcome(signal, weight) => BeliefUpdate::Outcome(OutcomeRecord {
                outcome_id: format!("o{sequence}"),
                block_id,
                sequence,
                signal: Signal::saturating(signal),
                weight,
                source: String::new(),
                confidence_before: confidence,
                confidence_after: confidence,
                evidence_before: evidence,
                created_at,
                ceiling: None,
            }),
            RandomUpdate::Link(link_type) => BeliefUpdate::Link(LinkEffect {
                key: LinkKey {
                    from: LinkEnd::from_stored(&sequence.to_string()),
                    link_type,
                    to: LinkEnd::from_stored("b"),
                },
                block_id,
                sequence,
                confidence_before: confidence,
                confidence_after: confidence,
                evidence_before: evidence,
                created_at,
                ceiling: None,
            }),
        };
        blank.reapplied_to(before)
    }

    fn history(start: Belief, kind: &[RandomUpdate]) -> (Vec<BeliefUpdate>, Belief) {
        let mut now = start;
        let mut updates = Vec::new();
        for (at, kind) in kind.iter().enumerate() {
            let next = update(at as u64 + 1, now, *kind);
            now = next.after();
            updates.push(next);
        }
        (updates, now)
    }

    #[test]
    fn replay_continues_from_inherited_belief() {
        let good = RandomUpdate::Outcome(1.0, 1.0);
        let (mut updates, _) = history(Belief::default(), &[good, RandomUpdate::Link(LinkType::Reinforces)]);
        let inherited = Belief { confidence: Confidence::saturating(0.2), evidence: Evidence::new(7.0) };
        let later = update(3, inherited, RandomUpdate::Outcome(0.9, 1.0));
        let now = later.after();
        updates.push(later);
        let first_gone = replay_without(&updates, now, |update| update.sequence() == 1);
        assert_eq!(first_gone.belief, now, "what came before the inheritance no longer matters");
        assert_eq!(first_gone.remaining[0].before(), Belief::default());
        let last_gone = replay_without(&updates, now, |update| update.sequence() == 3);
        assert_eq!(last_gone.belief, inherited);
        let set_since = Belief { confidence: Confidence::saturating(0.9), ..now };
        assert_eq!(replay_without(&updates, set_since, |update| update.sequence() == 3).belief, set_since);
    }

    #[test]
    fn update_order_matters_at_the_cap() {
        let at = |confidence| Belief { confidence: Confidence::saturating(confidence), ..Belief::default() };
        let (up, down) = (RandomUpdate::Link(LinkType::Reinforces), RandomUpdate::Link(LinkType::Contradicts));
        let close = |belief: Belief, expected: f64| (belief.confidence.get() - expected).abs() < 1e-12;
        assert!(close(history(at(0.95), &[up, up, down]).1, 0.90));
        assert!(close(history(at(0.95), &[down, up, up]).1, 0.95));
        let (updates, now) = history(at(0.95), &[up, up, down]);
        let without_first = replay_without(&updates, now, |update| update.sequence() == 1);
        assert!(close(without_first.belief, 0.90), "the second still reaches the cap");
    }

    proptest! {
        #[test]
        fn replay_equals_a_history_without_the_removed_updates(
            start in (0.0..=1.0f64, 0.0..20.0f64),
            history_of in prop::collection::vec((random_update(), any::<bool>()), 0..14),
        ) {
            let start = Belief { confidence: Confidence::saturating(start.0), evidence: Evidence::new(start.1) };
            let all: Vec<RandomUpdate> = history_of.iter().map(|(kind, _)| *kind).collect();
            let kept: Vec<RandomUpdate> = history_of.iter().filter(|(_, gone)| !gone).map(|(kind, _)| *kind).collect();
            let (updates, now) = history(start, &all);
            let replayed = replay_without(&updates, now, |one| history_of[one.sequence() as usize - 1].1);
            let expected = history(start, &kept).1;
            prop_assert_eq!(replayed.belief, if updates.is_empty() { now } else { expected });
            prop_assert_eq!(replayed.remaining.len(), kept.len());
            prop_assert!(replayed.remaining.windows(2).all(|pair| pair[0].after() == pair[1].before()));
        }

        #[test]
        fn replay_without_removals_changes_nothing(history_of in prop::collection::vec(random_update(), 0..14)) {
            let (updates, now) = history(Belief::default(), &history_of);
            let replayed = replay_without(&updates, now, |_| false);
            prop_assert_eq!(replayed, ReplayedBelief { remaining: updates, belief: now });
        }
    }
}
