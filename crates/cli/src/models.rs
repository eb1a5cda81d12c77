//! Which models to think with: the flags, the environment, else what is built in.

use std::sync::Arc;

use elfmem::model::{
    Analyst, ChatSettings, Connection, EmbeddingSettings, OpenAiEmbedder, RulesAnalyst, Secret, anthropic, openai,
};
use elfmem::{EmbedderChoice, Models};
use serde::Serialize;

use crate::args::Arguments;
use crate::environment::{self, Variable};
use crate::failure::Failure;

/// What was chosen, and why.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) models: Models,
    pub(crate) embedder_by: ChosenBy,
    pub(crate) analyst_by: ChosenBy,
}

/// Who chose a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChosenBy {
    /// A flag.
    Flag,
    /// The environment.
    Environment,
    /// Nobody: it is what comes with elfmem.
    Default,
}

impl ChosenBy {
    pub(crate) fn in_words(self, flag: &str, variable: Variable) -> String {
        match self {
            Self::Flag => format!("given by {flag}"),
            Self::Environment => format!("given by {}", variable.name),
            Self::Default => format!("built in; no {flag}, no {}", variable.name),
        }
    }
}

/// Reads what is asked for and makes the models ready; no server is called for it, except to learn how long the vectors of a
/// hosted embedder are.
pub(crate) fn chosen(arguments: &Arguments) -> Result<Chosen, Failure> {
    let (embedder, embedder_by) = named(arguments.embedder.as_deref(), environment::EMBEDDER, "builtin");
    let (analyst, analyst_by) = named(arguments.analyst.as_deref(), environment::ANALYST, "rules");
    let models = Models { embedder: embedder_of(&embedder)?, analyst: analyst_of(&analyst)? };
    Ok(Chosen { models, embedder_by, analyst_by })
}

fn named(flag: Option<&str>, variable: Variable, default: &str) -> (String, ChosenBy) {
    match (flag, variable.value()) {
        (Some(name), _) => (name.to_owned(), ChosenBy::Flag),
        (None, Some(name)) => (name, ChosenBy::Environment),
        (None, None) => (default.to_owned(), ChosenBy::Default),
    }
}

/// A server and a model on it.
fn server_of(name: &str) -> Result<(Connection, &str), Failure> {
    let (provider, model) = name.split_once(':').unwrap_or((name, ""));
    let custom = environment::BASE_URL.value();
    let connection = match provider {
        "openai" => {
            let connection = Connection::to(custom.as_deref().unwrap_or(openai::OPENAI_URL));
            match environment::OPENAI_KEY.value() {
                Some(key) => connection.with_key(Secret::new(&key)),
                None => connection,
            }
        }
        "ollama" => Connection::to(custom.as_deref().unwrap_or(openai::OLLAMA_URL)),
        "anthropic" => {
            let connection = Connection::to(anthropic::ANTHROPIC_URL);
            let key = environment::ANTHROPIC_KEY.value().ok_or_else(|| {
                Failure::config(
                    "There is no key for Anthropic.",
                    format!("Set {}, or use --analyst rules, which needs none.", environment::ANTHROPIC_KEY.name),
                )
            })?;
            connection.with_key(Secret::new(&key))
        }
        _ => return Err(Failure::unknown_model(name)),
    };
    if model.is_empty() { Err(Failure::unknown_model(name)) } else { Ok((connection, model)) }
}

fn embedder_of(name: &str) -> Result<EmbedderChoice, Failure> {
    if name == "builtin" {
        return Ok(EmbedderChoice::BuiltIn);
    }
    let (connection, model) = server_of(name)?;
    if name.starts_with("anthropic") {
        return Err(Failure::unknown_model(name));
    }
    let dimensions = OpenAiEmbedder::measure_dimensions(connection.clone(), model).map_err(elfmem::Error::from)?;
    let settings = EmbeddingSettings::new(connection, model, dimensions);
    let embedder = OpenAiEmbedder::new(settings).map_err(elfmem::Error::from)?;
    Ok(EmbedderChoice::Custom(Arc::new(embedder)))
}

fn analyst_of(name: &str) -> Result<Arc<dyn Analyst>, Failure> {
    if name == "rules" {
        return Ok(Arc::new(RulesAnalyst));
    }
    let (connection, model) = server_of(name)?;
    let settings = ChatSettings::new(connection, model);
    Ok(if name.starts_with("anthropic") {
        Arc::new(anthropic::analyst(settings).map_err(elfmem::Error::from)?)
    } else {
        Arc::new(openai::analyst(settings).map_err(elfmem::Error::from)?)
    })
}
