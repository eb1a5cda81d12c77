//! The models inside the program: no key, no network, no download.
//!
//! [`BuiltinModel::Static`] is a table with a vector for every WordPiece; the vector of a text is the sum of its pieces. A
//! text costs microseconds, and word order is ignored. [`BuiltinModel::Encoder`] is a small transformer: a text costs
//! milliseconds, and its words are read in their context. `MODEL_CARD.md` describes origin and quality of both.

#[cfg(feature = "builtin")]
mod background;
mod curves;
#[cfg(feature = "encoder")]
mod encoder;
#[cfg(feature = "encoder")]
mod pairs;
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
#[cfg(feature = "encoder")]
pub use pairs::BuiltinPairJudge;
#[cfg(feature = "builtin")]
pub use static_table::StaticEmbedder;
#[cfg(feature = "builtin")]
pub use table::VectorTable;
#[cfg(feature = "builtin")]
pub use word_piece::WordPieces;
#[cfg(feature = "folder")]
pub(crate) use words::{WordRules, each_word};

use std::sync::Arc;

use crate::embedder::{Embedder, SimilarityProfile};
use crate::error::ModelError;
use crate::pair_judge::PairJudge;
use crate::relevance::RelevanceCurve;

/// A model inside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BuiltinModel {
    /// The table of word vectors.
    #[cfg_attr(not(feature = "encoder"), default)]
    Static,
    /// The transformer: the default of a build that has it.
    #[cfg_attr(feature = "encoder", default)]
    Encoder,
}

impl BuiltinModel {
    /// All models.
    pub const ALL: [Self; 2] = [Self::Static, Self::Encoder];

    /// Returns the name stored with every vector. It has a version, because vectors of two versions cannot be compared.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "elfmem-static-256-v3",
            Self::Encoder => "elfmem-encoder-256-v1",
        }
    }

    /// Returns the model whose vectors have a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Returns whether memories with vectors of `name` move to this model on their own: it is a built-in model too, and an
    /// older one. The other way round is a choice that only a person makes.
    pub fn succeeds(self, name: &str) -> bool {
        generation(name).is_some_and(|older| generation(self.name()).is_some_and(|own| own > older))
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

    /// Returns how its cosines become a probability, fitted with `elfmem-bench calibration`.
    pub fn relevance_curve(self) -> RelevanceCurve {
        match self {
            Self::Static => curves::STATIC,
            Self::Encoder => curves::ENCODER,
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

    /// Returns the model that judges pairs of texts; none in a build without the encoder, on which it rests.
    ///
    /// # Errors
    /// If the weights in the program are damaged.
    pub fn pair_judge() -> Result<Option<Arc<dyn PairJudge>>, ModelError> {
        #[cfg(feature = "encoder")]
        return Ok(Some(Arc::new(BuiltinPairJudge::shared()?)));
        #[cfg(not(feature = "encoder"))]
        Ok(None)
    }

    #[cfg(not(all(feature = "builtin", feature = "encoder")))]
    fn absent(self, feature: &'static str) -> ModelError {
        ModelError::NotInBuild { model: self.setting(), feature }
    }
}

/// Returns the place of a built-in model of this or another version of the program among all of them: tables come before
/// encoders, and older versions before newer ones.
fn generation(name: &str) -> Option<(usize, u32)> {
    let kinds = ["elfmem-static-256", "elfmem-encoder-256"];
    let (kind, version) = kinds.iter().enumerate().find_map(|(kind, known)| Some((kind, name.strip_prefix(known)?)))?;
    let version = if version.is_empty() { 1 } else { version.strip_prefix("-v")?.parse().ok()? };
    Some((kind, version))
}

/// The similarity thresholds of the static table.
///
/// Measured on hand-made pairs: half of the duplicates are at 0.95 or above, but so is a sixth of the contradictions; a
/// negation barely moves a vector. So the duplicate thresholds only select candidates. At 0.60 are 93 % of the
/// contradictions. Unrelated texts stay below 0.35 and related ones have their median at 0.65, so 0.60 gives meaningful
/// edges if each block gets only a few.
pub const STATIC_PROFILE: SimilarityProfile =
    SimilarityProfile { exact: 0.98, near: 0.93, edge: 0.60, contradiction_prefilter: 0.60, contradiction: 0.80 };

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

    #[test]
    fn newer_built_in_models_succeed_older_ones_only() {
        assert!(BuiltinModel::Encoder.succeeds(BuiltinModel::Static.name()));
        assert!(BuiltinModel::Encoder.succeeds("elfmem-static-256-v9"));
        assert!(!BuiltinModel::Static.succeeds(BuiltinModel::Encoder.name()));
        for model in BuiltinModel::ALL {
            assert_eq!(BuiltinModel::named(model.name()), Some(model));
            for other in [model.name(), "elfmem-encoder-256-v1000", "all-MiniLM-L6-v2-12345678", "elfmem-static-256-x"]
            {
                assert!(!model.succeeds(other), "{model:?} {other}");
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
            elfmem_pair_data::CLASSIFIER,
        ];
        for file in files {
            let hash: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(card.contains(&hash), "{hash}");
        }
    }
}
