//! Arguments of verbs that only a command line has: a question less, a longer answer, a file to start from.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use elfmem_engine::catalog::{Verb, VerbId};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::input::read_text;

/// Shows why each block was recalled.
pub(crate) const EXPLAIN: &str = "--explain";
/// Shows whole texts on a terminal.
pub(crate) const FULL: &str = "--full";
/// Does not ask before something that cannot be undone.
pub(crate) const YES: &str = "--yes";
/// The source of what is typed, unless another is named.
const SOURCE: &str = "cli";
/// The file that a place names.
const FILE: &str = "FILE";

/// Adds them to a command.
pub(super) fn add(command: Command, path: &str) -> Command {
    let flag = |id: &'static str, help| Arg::new(id).long(&id[2..]).action(ArgAction::SetTrue).help(help);
    match path {
        "remember" | "outcome" => command.mut_arg("--source", |source| source.default_value(SOURCE)),
        "recall" => command
            .arg(flag(EXPLAIN, "Say why each block is here").short('e'))
            .arg(flag(FULL, "Show whole texts on a terminal, not the part around the matching words")),
        "purge" => command.arg(flag(YES, "Do not ask")),
        "secrets scan" => command.arg(flag(YES, "Do not ask").requires("--redact")),
        "event store" => command.mut_arg("--kind", |kind| kind.required(false).required_unless_present(FILE)).arg(
            Arg::new(FILE)
                .value_name(FILE)
                .value_parser(value_parser!(PathBuf))
                .help("A file with the event as JSON; `-` reads standard input. Options add to it"),
        ),
        _ => command,
    }
}

/// Adds what they say to the arguments of the verb.
pub(super) fn apply(verb: &Verb, typed: &ArgMatches, fields: &mut Map<String, Value>) -> Result<(), Failure> {
    let file = || typed.get_one::<PathBuf>(FILE).filter(|file| file.as_os_str() != "-");
    match verb.id {
        VerbId::StoreEvent => add_to_file(typed, fields),
        VerbId::Learn | VerbId::Outcome => {
            fields.entry("source").or_insert_with(|| SOURCE.into());
            Ok(())
        }
        // A document that comes from a file is known by its whole path: two files of one name are two documents.
        VerbId::LearnDocument => {
            if let Some(file) = file() {
                let path = std::fs::canonicalize(file).unwrap_or_else(|_| file.clone());
                fields.entry("name").or_insert_with(|| path.display().to_string().into());
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Starts from the event of a file. What was typed is added to it; lists grow.
fn add_to_file(typed: &ArgMatches, fields: &mut Map<String, Value>) -> Result<(), Failure> {
    let Some(file) = typed.get_one::<PathBuf>(FILE) else { return Ok(()) };
    let recovery = "Give a JSON object: {\"event_kind\": \"fact\", \"payload\": {\"topic\": \"port\", \"value\": 5433}, \
                    \"source\": \"agent\", \"context_id\": \"skill:react\"}. `elfmem guide store_event` says more.";
    let mut event: Map<String, Value> =
        serde_json::from_str(&read_text(file)?).map_err(|error| Failure::bad_json(FILE, &error, recovery))?;
    for (name, value) in std::mem::take(fields) {
        match (event.get_mut(&name), value) {
            (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
            (_, value) => drop(event.insert(name, value)),
        }
    }
    *fields = event;
    Ok(())
}
