//! Checks what an embedder returns, so that a faulty one fails with a message and stores nothing.

use std::sync::Arc;

use crate::embedder::{Embedder, QueryEmbedding, SimilarityProfile, unit_vector};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::relevance::RelevanceCurve;
use crate::usage::Usage;

/// An embedder whose results are checked: one vector a text, of the stated size, finite and of length one.
///
/// The engine calls every embedder that is passed in through this type.
pub struct CheckedEmbedder(Arc<dyn Embedder>);

impl CheckedEmbedder {
    /// Wraps an embedder.
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self(embedder)
    }
}

impl std::fmt::Debug for CheckedEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("CheckedEmbedder").field(&self.name()).finish()
    }
}

impl Embedder for CheckedEmbedder {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn profile(&self) -> SimilarityProfile {
        self.0.profile()
    }

    fn relevance_curve(&self) -> RelevanceCurve {
        self.0.relevance_curve()
    }

    fn background(&self, vector: &[f32]) -> Option<f64> {
        self.0.background(vector).filter(|nearness| nearness.is_finite())
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let vectors = self.0.embed(texts)?;
        check_count(texts.len(), vectors.len())?;
        vectors.into_iter().map(|vector| checked_vector(vector, self.dimensions())).collect()
    }

    fn prepare_query(&self, text: &str) -> Result<Box<dyn QueryEmbedding>, ModelError> {
        let query = self.0.prepare_query(text)?;
        Ok(Box::new(CheckedQuery { query, dimensions: self.dimensions() }))
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        self.0.check()
    }

    fn usage(&self) -> Usage {
        self.0.usage()
    }
}

/// A query whose vector is checked when it is read.
#[derive(Debug)]
struct CheckedQuery {
    query: Box<dyn QueryEmbedding>,
    dimensions: usize,
}

impl QueryEmbedding for CheckedQuery {
    fn vector(&self, weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError> {
        checked_vector(self.query.vector(weigh)?, self.dimensions)
    }

    fn bytes(&self) -> usize {
        self.query.bytes()
    }
}

/// Fails if a model did not return one vector, or none, for each text.
pub(crate) fn check_count(expected: usize, got: usize) -> Result<(), ModelError> {
    if expected == got { Ok(()) } else { Err(ModelError::WrongCount { expected, got }) }
}

/// Checks the size and the numbers of a vector and scales it to length one. A vector of zeros has no direction and counts
/// as none.
fn checked_vector(vector: Option<Vec<f32>>, dimensions: usize) -> Result<Option<Vec<f32>>, ModelError> {
    let Some(vector) = vector else { return Ok(None) };
    if vector.len() != dimensions {
        return Err(ModelError::WrongDimensions { expected: dimensions, got: vector.len() });
    }
    if !vector.iter().all(|x| x.is_finite()) {
        return Err(ModelError::NotFinite);
    }
    let length_squared: f64 = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let is_unit = (length_squared - 1.0).abs() < 1e-5;
    Ok(if is_unit { Some(vector) } else { unit_vector(vector) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the given vectors, whatever the texts are.
    struct Fixed(Vec<Option<Vec<f32>>>);

    impl Embedder for Fixed {
        fn name(&self) -> &str {
            "fixed"
        }

        fn dimensions(&self) -> usize {
            2
        }

        fn profile(&self) -> SimilarityProfile {
            SimilarityProfile::HOSTED
        }

        fn embed(&self, _texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
            Ok(self.0.clone())
        }

        fn check(&self) -> Result<HealthReport, ModelError> {
            Err(ModelError::NotFinite)
        }

        fn usage(&self) -> Usage {
            Usage::default()
        }
    }

    fn embedded(vectors: &[Option<&[f32]>], texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        CheckedEmbedder::new(Arc::new(Fixed(vectors.iter().map(|vector| vector.map(<[f32]>::to_vec)).collect())))
            .embed(texts)
    }

    fn query(vectors: &[Option<&[f32]>]) -> Result<Option<Vec<f32>>, ModelError> {
        CheckedEmbedder::new(Arc::new(Fixed(vectors.iter().map(|vector| vector.map(<[f32]>::to_vec)).collect())))
            .embed_query("tea", &|_| 1.0)
    }

    #[test]
    fn a_vector_too_few_or_too_many_is_an_error() {
        let one: &[f32] = &[0.6, 0.8];
        assert_eq!(embedded(&[Some(one)], &["a", "b"]), Err(ModelError::WrongCount { expected: 2, got: 1 }));
        assert_eq!(embedded(&[Some(one), None, None], &["a"]), Err(ModelError::WrongCount { expected: 1, got: 3 }));
        assert_eq!(embedded(&[], &["a"]), Err(ModelError::WrongCount { expected: 1, got: 0 }));
        assert_eq!(query(&[Some(one), Some(one)]), Err(ModelError::WrongCount { expected: 1, got: 2 }));
        assert_eq!(query(&[]), Err(ModelError::WrongCount { expected: 1, got: 0 }));
        assert_eq!(embedded(&[Some(one), None], &["a", "b"]), Ok(vec![Some(one.to_vec()), None]));
    }

    #[test]
    fn a_vector_of_another_size_is_an_error() {
        let wrong = |got| Err(ModelError::WrongDimensions { expected: 2, got });
        assert_eq!(embedded(&[Some(&[1.0, 0.0, 0.0])], &["a"]), wrong(3));
        assert_eq!(embedded(&[Some(&[])], &["a"]), wrong(0));
        assert_eq!(query(&[Some(&[1.0])]), Err(ModelError::WrongDimensions { expected: 2, got: 1 }));
    }

    #[test]
    fn a_vector_that_is_not_finite_is_an_error() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(embedded(&[Some(&[0.0, 1.0]), Some(&[bad, 1.0])], &["a", "b"]), Err(ModelError::NotFinite));
            assert_eq!(query(&[Some(&[0.0, bad])]), Err(ModelError::NotFinite));
        }
    }

    #[test]
    fn other_lengths_are_scaled_and_zeros_have_no_direction() {
        assert_eq!(embedded(&[Some(&[3.0, 4.0])], &["a"]), Ok(vec![Some(vec![0.6, 0.8])]));
        assert_eq!(embedded(&[Some(&[0.0, 0.0])], &["a"]), Ok(vec![None]));
        // What has length one already stays as it is, to the bit.
        let unit: &[f32] = &[0.600_000_1, 0.799_999_9];
        assert_eq!(embedded(&[Some(unit)], &["a"]), Ok(vec![Some(unit.to_vec())]));
    }
}
