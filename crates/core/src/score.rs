//! The composite score: five components, five weights.

use serde::{Deserialize, Serialize};

/// What a frame cares about. The five weights are not negative and sum to one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// How well the block answers the query.
    pub similarity: f64,
    /// How much the block is believed.
    pub confidence: f64,
    /// How recently it was of use.
    pub recency: f64,
    /// How well connected it is.
    pub centrality: f64,
    /// How often it was of use.
    pub reinforcement: f64,
}

/// What a block brings, each component in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Components {
    /// How well it answers the query.
    pub similarity: f64,
    /// How much it is believed.
    pub confidence: f64,
    /// How recently it was of use.
    pub recency: f64,
    /// How well connected it is.
    pub centrality: f64,
    /// How often it was of use.
    pub reinforcement: f64,
}

/// Weights that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WeightsError {
    /// One of them is negative or not a number.
    #[error("weight '{name}' must not be negative, got {value}")]
    Negative {
        /// Which one.
        name: &'static str,
        /// What it was.
        value: f64,
    },
    /// They do not sum to one.
    #[error("the five weights must sum to 1, they sum to {sum:.4}")]
    Sum {
        /// What they sum to.
        sum: f64,
    },
    /// Only similarity has weight, and there is no query.
    #[error("without a query there is nothing to score by: only similarity has weight")]
    OnlySimilarity,
}

/// How far the sum of the weights may be from one.
const SUM_TOLERANCE: f64 = 0.0001;

impl Weights {
    /// The weights in the order similarity, confidence, recency, centrality, reinforcement.
    pub const fn new(parts: [f64; 5]) -> Self {
        let [similarity, confidence, recency, centrality, reinforcement] = parts;
        Self { similarity, confidence, recency, centrality, reinforcement }
    }

    /// Checks that no weight is negative and that they sum to one.
    pub fn checked(self) -> Result<Self, WeightsError> {
        for (name, value) in self.named() {
            if value.is_nan() || value < 0.0 {
                return Err(WeightsError::Negative { name, value });
            }
        }
        let sum: f64 = self.named().iter().map(|(_, value)| value).sum();
        if (sum - 1.0).abs() <= SUM_TOLERANCE { Ok(self) } else { Err(WeightsError::Sum { sum }) }
    }

    /// The weights for scoring without a query: similarity dropped, the other four rescaled to sum to one.
    pub fn queryless(self) -> Result<Self, WeightsError> {
        let rest = self.confidence + self.recency + self.centrality + self.reinforcement;
        if rest <= 0.0 {
            return Err(WeightsError::OnlySimilarity);
        }
        let scale = 1.0 / rest;
        Ok(Self {
            similarity: 0.0,
            confidence: self.confidence * scale,
            recency: self.recency * scale,
            centrality: self.centrality * scale,
            reinforcement: self.reinforcement * scale,
        })
    }

    /// The weighted sum.
    pub fn score(self, parts: Components) -> f64 {
        self.similarity * parts.similarity
            + self.confidence * parts.confidence
            + self.recency * parts.recency
            + self.centrality * parts.centrality
            + self.reinforcement * parts.reinforcement
    }

    fn named(self) -> [(&'static str, f64); 5] {
        [
            ("similarity", self.similarity),
            ("confidence", self.confidence),
            ("recency", self.recency),
            ("centrality", self.centrality),
            ("reinforcement", self.reinforcement),
        ]
    }
}

/// Centrality with a floor for the young: a recent block that nothing links to yet is not held to be peripheral.
pub fn effective_centrality(raw: f64, recency: f64) -> f64 {
    if raw < 0.10 && recency > 0.70 { raw.max(0.5 * recency) } else { raw }
}

/// Use on a logarithmic scale, relative to the most used: 0 for never, 1 for the most.
pub fn normalised_reinforcement(count: u32, max: u32) -> f64 {
    if max == 0 { 0.0 } else { (1.0 + f64::from(count)).ln() / (1.0 + f64::from(max)).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weights() -> impl Strategy<Value = Weights> {
        prop::array::uniform5(0.0..1.0f64).prop_filter("not all zero", |w| w.iter().sum::<f64>() > 0.01).prop_map(|w| {
            let sum: f64 = w.iter().sum();
            Weights::new(w.map(|part| part / sum))
        })
    }

    fn components() -> impl Strategy<Value = Components> {
        prop::array::uniform5(0.0..=1.0f64).prop_map(|[similarity, confidence, recency, centrality, reinforcement]| {
            Components { similarity, confidence, recency, centrality, reinforcement }
        })
    }

    #[test]
    fn weights_that_do_not_sum_to_one_or_are_negative_are_refused() {
        assert!(matches!(Weights::new([0.5, 0.5, 0.5, 0.0, 0.0]).checked(), Err(WeightsError::Sum { .. })));
        assert!(matches!(Weights::new([1.2, -0.2, 0.0, 0.0, 0.0]).checked(), Err(WeightsError::Negative { .. })));
        assert!(matches!(Weights::new([f64::NAN, 1.0, 0.0, 0.0, 0.0]).checked(), Err(WeightsError::Negative { .. })));
        assert_eq!(Weights::new([1.0, 0.0, 0.0, 0.0, 0.0]).queryless(), Err(WeightsError::OnlySimilarity));
    }

    proptest! {
        #[test]
        fn scores_of_parts_in_range_are_in_range(w in weights(), parts in components()) {
            let w = w.checked().unwrap();
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&w.score(parts)));
            if let Ok(queryless) = w.queryless() {
                prop_assert!(queryless.checked().is_ok());
                prop_assert!((-1e-9..=1.0 + 1e-9).contains(&queryless.score(parts)));
            }
        }

        #[test]
        fn a_better_component_never_lowers_the_score(w in weights(), parts in components(), gain in 0.0..0.5f64) {
            let better = Components { recency: parts.recency + gain, ..parts };
            prop_assert!(w.score(better) >= w.score(parts) - 1e-12);
        }

        #[test]
        fn reinforcement_grows_with_use_and_ends_at_one(count in 0u32..1000, more in 0u32..1000) {
            let max = count + more;
            let value = normalised_reinforcement(count, max);
            prop_assert!((0.0..=1.0).contains(&value));
            prop_assert!(value <= normalised_reinforcement(max, max) + 1e-12);
        }

        #[test]
        fn the_cold_start_floor_never_lowers_centrality(raw in 0.0..=1.0f64, recency in 0.0..=1.0f64) {
            let effective = effective_centrality(raw, recency);
            prop_assert!(effective >= raw && effective <= 1.0);
        }
    }
}
