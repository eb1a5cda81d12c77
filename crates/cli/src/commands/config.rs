//! `config show` and `config keys`. They work when the settings are wrong: they are what tells.

use std::fmt::Write;
use std::path::Path;

use elfmem_config::{ConfigError, KEYS, LoadedConfig, OTHER_VARIABLES};
use serde_json::{Value, json};

use crate::args::{Arguments, ConfigAction};
use crate::configuration::Surroundings;
use crate::failure::Failure;
use crate::layout;
use crate::output::Output;
use crate::style::{BAD, DIM, HANG, NAME, NOTE};

/// The narrowest terminal with a column for values.
const NARROW: usize = 80;
/// The width of the column of values; a longer one pushes its origin to the right.
const VALUE: usize = 20;

pub(crate) fn config(action: ConfigAction, arguments: &Arguments) -> Result<Output, Failure> {
    match action {
        ConfigAction::Show => show(&Surroundings::here()?, arguments),
        ConfigAction::Keys => Ok(keys()),
    }
}

/// A file of settings, whether it is there or not.
fn file(layer: &str, path: Option<&Path>) -> Option<Value> {
    let path = path?;
    Some(json!({"layer": layer, "path": path, "exists": path.exists()}))
}

fn show(around: &Surroundings, arguments: &Arguments) -> Result<Output, Failure> {
    let loaded = around.settings(arguments);
    let places = &around.places;
    let files: Vec<Value> =
        [file("user", places.user_file.as_deref()), file("project", places.project_file().as_deref())]
            .into_iter()
            .flatten()
            .collect();
    let problem = |problem: &ConfigError| json!({"message": problem.to_string(), "recovery": problem.recovery()});
    let json = json!({
        "values": loaded.values().collect::<Vec<_>>(),
        "files": files,
        "problems": loaded.problems.iter().map(problem).collect::<Vec<_>>(),
        "warnings": loaded.warnings,
    });
    Ok(Output::new(shown(&loaded, &files), &json))
}

fn shown(loaded: &LoadedConfig, files: &[Value]) -> String {
    let mut text = String::new();
    // Side by side, the columns would leave no room for values.
    let is_narrow = layout::terminal().is_some_and(|(width, _)| width < NARROW);
    let widest = KEYS.iter().map(|key| key.name.len()).max().unwrap_or(0);
    for (key, value) in KEYS.iter().zip(loaded.values()) {
        let shown = key.text_of(&loaded.config);
        let shown = shown.as_deref().or(key.default_in_words).unwrap_or("none");
        let _ = match is_narrow {
            true => writeln!(text, "{NAME}{}{NAME:#} = {shown} {DIM}({}){DIM:#}", key.name, value.origin),
            false => {
                let name = format!("{:<widest$}", key.name);
                writeln!(text, "{NAME}{name}{NAME:#}  {HANG}{shown:<VALUE$}  {DIM}{}{DIM:#}", value.origin)
            }
        };
    }
    text.push('\n');
    for file in files {
        let missing = if file["exists"] == true { "" } else { " (not there)" };
        let (layer, path) = (file["layer"].as_str().unwrap_or(""), file["path"].as_str().unwrap_or(""));
        let _ = writeln!(text, "{DIM}{layer:<8}{DIM:#} {path}{missing}");
    }
    for warning in &loaded.warnings {
        let _ = writeln!(text, "{NOTE}note:{NOTE:#} {warning}");
    }
    for problem in &loaded.problems {
        let _ = writeln!(text, "{BAD}wrong:{BAD:#} {problem}\n{DIM}Recovery:{DIM:#} {}", problem.recovery());
    }
    text
}

fn keys() -> Output {
    let mut text = String::new();
    for key in &KEYS {
        let default = key.default_text();
        let default = key.default_in_words.or(default.as_deref()).unwrap_or("none");
        let set_by: Vec<&str> = std::iter::once(key.variable).chain(key.flag).collect();
        let _ = writeln!(text, "{NAME}{}{NAME:#}  {DIM}{}{DIM:#}\n  {}", key.name, set_by.join(" "), key.help);
        let _ = writeln!(text, "  {DIM}takes{DIM:#} {}; {DIM}default{DIM:#} {default}", key.kind.expected());
        if !key.for_projects {
            let _ = writeln!(text, "  not for projects: it may stand in your own file only");
        }
    }
    text.push_str("\nOther variables\n");
    for variable in &OTHER_VARIABLES {
        let _ = writeln!(text, "{NAME}{}{NAME:#}\n  {}", variable.name, variable.help);
    }
    let settings = KEYS.iter().map(|key| {
        json!({
            "key": key.name,
            "takes": key.kind.expected(),
            "default": key.default_value(),
            "default_in_words": key.default_in_words,
            "variable": key.variable,
            "flag": key.flag,
            "for_projects": key.for_projects,
            "help": key.help,
        })
    });
    let others = OTHER_VARIABLES.iter().map(|variable| json!({"variable": variable.name, "help": variable.help}));
    let json = json!({"keys": settings.collect::<Vec<_>>(), "other_variables": others.collect::<Vec<_>>()});
    Output::new(text, &json)
}
