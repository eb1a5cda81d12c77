//! Which built-in model is measured.

use clap::{Args, ValueEnum};
use elfmem_engine::{EmbedderChoice, Models, Options};
use elfmem_models::BuiltinModel;

/// The choice of a built-in model.
#[derive(Debug, Args)]
pub(crate) struct EmbedderArgs {
    /// The built-in model that is measured
    #[arg(long, value_enum, default_value_t = EmbedderName::Static)]
    embedder: EmbedderName,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EmbedderName {
    Static,
    Encoder,
}

impl EmbedderArgs {
    pub(crate) fn model(&self) -> BuiltinModel {
        match self.embedder {
            EmbedderName::Static => BuiltinModel::Static,
            EmbedderName::Encoder => BuiltinModel::Encoder,
        }
    }

    /// Returns the options of a memory with that model.
    pub(crate) fn options(&self) -> Options {
        let models = Models { embedder: EmbedderChoice::BuiltIn(self.model()), ..Models::default() };
        Options { models, ..Options::default() }
    }
}
