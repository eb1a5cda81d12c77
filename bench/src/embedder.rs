//! Which built-in model is measured.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use elfmem_engine::{EmbedderChoice, LateEmbedder, Models, Options, PairJudgeChoice};
use elfmem_models::{BuiltinModel, ModelError, ModelFolder};

use crate::Result;

/// Returns the model with a name as in the settings: a built-in one, or `folder:PATH`.
pub(crate) fn choice(name: &str) -> Result<EmbedderChoice> {
    if let Some(path) = name.strip_prefix("folder:") {
        return Ok(EmbedderChoice::Custom(Arc::new(ModelFolder::open(path)?.load()?)));
    }
    let model = BuiltinModel::ALL.into_iter().find(|model| model.setting() == name);
    Ok(EmbedderChoice::BuiltIn(model.ok_or_else(|| format!("there is no model '{name}'"))?))
}

/// The choice of a built-in model.
#[derive(Debug, Default, Args)]
pub(crate) struct EmbedderArgs {
    /// The built-in model that is measured
    #[arg(long, value_enum, default_value_t = EmbedderName::Encoder)]
    embedder: EmbedderName,

    /// Judge pairs by the rules alone, without the model of pairs
    #[arg(long)]
    rules_alone: bool,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum EmbedderName {
    Static,
    #[default]
    Encoder,
    /// No model: what a build without one does
    Words,
}

impl EmbedderArgs {
    /// Returns the model; none for words.
    pub(crate) fn model(&self) -> Option<BuiltinModel> {
        match self.embedder {
            EmbedderName::Static => Some(BuiltinModel::Static),
            EmbedderName::Encoder => Some(BuiltinModel::Encoder),
            EmbedderName::Words => None,
        }
    }

    /// Returns the model, for measurements that need vectors.
    pub(crate) fn required_model(&self) -> Result<BuiltinModel> {
        self.model().ok_or_else(|| "words have no vectors: choose a model".into())
    }

    /// Returns the models of a memory with that model.
    pub(crate) fn models(&self) -> Models {
        let pairs = match self.embedder {
            _ if self.rules_alone => PairJudgeChoice::Rules,
            EmbedderName::Words => PairJudgeChoice::Rules,
            EmbedderName::Static | EmbedderName::Encoder => PairJudgeChoice::Default,
        };
        let absent = || Err(ModelError::NotInBuild { model: "words", feature: "none" });
        let embedder = match self.model() {
            Some(model) => EmbedderChoice::BuiltIn(model),
            None => EmbedderChoice::Late(Arc::new(LateEmbedder::new("words", absent))),
        };
        Models { embedder, pairs, ..Models::default() }
    }

    /// Returns the options of a memory with that model.
    pub(crate) fn options(&self) -> Options {
        Options { models: self.models(), ..Options::default() }
    }
}
