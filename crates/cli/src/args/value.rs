//! How the value of a parameter is read from what was typed.

use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;
use elfmem_engine::catalog::{Input, Parameter, ValueKind};
use elfmem_engine::{Clock, SystemClock};
use elfmem_text::temporal::parse_instant;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::input::{read_text, read_words};

/// Reads the value of a parameter as JSON; none when it was not given.
pub(super) fn value(parameter: &Parameter, typed: &ArgMatches) -> Result<Option<Value>, Failure> {
    let id = parameter.typed;
    let is_given = typed.value_source(id) == Some(ValueSource::CommandLine);
    if !is_given && parameter.input != Input::WordsOrStandardInput {
        return Ok(None);
    }
    let value = match parameter.input {
        Input::Words | Input::WordsOrStandardInput => read_words(&all::<String>(typed, id))?.into(),
        Input::File => match typed.get_one::<PathBuf>(id) {
            Some(file) => file_value(parameter, read_text(file)?)?,
            None => return Ok(None),
        },
        Input::Argument => argument_value(parameter, typed)?,
    };
    Ok(Some(value))
}

fn argument_value(parameter: &Parameter, typed: &ArgMatches) -> Result<Value, Failure> {
    let id = parameter.typed;
    let text = || typed.get_one::<String>(id).map(String::as_str).unwrap_or_default();
    Ok(match parameter.kind {
        ValueKind::Flag => typed.get_flag(id).into(),
        ValueKind::Text | ValueKind::Choice(_) => text().into(),
        ValueKind::Time => checked_time(text())?.into(),
        ValueKind::Texts => json!(all::<String>(typed, id)),
        ValueKind::Count => json!(typed.get_one::<u64>(id)),
        ValueKind::Counts => json!(all::<u64>(typed, id)),
        ValueKind::Number => finite(id, typed.get_one::<f64>(id).copied().unwrap_or(f64::NAN))?,
        ValueKind::Numbers => {
            all::<f64>(typed, id).into_iter().map(|number| finite(id, number)).collect::<Result<_, _>>()?
        }
        ValueKind::Object => Value::Object(json_in(text(), parameter)?),
        ValueKind::Objects => {
            all::<String>(typed, id).iter().map(|text| pair(parameter, text)).collect::<Result<_, _>>()?
        }
    })
}

fn all<T: Clone + Send + Sync + 'static>(typed: &ArgMatches, id: &str) -> Vec<T> {
    typed.get_many::<T>(id).unwrap_or_default().cloned().collect()
}

/// A time is passed on as text; here it is only checked, to say how one is typed.
fn checked_time(text: &str) -> Result<&str, Failure> {
    match parse_instant(text, SystemClock.now()) {
        Some(_) => Ok(text),
        None => Err(Failure::not_a_time(text.trim())),
    }
}

/// JSON has no other numbers.
fn finite(typed: &str, number: f64) -> Result<Value, Failure> {
    if number.is_finite() { Ok(number.into()) } else { Err(Failure::not_finite(typed.trim_start_matches('-'))) }
}

/// Reads an object that is typed with a sign between its two values; the value name has its keys.
fn pair(parameter: &Parameter, text: &str) -> Result<Value, Failure> {
    let keys = parameter.value_name.split_once('=');
    let (Some((first_key, second_key)), Some((first, second))) = (keys, text.split_once('=')) else {
        return Err(Failure::not_a_pair(parameter.typed, parameter.value_name, text));
    };
    Ok(json!({first_key.to_lowercase(): first, second_key.to_lowercase(): second}))
}

/// The value that the contents of a file are.
fn file_value(parameter: &Parameter, text: String) -> Result<Value, Failure> {
    match parameter.kind {
        ValueKind::Object => Ok(Value::Object(json_in(&text, parameter)?)),
        ValueKind::Objects if text.trim_start().starts_with('[') => {
            Ok(json!(json_in::<Vec<Map<String, Value>>>(&text, parameter)?))
        }
        ValueKind::Objects => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| json_in::<Map<String, Value>>(line, parameter).map(Value::Object)).collect()
        }
        _ => Ok(text.into()),
    }
}

fn json_in<T: DeserializeOwned>(text: &str, parameter: &Parameter) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::bad_json(parameter.typed, &error, json_recovery(parameter)))
}

/// Says which JSON a parameter takes.
pub(super) fn json_recovery(parameter: &Parameter) -> String {
    let form = if parameter.kind == ValueKind::Objects { "list" } else { "object" };
    let example = parameter.example.map(|example| format!(": {example}")).unwrap_or_default();
    format!("Give a JSON {form}{example}. {}.", parameter.help)
}
