//! The composite score of a block: five components and five weights.

use serde::{Deserialize, Serialize};

/// The weights of a frame. They are not negative and sum to one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScoreWeights {
    /// Weight of the similarity to the query.
    pub similarity: f64,
    /// Weight of the confidence.
    pub confidence: f64,
    /// Weight of the recency.
    pub recency: f64,
    /// Weight of the centrality.
    pub centrality: f64,
    /// Weight of the reinforcement.
    pub reinforcement: f64,
}

/// The score components of a block, each in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ScoreComponents {
    /// Similarity to the query.
    pub similarity: f64,
    /// Confidence.
    pub confidence: f64,
    /// Recency: time since the last use, decayed.
    pub recency: f64,
    /// Centrality: normalised weighted degree.
    pub centrality: f64,
    /// Reinforcement: normalised number of uses.
    pub reinforcement: f64,
}

/// Invalid weights.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// A weight is negative or not a number.
    #[error("weight '{name}' must not be negative, got {value}")]
    Negative {
        /// The name of the weight.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// The weights do not sum to one.
    #[error("the five weights must sum to 1, they sum to {sum:.4}")]
    Sum {
        /// The sum.
        sum: f64,
    },
    /// Only similarity has a weight, and there is no query.
    #[error("without a query there is nothing to score by: only similarity has weight")]
    OnlySimilarity,
}

/// Tolerance for the sum of the weights.
const SUM_TOLERANCE: f64 = 0.0001;

impl ScoreWeights {
    /// Creates weights in the order similarity, confidence, recency, centrality, reinforcement.
    pub const fn new(parts: [f64; 5]) -> Self {
        let [similarity, confidence, recency, centrality, reinforcement] = parts;
        Self { similarity, confidence, recency, centrality, reinforcement }
    }

    /// Validates the weights.
    pub fn checked(self) -> Result<Self, WeightsError> {
        for (name, value) in self.named() {
            if value.is_nan() || value < 0.0 {
                return Err(WeightsError::Negative { name, value });
            }
        }
        let sum: f64 = self.named().iter().map(|(_, value)| value).sum();
        if (sum - 1.0).abs() <= SUM_TOLERANCE { Ok(self) } else { Err(WeightsError::Sum { sum }) }
    }

    /// Returns the weights for scoring without a query: similarity removed, the others rescaled to
    /// sum to one.
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

    /// Returns the weighted sum.
    pub fn score(self, parts: ScoreComponents) -> f64 {
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

/// Returns the centrality with a lower bound for recent blocks, which have no edges yet.
pub fn effective_centrality(raw: f64, recency: f64) -> f64 {
    if raw < 0.10 && recency > 0.70 { raw.max(0.5 * recency) } else { raw }
}

/// Returns the number of uses on a logarithmic scale, relative to the maximum: 0 for none, 1 for
/// the maximum.
pub fn normalised_reinforcement(count: u32, max: u32) -> f64 {
    if max == 0 { 0.0 } else { (1.0 + f64::from(count)).ln() / (1.0 + f64::from(max)).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weights() -> impl Strategy<Value = ScoreWeights> {
        prop::array::uniform5(0.0..1.0f64).prop_filter("not all zero", |w| w.iter().sum::<f64>() > 0.01).prop_map(|w| {
            let sum: f64 = w.iter().sum();
            ScoreWeights::new(w.map(|part| part / sum))
        })
    }

    fn components() -> impl Strategy<Value = ScoreComponents> {
        prop::array::uniform5(0.0..=1.0f64).prop_map(|[similarity, confidence, recency, centrality, reinforcement]| {
            ScoreComponents { similarity, confidence, recency, centrality, reinforcement }
        })
    }

    #[test]
    fn invalid_weights_are_rejected() {
        assert!(matches!(ScoreWeights::new([0.5, 0.5, 0.5, 0.0, 0.0]).checked(), Err(WeightsError::Sum { .. })));
        assert!(matches!(ScoreWeights::new([1.2, -0.2, 0.0, 0.0, 0.0]).checked(), Err(WeightsError::Negative { .. })));
        assert!(matches!(
            ScoreWeights::new([f64::NAN, 1.0, 0.0, 0.0, 0.0]).checked(),
            Err(WeightsError::Negative { .. })
        ));
        assert_eq!(ScoreWeights::new([1.0, 0.0, 0.0, 0.0, 0.0]).queryless(), Err(WeightsError::OnlySimilarity));
    }

    proptest! {
        #[test]
        fn scores_are_in_range(w in weights(), parts in components()) {
            let w = w.checked().unwrap();
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&w.score(parts)));
            if let Ok(queryless) = w.queryless() {
                prop_assert!(queryless.checked().is_ok());
                prop_assert!((-1e-9..=1.0 + 1e-9).contains(&queryless.score(parts)));
            }
        }

        #[test]
        fn a_better_component_never_lowers_the_score(w in weights(), parts in components(), gain in 0.0..0.5f64) {
            let better = ScoreComponents { recency: parts.recency + gain, ..parts };
            prop_assert!(w.score(better) >= w.score(parts) - 1e-12);
        }

        #[test]
        fn reinforcement_grows_with_use_up_to_one(count in 0u32..1000, more in 0u32..1000) {
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
