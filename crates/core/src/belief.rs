//! Belief in a block: confidence and evidence, updated by outcomes and links.

use serde::{Deserialize, Serialize};

use crate::unit::{Confidence, Signal};

/// Amount of evidence behind a confidence, in units of outcome weight.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Evidence(f64);

impl Evidence {
    /// No evidence.
    pub const NONE: Self = Self(0.0);

    /// Creates an amount of evidence. Negative or non-finite values become zero.
    pub fn new(amount: f64) -> Self {
        Self(if amount.is_finite() { amount.max(0.0) } else { 0.0 })
    }

    /// Returns the amount.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Adds `weight`.
    #[must_use]
    pub fn more(self, weight: f64) -> Self {
        Self::new(self.0 + weight)
    }
}

/// Confidence with its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Belief {
    /// The confidence.
    pub confidence: Confidence,
    /// The evidence behind the confidence.
    pub evidence: Evidence,
}

impl Belief {
    /// Returns the belief after one outcome. See [`after_outcome`].
    #[must_use]
    pub fn after_outcome(self, signal: Signal, weight: f64, prior: f64) -> Self {
        let (confidence, evidence) = after_outcome((self.confidence, self.evidence), signal, weight, prior);
        Self { confidence, evidence }
    }
}

/// Weight of the initial confidence against outcomes.
pub const PRIOR_MASS: f64 = 2.0;

/// Returns confidence and evidence after one outcome: the mean of a Beta distribution whose prior
/// weighs `prior` observations.
///
/// `weight` must be positive; the engine validates it.
pub fn after_outcome(
    (confidence, evidence): (Confidence, Evidence),
    signal: Signal,
    weight: f64,
    prior: f64,
) -> (Confidence, Evidence) {
    let mass = prior + evidence.0;
    let mean = (confidence.get() * mass + signal.get() * weight) / (mass + weight);
    (Confidence::saturating(mean), evidence.more(weight))
}

/// The link types of seed 004, weakest effect first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkType {
    /// A loose association; no effect on belief.
    RelatedTo,
    /// Adds detail to the target and is recalled with it; no effect on belief.
    Extends,
    /// Derived from the target; no effect on belief.
    DerivedFrom,
    /// Confirms the target.
    Reinforces,
    /// Contradicts the target.
    Contradicts,
}

/// Confidence added by one `reinforces` link.
pub const REINFORCES_GAIN: f64 = 0.05;
/// Confidence removed by one `contradicts` link.
pub const CONTRADICTS_LOSS: f64 = 0.10;
/// Lower bound of the confidence for `contradicts` links.
pub const CONTRADICTS_FLOOR: f64 = 0.2;

/// Returns the confidence of the target after one link. A contradiction never raises a confidence
/// below the floor.
pub fn after_link(confidence: Confidence, link: LinkType) -> Confidence {
    let c = confidence.get();
    match link {
        LinkType::RelatedTo | LinkType::Extends | LinkType::DerivedFrom => confidence,
        LinkType::Reinforces => Confidence::saturating(c + REINFORCES_GAIN),
        LinkType::Contradicts => Confidence::saturating(c.min(CONTRADICTS_FLOOR).max(c - CONTRADICTS_LOSS)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn link() -> impl Strategy<Value = LinkType> {
        prop_oneof![
            Just(LinkType::RelatedTo),
            Just(LinkType::Extends),
            Just(LinkType::DerivedFrom),
            Just(LinkType::Reinforces),
            Just(LinkType::Contradicts),
        ]
    }

    #[test]
    fn three_reinforcing_links_add_fifteen_hundredths() {
        let end = (0..3).fold(Confidence::default(), |c, _| after_link(c, LinkType::Reinforces));
        assert!((end.get() - 0.65).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn outcomes_pull_towards_the_signal_and_never_past_it(
            c in 0.0..=1.0f64, n in 0.0..100.0f64, s in 0.0..=1.0f64, w in 0.01..10.0f64,
        ) {
            let before = Confidence::saturating(c);
            let (after, evidence) = after_outcome((before, Evidence::new(n)), Signal::saturating(s), w, PRIOR_MASS);
            let (low, high) = (c.min(s), c.max(s));
            prop_assert!(after.get() >= low - 1e-12 && after.get() <= high + 1e-12);
            prop_assert!((evidence.get() - n - w).abs() < 1e-9);
        }

        #[test]
        fn links_stay_within_cap_and_floor(start in 0.0..=1.0f64, links in prop::collection::vec(link(), 0..40)) {
            let mut confidence = Confidence::saturating(start);
            for link in links {
                let next = after_link(confidence, link);
                match link {
                    LinkType::Reinforces => prop_assert!(next >= confidence),
                    LinkType::Contradicts => {
                        prop_assert!(next <= confidence);
                        prop_assert!(next.get() >= confidence.get().min(0.2));
                    }
                    _ => prop_assert_eq!(next, confidence),
                }
                confidence = next;
            }
        }
    }
}
