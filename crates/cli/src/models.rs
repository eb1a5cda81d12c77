//! Which models to think with: what the settings name, ready to be asked.

use std::path::Path;
use std::sync::Arc;

use elfmem_config::{LoadedConfig, ModelsConfig, PairJudgeSetting, ValueOrigin, key};
use elfmem_engine::{EmbedderChoice, LateEmbedder, Models, PairJudgeChoice};
use elfmem_models::{
    Analyst, BuiltinModel, BuiltinPairJudge, ChatSettings, Connection, EmbeddingSettings, ModelFolder, OpenAiEmbedder,
    RulesAnalyst, anthropic, openai,
};

use crate::environment;
use crate::failure::Failure;

/// What was chosen, and by what.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) models: Models,
    pub(crate) embedder_by: ValueOrigin,
    pub(crate) analyst_by: ValueOrigin,
    pub(crate) pair_judge_by: ValueOrigin,
}

/// The models that the settings name. No server is called for it: a hosted embedder is asked how long its vectors are when the
/// first one is needed.
pub(crate) fn chosen(settings: &LoadedConfig) -> Result<Chosen, Failure> {
    let config = &settings.config.models;
    Ok(Chosen {
        models: Models { embedder: embedder_of(config)?, analyst: analyst_of(config)?, pairs: pair_judge_of(config)? },
        embedder_by: settings.origin("models.embedder").clone(),
        analyst_by: settings.origin("models.analyst").clone(),
        pair_judge_by: settings.origin("models.pair_judge").clone(),
    })
}

/// The embedder that the settings name, beside an analyst that needs no key, for commands that call neither.
pub(crate) fn embedder_alone(settings: &LoadedConfig) -> Result<Models, Failure> {
    Ok(Models { embedder: embedder_of(&settings.config.models)?, ..Models::default() })
}

/// Who chose the model of a setting.
pub(crate) fn chosen_in_words(setting: &str, origin: &ValueOrigin) -> String {
    match (origin, key(setting)) {
        (ValueOrigin::Default, Some(key)) => {
            format!("built in; no {}, no {}", key.flag.unwrap_or("setting"), key.variable)
        }
        (origin, _) => format!("given by {origin}"),
    }
}

/// A server and a model on it.
fn server_of<'a>(config: &ModelsConfig, name: &'a str) -> Result<(Connection, &'a str), Failure> {
    let (provider, model) = name.split_once(':').unwrap_or((name, ""));
    let custom = config.base_url.as_deref();
    let connection = match provider {
        "openai" => {
            let connection = Connection::to(custom.unwrap_or(openai::OPENAI_URL));
            match environment::secret(&config.openai_key_variable) {
                Some(key) => connection.with_key(key),
                None => connection,
            }
        }
        "ollama" => Connection::to(custom.unwrap_or(openai::OLLAMA_URL)),
        "anthropic" => {
            let variable = &config.anthropic_key_variable;
            let key = environment::secret(variable).ok_or_else(|| {
                let way_out = format!("Set {variable}, or use --analyst rules, which needs none.");
                Failure::config("There is no key for Anthropic.", way_out)
            })?;
            Connection::to(anthropic::ANTHROPIC_URL).with_key(key)
        }
        _ => return Err(Failure::unknown_model(name)),
    };
    Ok((connection, model))
}

fn embedder_of(config: &ModelsConfig) -> Result<EmbedderChoice, Failure> {
    let name = &config.embedder;
    if name == "builtin" {
        return Ok(EmbedderChoice::default());
    }
    if let Some(model) = BuiltinModel::ALL.into_iter().find(|model| name == model.setting()) {
        return Ok(EmbedderChoice::BuiltIn(model));
    }
    if let Some(path) = name.strip_prefix("folder:") {
        return Ok(EmbedderChoice::Late(Arc::new(folder_embedder(path))));
    }
    let (connection, model) = server_of(config, name)?;
    let model = model.to_owned();
    let late = LateEmbedder::new(model.clone(), move || {
        let dimensions = OpenAiEmbedder::measure_dimensions(connection.clone(), &model)?;
        let settings = EmbeddingSettings::new(connection.clone(), &model, dimensions);
        Ok(Arc::new(OpenAiEmbedder::new(settings)?))
    });
    Ok(EmbedderChoice::Late(Arc::new(late)))
}

/// The model in a folder. Its weights are read when the first vector is needed.
fn folder_embedder(path: &str) -> LateEmbedder {
    match ModelFolder::open(path) {
        Ok(folder) => LateEmbedder::local(folder.name().to_owned(), move || Ok(Arc::new(folder.load()?))),
        // What needs no vector works all the same, and the rest says what is wrong.
        Err(problem) => LateEmbedder::unusable(ModelFolder::plain_name(Path::new(path)), problem),
    }
}

fn pair_judge_of(config: &ModelsConfig) -> Result<PairJudgeChoice, Failure> {
    Ok(match config.pair_judge {
        PairJudgeSetting::Auto => PairJudgeChoice::Default,
        PairJudgeSetting::Rules => PairJudgeChoice::Rules,
        PairJudgeSetting::Builtin => {
            PairJudgeChoice::Custom(Arc::new(BuiltinPairJudge::shared().map_err(elfmem_engine::Error::from)?))
        }
    })
}

fn analyst_of(config: &ModelsConfig) -> Result<Arc<dyn Analyst>, Failure> {
    let name = &config.analyst;
    if name == "rules" {
        return Ok(Arc::new(RulesAnalyst));
    }
    let (connection, model) = server_of(config, name)?;
    let settings = ChatSettings::new(connection, model);
    Ok(if name.starts_with("anthropic") {
        Arc::new(anthropic::analyst(settings).map_err(elfmem_engine::Error::from)?)
    } else {
        Arc::new(openai::analyst(settings).map_err(elfmem_engine::Error::from)?)
    })
}
