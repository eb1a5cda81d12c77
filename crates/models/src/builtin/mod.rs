//! The models inside the program: no key, no network, no download.
//!
//! [`BuiltinModel::Static`] is a table with a vector for every WordPiece; the vector of a text is the sum of its pieces. A
//! text costs microseconds, and word order is ignored. [`BuiltinModel::Encoder`] is a small transformer: a text costs
//! milliseconds, and its words are read in their context. `MODEL_CARD.md` describes origin and quality of both.

#[cfg(feature = "encoder")]
mod encoder;
#[cfg(feature = "builtin")]
mod static_table;
#[cfg(feature = "builtin")]
mod table;
#[cfg(feature = "builtin")]
mod vocabulary;
#[cfg(feature = "builtin")]
mod word_piece;
#[cfg(feature = "builtin")]
mod words;

#[cfg(feature = "encoder")]
pub use encoder::EncoderEmbedder;
#[cfg(feature = "builtin")]
pub use static_table::StaticEmbedder;
#[cfg(feature = "builtin")]
pub use table::VectorTable;
#[cfg(feature = "builtin")]
pub use word_piece::WordPieces;

use std::sync::Arc;

use crate::embedder::{Embedder, SimilarityProfile};
use crate::error::ModelError;

/// A model inside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BuiltinModel {
    /// The table of word vectors.
    #[default]
    Static,
    /// The transformer.
    Encoder,
}

impl BuiltinModel {
    /// All models.
    pub const ALL: [Self; 2] = [Self::Static, Self::Encoder];

    /// Returns the name stored with every vector. From the second set of weights on it has a version, because vectors of two
    /// versions cannot be compared.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "elfmem-static-256",
            Self::Encoder => "elfmem-encoder-256-v1",
        }
    }

    /// Returns the name in the settings.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Encoder => "encoder",
        }
    }

    /// Returns the similarity thresholds, measured with `elfmem-bench profile` and `elfmem-bench pairs`.
    pub fn profile(self) -> SimilarityProfile {
        match self {
            Self::Static => STATIC_PROFILE,
            Self::Encoder => ENCODER_PROFILE,
        }
    }

    /// Returns the model. The first call parses the vocabulary, about a millisecond.
    ///
    /// # Errors
    /// If this build does not contain the model.
    pub fn load(self) -> Result<Arc<dyn Embedder>, ModelError> {
        match self {
            #[cfg(feature = "builtin")]
            Self::Static => Ok(Arc::new(StaticEmbedder::shared()?)),
            #[cfg(feature = "encoder")]
            Self::Encoder => Ok(Arc::new(EncoderEmbedder::shared()?)),
            #[cfg(not(feature = "builtin"))]
            Self::Static => Err(self.absent("builtin-model")),
            #[cfg(not(feature = "encoder"))]
            Self::Encoder => Err(self.absent("encoder")),
        }
    }

    #[cfg(not(all(feature = "builtin", feature = "encoder")))]
    fn absent(self, feature: &str) -> ModelError {
        let problem = format!(
            "this build does not contain the model `{}`; pass an embedder in the options, or build with the feature \
             `{feature}`",
            self.setting()
        );
        ModelError::Configuration { problem }
    }
}

/// The similarity thresholds of the static table.
///
/// Measured: duplicates with cosmetic changes score 0.99 to 1, but so do half of the pairs that
/// differ in one negation, number or name. At 0.99 as many sentence pairs contradict as agree. So
/// the duplicate thresholds are high and only select candidates. At 0.95 with equal content words
/// and no deciding difference, 89 to 100 % of the pairs are duplicates. Contradictions start at
/// 0.62; a prefilter of 0.70 with a difference in negation, number or antonym finds 88 % of them.
/// Unrelated texts stay below 0.05 and related ones have their median at 0.53, so 0.60 gives
/// meaningful edges if each block gets only a few.
pub const STATIC_PROFILE: SimilarityProfile =
    SimilarityProfile { exact: 0.99, near: 0.95, edge: 0.60, contradiction_prefilter: 0.70, contradiction: 0.80 };

/// The similarity thresholds of the encoder.
///
/// Measured on hand-made pairs: at 0.97 are 42 % of the duplicates and 5 % of the contradictions, at 0.92 71 % and 17 %,
/// and 1 % of what is merely related. Above 0.60 are 89 % of the contradictions. In a conversation a text has ten times as
/// many neighbours above 0.5 as above 0.7, so edges begin there.
pub const ENCODER_PROFILE: SimilarityProfile =
    SimilarityProfile { exact: 0.97, near: 0.92, edge: 0.70, contradiction_prefilter: 0.60, contradiction: 0.80 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_coherent_and_names_fit_the_settings() {
        for model in BuiltinModel::ALL {
            assert!(model.profile().is_coherent(), "{model:?}");
            assert!(model.name().contains(model.setting()), "{model:?}");
            #[cfg(feature = "encoder")]
            {
                let embedder = model.load().unwrap();
                assert_eq!((embedder.name(), embedder.profile()), (model.name(), model.profile()));
            }
        }
    }

    #[cfg(feature = "encoder")]
    #[test]
    fn the_files_are_the_ones_the_model_card_names() {
        use sha2::{Digest, Sha256};

        let card = include_str!("../../MODEL_CARD.md");
        let files = [
            static_table::TABLE_FILE,
            vocabulary::VOCABULARY_FILE.as_bytes(),
            elfmem_encoder_data_1::PART,
            elfmem_encoder_data_2::PART,
        ];
        for file in files {
            let hash: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(card.contains(&hash), "{hash}");
        }
    }
}
