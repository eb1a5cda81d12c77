//! The embedder port: text in, unit vectors out.

use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::health::HealthReport;
use crate::usage::Usage;

/// Turns texts into vectors whose cosine says how close their meanings are.
///
/// Vectors of different models cannot be compared, so [`name`](Self::name) and [`dimensions`](Self::dimensions) are
/// stored with every vector and must not change while a value lives.
pub trait Embedder: Send + Sync {
    /// The name that is stored with every vector, such as `elfmem-static-256`.
    fn name(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// What this model's cosines mean.
    fn profile(&self) -> Profile;

    /// Embeds texts that are to be stored: unit vectors in the order of the texts.
    ///
    /// A text with nothing to embed (empty, or made only of what the model does not know) has none. The texts are not
    /// truncated. Either all of them are answered or the call fails.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError>;

    /// Embeds one question.
    ///
    /// A model that adds up the vectors of words asks `weigh` how much each word says in this memory; others ignore it.
    /// Words come one at a time, in lower case and without accents; a punctuation mark is a word too. Weights are finite
    /// and not negative; anything else counts as zero. A question whose every word weighs nothing is embedded as if all
    /// weighed the same.
    fn embed_query(&self, text: &str, weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError> {
        let _ = weigh;
        Ok(self.embed(&[text])?.pop().flatten())
    }

    /// Makes one real call and says how it went.
    fn check(&self) -> Result<HealthReport, ModelError>;

    /// What has been spent since the value was made.
    fn usage(&self) -> Usage;
}

/// So that one that lives as long as the program, such as the built-in table, can be handed on like any other.
impl<E: Embedder + ?Sized> Embedder for &E {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn dimensions(&self) -> usize {
        (**self).dimensions()
    }

    fn profile(&self) -> Profile {
        (**self).profile()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        (**self).embed(texts)
    }

    fn embed_query(&self, text: &str, weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError> {
        (**self).embed_query(text, weigh)
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        (**self).check()
    }

    fn usage(&self) -> Usage {
        (**self).usage()
    }
}

/// What the cosines of one model mean: the five thresholds a consolidation works with.
///
/// Every model has a scale of its own, so these are measured per model, and whoever opens a memory may override them.
/// They only nominate: whether two near texts say the same is decided by the words that differ, because a negation
/// moves a cosine less than a synonym does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Cosine from which a pair may be one text with cosmetic changes: the newer one is dropped.
    pub exact: f64,
    /// Cosine from which a pair may be two wordings of one thing: the newer one takes the place of the older.
    pub near: f64,
    /// Cosine from which two blocks are joined by a `similar` edge.
    pub edge: f64,
    /// Cosine from which a pair is looked at for a contradiction at all.
    pub contradiction_prefilter: f64,
    /// Contradiction score, not cosine, from which a pair counts as contradicting.
    pub contradiction: f64,
}

impl Profile {
    /// The scale of common hosted text embedders: the starting point for a model nobody has measured.
    pub const HOSTED: Self =
        Self { exact: 0.95, near: 0.90, edge: 0.60, contradiction_prefilter: 0.40, contradiction: 0.80 };

    /// Whether all five lie in `[0, 1]` and the duplicates are in order.
    pub fn is_coherent(&self) -> bool {
        [self.exact, self.near, self.edge, self.contradiction_prefilter, self.contradiction]
            .iter()
            .all(|value| (0.0..=1.0).contains(value))
            && self.near <= self.exact
            && self.edge <= self.near
    }
}

/// Scales a vector to length one; none when it has no direction.
pub fn unit_vector(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    if !length.is_finite() || length < 1e-12 {
        return None;
    }
    for x in &mut vector {
        *x = (f64::from(*x) / length) as f32;
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_without_direction_has_no_unit_form() {
        assert_eq!(unit_vector(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
        assert_eq!(unit_vector(vec![0.0, 0.0]), None);
        assert_eq!(unit_vector(vec![f32::NAN, 1.0]), None);
        assert_eq!(unit_vector(vec![]), None);
        let huge = unit_vector(vec![f32::MAX, f32::MAX]).unwrap();
        assert!((huge[0] - 0.5f32.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn a_profile_out_of_order_or_range_is_noticed() {
        assert!(Profile::HOSTED.is_coherent());
        assert!(!Profile { near: 0.99, ..Profile::HOSTED }.is_coherent());
        assert!(!Profile { contradiction: 1.2, ..Profile::HOSTED }.is_coherent());
        assert!(!Profile { edge: f64::NAN, ..Profile::HOSTED }.is_coherent());
    }

    #[test]
    fn a_profile_with_a_misspelt_threshold_is_refused() {
        let text = r#"{"exact":0.9,"near":0.9,"edge":0.6,"contradiction_prefilter":0.4,"contradicton":0.8}"#;
        assert!(serde_json::from_str::<Profile>(text).unwrap_err().to_string().contains("contradicton"));
    }
}
