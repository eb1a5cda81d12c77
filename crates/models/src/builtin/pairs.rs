//! The classifier of pairs: reads two texts together, on top of the first layers of the encoder.

use std::sync::OnceLock;

use elfmem_encoder::PairClassifier;
use elfmem_text::statements::PairProbabilities;

use super::encoder::{EncoderEmbedder, damaged};
use crate::error::ModelError;
use crate::pair_judge::PairJudge;

/// The built-in judge of pairs. Copies share the model.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinPairJudge {
    encoder: EncoderEmbedder,
    classifier: &'static PairClassifier<'static>,
}

impl BuiltinPairJudge {
    /// The name of the model, with its version.
    pub const NAME: &str = "elfmem-pairs-v1";

    /// Returns the model. The weights are used as they lie in the program.
    ///
    /// # Errors
    /// If the weights in the program are damaged.
    pub fn shared() -> Result<Self, ModelError> {
        static SHARED: OnceLock<Result<PairClassifier<'static>, ModelError>> = OnceLock::new();
        let classifier =
            SHARED.get_or_init(|| PairClassifier::read(elfmem_pair_data::CLASSIFIER).map_err(damaged)).as_ref();
        Ok(Self { encoder: EncoderEmbedder::shared()?, classifier: classifier.map_err(Clone::clone)? })
    }
}

impl PairJudge for BuiltinPairJudge {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn is_local(&self) -> bool {
        true
    }

    fn judge(&self, pairs: &[[&str; 2]]) -> Result<Vec<Option<PairProbabilities>>, ModelError> {
        let pieces: Vec<[Vec<u32>; 2]> =
            pairs.iter().map(|pair| pair.map(|text| self.encoder.piece_ids(text))).collect();
        let pieces: Vec<[&[u32]; 2]> = pieces.iter().map(|pair| pair.each_ref().map(Vec::as_slice)).collect();
        let found =
            self.classifier.classify(self.encoder.encoder(), &pieces, self.encoder.threads()).map_err(damaged)?;
        found.into_iter().map(|found| found.map(|found| probabilities(&found)).transpose()).collect()
    }
}

/// Names the classes, which the model has in this order.
fn probabilities(found: &[f32]) -> Result<PairProbabilities, ModelError> {
    let [both_true, update, contradiction, same] = *found else {
        let problem = format!("the classifier of pairs has {} classes instead of 4", found.len());
        return Err(ModelError::DamagedModel { problem });
    };
    let [both_true, update, contradiction, same] = [both_true, update, contradiction, same].map(f64::from);
    Ok(PairProbabilities { both_true, update, contradiction, same })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(older: &str, newer: &str) -> PairProbabilities {
        BuiltinPairJudge::shared().unwrap().judge(&[[older, newer]]).unwrap()[0].unwrap()
    }

    #[test]
    fn the_four_relations_are_told_apart_in_free_wording() {
        let older = "Jonas rents a flat on Mill Lane.";
        let update = judge(older, "Jonas signed for a house in Harbour Street and has moved out of Mill Lane.");
        assert!(update.update > 0.5, "{update:?}");
        let other = judge(older, "Jonas broke his arm on Mill Lane.");
        assert!(other.both_true > 0.5, "{other:?}");
        let same = judge(older, "The flat that Jonas lives in on Mill Lane is rented.");
        assert!(same.same > same.update && same.same > same.contradiction, "{same:?}");
    }

    #[test]
    fn probabilities_sum_to_one_and_empty_texts_have_none() {
        let long = "word ".repeat(60);
        let pairs = [["The port is 80.", "The port is 81."], [&long, "The port is 80."], ["", "x"]];
        let found = BuiltinPairJudge::shared().unwrap().judge(&pairs).unwrap();
        for one in found[..2].iter().map(|found| found.unwrap()) {
            assert!((one.both_true + one.update + one.contradiction + one.same - 1.0).abs() < 1e-5);
        }
        assert_eq!(found[2], None);
    }
}
