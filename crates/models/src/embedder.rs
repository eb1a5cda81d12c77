//! The embedder trait: converts text to unit vectors.

use serde::{Deserialize, Serialize};

use crate::checked::check_count;
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::relevance::RelevanceCurve;
use crate::usage::Usage;

/// Converts texts to vectors whose cosine measures similarity of meaning.
///
/// Vectors of different models are not comparable. So [`name`](Self::name) and
/// [`dimensions`](Self::dimensions) are stored with every vector and must not change during the
/// lifetime of a value.
pub trait Embedder: Send + Sync {
    /// Returns the name stored with every vector, such as `elfmem-static-256`.
    fn name(&self) -> &str;

    /// Returns the number of dimensions.
    fn dimensions(&self) -> usize;

    /// Returns the similarity thresholds of this model.
    fn profile(&self) -> SimilarityProfile;

    /// Returns how the cosines of this model become a probability.
    fn relevance_curve(&self) -> RelevanceCurve {
        RelevanceCurve::HOSTED
    }

    /// Returns how near a vector is to texts that have nothing to do with any memory: the mean of the highest cosines. `None`
    /// if the model has no such texts.
    fn background(&self, _vector: &[f32]) -> Option<f64> {
        None
    }

    /// Embeds texts for storage. Returns unit vectors in the order of the texts.
    ///
    /// A text without known words has no vector. Texts are not truncated. The call either embeds
    /// all texts or fails. The engine checks the result ([`CheckedEmbedder`](crate::CheckedEmbedder)):
    /// another number of vectors, another size, or a number that is not finite is an error.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError>;

    /// Prepares a query: does all the work that does not depend on the weights of its words.
    ///
    /// May take long or call a server, so no lock is held meanwhile. The result can be cached.
    fn prepare_query(&self, text: &str) -> Result<Box<dyn QueryEmbedding>, ModelError> {
        let mut vectors = self.embed(&[text])?;
        check_count(1, vectors.len())?;
        Ok(Box::new(UnweightedQuery(vectors.pop().flatten())))
    }

    /// Embeds one query with weights for its words. See [`QueryEmbedding::vector`].
    fn embed_query(&self, text: &str, weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError> {
        self.prepare_query(text)?.vector(weigh)
    }

    /// Makes one real call and reports the result.
    fn check(&self) -> Result<HealthReport, ModelError>;

    /// Returns the usage since this value was created.
    fn usage(&self) -> Usage;
}

/// A query that only lacks the weights of its words, which depend on the memory.
pub trait QueryEmbedding: std::fmt::Debug + Send + Sync {
    /// Returns the unit vector of the query; none if it has no known words. Fast, and without I/O.
    ///
    /// A model that reads word by word calls `weigh` for the weight of each word; other models ignore it. Words are passed in
    /// lower case without accents; punctuation marks are words too. Weights that are negative or not finite count as zero. If
    /// all weights are zero, all words are weighted equally.
    fn vector(&self, weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError>;

    /// Returns about how much memory the query uses, in bytes.
    fn bytes(&self) -> usize;
}

/// The vector of a query from a model that does not weigh words.
#[derive(Debug, Clone, PartialEq)]
pub struct UnweightedQuery(pub Option<Vec<f32>>);

impl QueryEmbedding for UnweightedQuery {
    fn vector(&self, _weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError> {
        Ok(self.0.clone())
    }

    fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |vector| size_of_val(vector.as_slice()))
    }
}

/// Allows passing a shared embedder by reference, such as the built-in table.
impl<E: Embedder + ?Sized> Embedder for &E {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn dimensions(&self) -> usize {
        (**self).dimensions()
    }

    fn profile(&self) -> SimilarityProfile {
        (**self).profile()
    }

    fn relevance_curve(&self) -> RelevanceCurve {
        (**self).relevance_curve()
    }

    fn background(&self, vector: &[f32]) -> Option<f64> {
        (**self).background(vector)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        (**self).embed(texts)
    }

    fn prepare_query(&self, text: &str) -> Result<Box<dyn QueryEmbedding>, ModelError> {
        (**self).prepare_query(text)
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        (**self).check()
    }

    fn usage(&self) -> Usage {
        (**self).usage()
    }
}

/// The similarity scale of an embedding model: five thresholds used by consolidation.
///
/// Each model has its own scale, so the thresholds are measured per model and can be overridden in
/// the settings. They only select candidates. Whether two similar texts are duplicates is decided
/// by the words that differ, because a negation changes the cosine less than a synonym.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimilarityProfile {
    /// Cosine from which a pair may be a duplicate: the newer text is dropped.
    pub exact: f64,
    /// Cosine from which a pair may be a paraphrase: the newer text replaces the older.
    pub near: f64,
    /// Cosine from which two blocks get a `similar` edge.
    pub edge: f64,
    /// Cosine from which a pair is checked for a contradiction.
    pub contradiction_prefilter: f64,
    /// Contradiction score, not cosine, from which a pair contradicts.
    pub contradiction: f64,
}

impl SimilarityProfile {
    /// The scale of common hosted embedding models. Default for models without measured thresholds.
    pub const HOSTED: Self =
        Self { exact: 0.95, near: 0.90, edge: 0.60, contradiction_prefilter: 0.40, contradiction: 0.80 };

    /// Returns true if all values are in `[0, 1]` and `edge ≤ near ≤ exact`.
    pub fn is_coherent(&self) -> bool {
        [self.exact, self.near, self.edge, self.contradiction_prefilter, self.contradiction]
            .iter()
            .all(|value| (0.0..=1.0).contains(value))
            && self.near <= self.exact
            && self.edge <= self.near
    }
}

/// Scales a vector to length one. Returns `None` for a zero or non-finite vector.
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
    fn invalid_thresholds_are_detected() {
        assert!(SimilarityProfile::HOSTED.is_coherent());
        assert!(!SimilarityProfile { near: 0.99, ..SimilarityProfile::HOSTED }.is_coherent());
        assert!(!SimilarityProfile { contradiction: 1.2, ..SimilarityProfile::HOSTED }.is_coherent());
        assert!(!SimilarityProfile { edge: f64::NAN, ..SimilarityProfile::HOSTED }.is_coherent());
    }

    #[test]
    fn unknown_threshold_names_are_rejected() {
        let text = r#"{"exact":0.9,"near":0.9,"edge":0.6,"contradiction_prefilter":0.4,"contradicton":0.8}"#;
        assert!(serde_json::from_str::<SimilarityProfile>(text).unwrap_err().to_string().contains("contradicton"));
    }
}
