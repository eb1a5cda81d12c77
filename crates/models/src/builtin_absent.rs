//! Stands in for the built-in model in builds without the feature `builtin`.

use crate::embedder::{Embedder, SimilarityProfile};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::usage::Usage;

/// Name of the built-in model.
pub const BUILTIN_NAME: &str = "elfmem-static-256";

/// The built-in model. This build does not contain it, so there is no value of this type.
#[derive(Debug)]
pub enum StaticEmbedder {}

impl StaticEmbedder {
    /// Fails: this build does not contain the model.
    ///
    /// # Errors
    /// [`ModelError::Configuration`], always.
    pub fn shared() -> Result<&'static Self, ModelError> {
        Err(ModelError::Configuration {
            problem:
                "this build does not contain the built-in model; pass an embedder in the options, or build with the \
                      feature `builtin-model`"
                    .to_owned(),
        })
    }
}

impl Embedder for StaticEmbedder {
    fn name(&self) -> &str {
        match *self {}
    }

    fn dimensions(&self) -> usize {
        match *self {}
    }

    fn profile(&self) -> SimilarityProfile {
        match *self {}
    }

    fn embed(&self, _: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        match *self {}
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        match *self {}
    }

    fn usage(&self) -> Usage {
        match *self {}
    }
}
