//! `models`: which are in use, why, and whether they answer.

use std::fmt::Write;

use elfmem_config::{Layer, LoadedConfig, ValueOrigin};
use elfmem_engine::Memory;
use elfmem_models::{HealthReport, ModelError, Usage};
use elfmem_store_sqlite::SqliteStore;
use serde::Serialize;

use super::available_models::{AvailableEmbedder, available_embedders};
use crate::args;
use crate::failure::Failure;
use crate::models::{chosen, chosen_in_words};
use crate::output::Output;
use crate::style::{BAD, DIM, GOOD, NAME};

/// One model.
#[derive(Serialize)]
struct Model {
    name: String,
    chosen_by: Layer,
    #[serde(skip)]
    origin: ValueOrigin,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<ModelCheck>,
}

/// The result of a test call to a model.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ModelCheck {
    /// It answered.
    Ok(HealthReport),
    /// It did not.
    Failed { message: String, recovery: String },
}

/// Everything about the models.
#[derive(Serialize)]
struct ModelsInUse {
    embedder: Model,
    analyst: Model,
    pair_judge: Model,
    /// The model whose vectors the memory holds.
    filled_by: Option<String>,
    /// What can be chosen as the embedder.
    available: Vec<AvailableEmbedder>,
    /// What model calls have cost so far, in this memory.
    lifetime_usage: Usage,
}

pub(crate) fn models(
    settings: &LoadedConfig,
    args: &args::Models,
    memory: &Memory<SqliteStore>,
) -> Result<Output, Failure> {
    let chosen = chosen(settings)?;
    let check = |report: Result<HealthReport, ModelError>| match report {
        Ok(report) => ModelCheck::Ok(report),
        Err(error) => ModelCheck::Failed { message: error.to_string(), recovery: error.recovery() },
    };
    let embedder = &chosen.models.embedder;
    let embedder_check = match (embedder.problem(), args.check) {
        (Some(problem), _) => Some(check(Err(problem.clone()))),
        (None, true) => Some(check(embedder.load()?.check())),
        (None, false) => None,
    };
    let analyst_check = args.check.then(|| check(chosen.models.analyst.check()));
    let in_use = ModelsInUse {
        embedder: Model {
            name: chosen.models.embedder.name().to_owned(),
            chosen_by: chosen.embedder_by.layer(),
            origin: chosen.embedder_by,
            check: embedder_check,
        },
        analyst: Model {
            name: chosen.models.analyst.name().to_owned(),
            chosen_by: chosen.analyst_by.layer(),
            origin: chosen.analyst_by,
            check: analyst_check,
        },
        pair_judge: Model {
            name: chosen.models.pair_judge_name()?,
            chosen_by: chosen.pair_judge_by.layer(),
            origin: chosen.pair_judge_by,
            check: None,
        },
        filled_by: memory.filled_by()?,
        available: available_embedders(&settings.config.models.embedder),
        lifetime_usage: memory.lifetime_usage()?,
    };
    Ok(Output::new(text(&in_use), &in_use))
}

fn text(in_use: &ModelsInUse) -> String {
    let mut text = String::new();
    for (role, model, setting) in [
        ("embedder", &in_use.embedder, "models.embedder"),
        ("analyst", &in_use.analyst, "models.analyst"),
        ("pairs", &in_use.pair_judge, "models.pair_judge"),
    ] {
        let why = chosen_in_words(setting, &model.origin);
        let _ = writeln!(text, "{DIM}{role:<10}{DIM:#} {NAME}{}{NAME:#} ({why})", model.name);
        match &model.check {
            Some(ModelCheck::Ok(report)) => {
                let _ = writeln!(text, "           {GOOD}answers{GOOD:#}: {report}");
            }
            Some(ModelCheck::Failed { message, recovery }) => {
                let _ = writeln!(text, "           {BAD}fails{BAD:#}: {message}. {recovery}");
            }
            None => {}
        }
    }
    let filled = in_use.filled_by.as_deref().unwrap_or("no model yet");
    let _ = writeln!(text, "{DIM}{:<10}{DIM:#} filled by {filled}", "memory");
    let _ = writeln!(text, "{DIM}{:<10}{DIM:#} {}", "spent", in_use.lifetime_usage);
    let _ = writeln!(text, "\n{DIM}embedders{DIM:#}");
    for embedder in &in_use.available {
        let mark = if embedder.in_use { "*" } else { " " };
        let _ = writeln!(text, "{mark} {NAME}{:<13}{NAME:#} {}", embedder.setting, embedder.description);
        if let Some(figures) = &embedder.figures {
            let _ = writeln!(text, "  {:<13} {DIM}{figures}{DIM:#}", "");
        }
    }
    let _ = writeln!(text, "{DIM}Choose with models.embedder, then run elfmem migrate-embeddings once.{DIM:#}");
    text
}
