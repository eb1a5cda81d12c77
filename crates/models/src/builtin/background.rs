//! Vectors of texts about everything and nothing: how near a question is to what has nothing to do with a memory.

use super::table::{RoundedVector, VectorTable};
use crate::error::ModelError;

/// How many of the nearest texts count.
const NEAREST: usize = 2;

/// The vectors of unrelated texts, read in place. Written by `elfmem-bench background`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Background(VectorTable<'static>);

impl Background {
    /// Validates the file.
    pub(super) fn read(file: &'static [u8]) -> Result<Self, ModelError> {
        VectorTable::read(file).map(Self)
    }

    /// Returns the mean cosine of the nearest texts to a unit vector.
    pub(super) fn level(&self, vector: &[f32]) -> f64 {
        let vector = RoundedVector::new(vector);
        let mut highest = [f32::MIN; NEAREST];
        for row in 0..self.0.rows() {
            let cosine = self.0.dot(row, &vector);
            if cosine > highest[NEAREST - 1] {
                let place = highest.partition_point(|other| *other >= cosine);
                highest[place..].rotate_right(1);
                highest[place] = cosine;
            }
        }
        let count = self.0.rows().clamp(1, NEAREST);
        f64::from(highest[..count].iter().sum::<f32>()) / count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::BuiltinModel;

    #[test]
    fn common_topics_are_nearer_to_unrelated_texts_than_private_ones() {
        for model in BuiltinModel::ALL {
            let embedder = model.load().unwrap();
            let level = |text: &str| {
                let vector = embedder.embed(&[text]).unwrap().remove(0).unwrap();
                embedder.background(&vector).unwrap()
            };
            let (common, private) = (level("How do I bake bread?"), level("What does Quenby say of the Zarnix valve?"));
            assert!(common > private && (0.0..=1.0).contains(&common), "{model:?} {common} {private}");
        }
    }
}
