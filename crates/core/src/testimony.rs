//! Everything that moved the belief in a block, and what is believed when some of it is taken away.
//!
//! Belief is a fold: where a block started, then every outcome and every link that still stands, in the order they came.

use crate::belief::Belief;
use crate::link::LinkEffect;
use crate::outcome::OutcomeRecord;

/// One thing that moved the belief in a block.
#[derive(Debug, Clone, PartialEq)]
pub enum Testimony {
    /// How well it served.
    Outcome(OutcomeRecord),
    /// What a link said of it.
    Link(LinkEffect),
}

impl Testimony {
    /// Its place among those of the block.
    pub fn sequence(&self) -> u64 {
        match self {
            Self::Outcome(record) => record.sequence,
            Self::Link(effect) => effect.sequence,
        }
    }

    /// What was believed before it.
    pub fn before(&self) -> Belief {
        match self {
            Self::Outcome(record) => record.before(),
            Self::Link(effect) => effect.before(),
        }
    }

    /// What was believed after it.
    pub fn after(&self) -> Belief {
        match self {
            Self::Outcome(record) => record.after(),
            Self::Link(effect) => effect.after(),
        }
    }

    /// The same, following on `before`.
    #[must_use]
    pub fn following(&self, before: Belief) -> Self {
        match self {
            Self::Outcome(record) => Self::Outcome(record.following(before)),
            Self::Link(effect) => Self::Link(effect.following(before)),
        }
    }
}

/// What stands of a block's testimonies after some were taken away, and what is believed then.
#[derive(Debug, Clone, PartialEq)]
pub struct Refolded {
    /// Those that still stand, each following on the one before it.
    pub standing: Vec<Testimony>,
    /// What they add up to.
    pub belief: Belief,
}

/// Folds again what still stands of a block's testimonies, which come in their order, when `is_gone` ones are taken away.
///
/// Where one does not follow on the one before it, something else set the belief (it was inherited, or comes from an older
/// database): from there on it starts with what that set. The same holds of `current`, what is believed now.
pub fn fold_without(testimonies: &[Testimony], current: Belief, is_gone: impl Fn(&Testimony) -> bool) -> Refolded {
    let mut standing = Vec::with_capacity(testimonies.len());
    // What was believed at this point according to the records, and what is to be believed.
    let mut reached: Option<(Belief, Belief)> = None;
    let follow = |reached: Option<(Belief, Belief)>, next: Belief| match reached {
        Some((recorded, folded)) if recorded == next => folded,
        _ => next,
    };
    for testimony in testimonies {
        let start = follow(reached, testimony.before());
        let folded = if is_gone(testimony) {
            start
        } else {
            let kept = testimony.following(start);
            let after = kept.after();
            standing.push(kept);
            after
        };
        reached = Some((testimony.after(), folded));
    }
    Refolded { standing, belief: follow(reached, current) }
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

    /// What may happen to a block.
    #[derive(Debug, Clone, Copy)]
    enum Said {
        Outcome(f64, f64),
        Link(LinkType),
    }

    fn said() -> impl Strategy<Value = Said> {
        prop_oneof![
            (0.0..=1.0f64, 0.1..5.0f64).prop_map(|(signal, weight)| Said::Outcome(signal, weight)),
            prop_oneof![Just(LinkType::Reinforces), Just(LinkType::Contradicts), Just(LinkType::Extends)]
                .prop_map(Said::Link),
        ]
    }

    fn testimony(sequence: u64, before: Belief, said: Said) -> Testimony {
        let (block_id, created_at) = (BlockId::from_stored("b"), Timestamp::UNIX_EPOCH);
        let Belief { confidence, evidence } = before;
        let blank = match said {
            Said::Outcome(signal, weight) => Testimony::Outcome(OutcomeRecord {
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
            Said::Link(link_type) => Testimony::Link(LinkEffect {
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
        blank.following(before)
    }

    fn history(start: Belief, said: &[Said]) -> (Vec<Testimony>, Belief) {
        let mut now = start;
        let mut testimonies = Vec::new();
        for (at, said) in said.iter().enumerate() {
            let next = testimony(at as u64 + 1, now, *said);
            now = next.after();
            testimonies.push(next);
        }
        (testimonies, now)
    }

    #[test]
    fn belief_set_from_elsewhere_begins_anew_and_what_came_later_builds_on_it() {
        let good = Said::Outcome(1.0, 1.0);
        let (mut testimonies, _) = history(Belief::default(), &[good, Said::Link(LinkType::Reinforces)]);
        let inherited = Belief { confidence: Confidence::saturating(0.2), evidence: Evidence::new(7.0) };
        let later = testimony(3, inherited, Said::Outcome(0.9, 1.0));
        let now = later.after();
        testimonies.push(later);
        let first_gone = fold_without(&testimonies, now, |testimony| testimony.sequence() == 1);
        assert_eq!(first_gone.belief, now, "what came before the inheritance no longer matters");
        assert_eq!(first_gone.standing[0].before(), Belief::default());
        let last_gone = fold_without(&testimonies, now, |testimony| testimony.sequence() == 3);
        assert_eq!(last_gone.belief, inherited);
        let set_since = Belief { confidence: Confidence::saturating(0.9), ..now };
        assert_eq!(fold_without(&testimonies, set_since, |testimony| testimony.sequence() == 3).belief, set_since);
    }

    #[test]
    fn order_counts_at_the_cap_and_taking_one_away_gives_what_the_rest_says() {
        let at = |confidence| Belief { confidence: Confidence::saturating(confidence), ..Belief::default() };
        let (up, down) = (Said::Link(LinkType::Reinforces), Said::Link(LinkType::Contradicts));
        let close = |belief: Belief, expected: f64| (belief.confidence.get() - expected).abs() < 1e-12;
        assert!(close(history(at(0.95), &[up, up, down]).1, 0.90));
        assert!(close(history(at(0.95), &[down, up, up]).1, 0.95));
        let (testimonies, now) = history(at(0.95), &[up, up, down]);
        let without_first = fold_without(&testimonies, now, |testimony| testimony.sequence() == 1);
        assert!(close(without_first.belief, 0.90), "the second still reaches the cap");
    }

    proptest! {
        #[test]
        fn what_is_left_adds_up_as_if_the_rest_had_never_been(
            start in (0.0..=1.0f64, 0.0..20.0f64),
            history_of in prop::collection::vec((said(), any::<bool>()), 0..14),
        ) {
            let start = Belief { confidence: Confidence::saturating(start.0), evidence: Evidence::new(start.1) };
            let all: Vec<Said> = history_of.iter().map(|(said, _)| *said).collect();
            let kept: Vec<Said> = history_of.iter().filter(|(_, gone)| !gone).map(|(said, _)| *said).collect();
            let (testimonies, now) = history(start, &all);
            let refolded = fold_without(&testimonies, now, |one| history_of[one.sequence() as usize - 1].1);
            let expected = history(start, &kept).1;
            prop_assert_eq!(refolded.belief, if testimonies.is_empty() { now } else { expected });
            prop_assert_eq!(refolded.standing.len(), kept.len());
            prop_assert!(refolded.standing.windows(2).all(|pair| pair[0].after() == pair[1].before()));
        }

        #[test]
        fn folding_again_with_nothing_gone_changes_nothing(history_of in prop::collection::vec(said(), 0..14)) {
            let (testimonies, now) = history(Belief::default(), &history_of);
            let refolded = fold_without(&testimonies, now, |_| false);
            prop_assert_eq!(refolded, Refolded { standing: testimonies, belief: now });
        }
    }
}
