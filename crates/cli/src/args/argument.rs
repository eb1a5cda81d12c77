//! The argument of one parameter.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, value_parser};
use elfmem_engine::catalog::{Input, Parameter, ValueKind};

use crate::spoken::as_typed;

/// The options for the number of results.
const COUNT_OPTIONS: [&str; 2] = ["top-k", "limit"];

/// Makes the argument of a parameter. Its id is what is typed: `--top-k` or `QUERY`.
pub(super) fn argument(parameter: &Parameter) -> Arg {
    let long = parameter.typed.strip_prefix("--");
    let mut argument = Arg::new(parameter.typed).help(help(parameter));
    if let Some(long) = long {
        argument = argument.long(long);
    }
    // The two are accepted for each other on all surfaces.
    if long.is_some_and(|long| COUNT_OPTIONS.contains(&long)) {
        let others = COUNT_OPTIONS.iter().filter(|other| parameter.aliases.contains(&other.replace('-', "_").as_str()));
        argument = argument.aliases(others.copied());
    }
    if let Some(short) = parameter.short {
        argument = argument.short(short);
    }
    if parameter.kind == ValueKind::Flag {
        return argument.action(ArgAction::SetTrue);
    }
    argument = argument.value_name(parameter.value_name);
    if let Some(default) = parameter.default {
        argument = argument.default_value(default);
    }
    if let Some(value) = parameter.value_if_bare {
        argument = argument.num_args(0..=1).default_missing_value(value);
    }
    let argument = match parameter.input {
        Input::File => return argument.value_parser(value_parser!(PathBuf)),
        Input::Words | Input::WordsOrStandardInput => return repeated(argument, false),
        Input::Argument => argument,
    };
    let is_option = long.is_some();
    match parameter.kind {
        ValueKind::Count => argument.value_parser(whole_number).allow_negative_numbers(true),
        ValueKind::Number if parameter.name == "signal" => argument.value_parser(signal).allow_negative_numbers(true),
        ValueKind::Number => argument.value_parser(number).allow_negative_numbers(true),
        ValueKind::Numbers => argument.value_parser(number).value_delimiter(',').allow_negative_numbers(true),
        ValueKind::Counts => repeated(argument.value_parser(whole_number), is_option),
        ValueKind::Texts | ValueKind::Objects => repeated(argument, is_option),
        ValueKind::Choice(words) => argument.value_parser(choices(words, parameter.meanings)),
        _ => argument,
    }
}

/// What was typed, in words if it is nothing.
fn typed(text: &str) -> &str {
    if text.trim().is_empty() { "nothing" } else { text }
}

fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("give a whole number from 0 on, got {}", typed(text)))
}

fn signal(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("the signal must be between 0 and 1, got {}", typed(text)))
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("give a number such as 0.8, got {}", typed(text)))
}

/// Lets an option be repeated, or a place take several values.
fn repeated(argument: Arg, is_option: bool) -> Arg {
    let argument = argument.action(ArgAction::Append);
    if is_option { argument } else { argument.num_args(1..) }
}

fn choices(words: &[&'static str], meanings: &[&'static str]) -> PossibleValuesParser {
    let meanings = meanings.iter().copied().map(Some).chain(std::iter::repeat(None));
    let choice = |(word, meaning): (&&'static str, Option<&'static str>)| PossibleValue::new(*word).help(meaning);
    words.iter().zip(meanings).map(choice).collect::<Vec<_>>().into()
}

/// The help of the catalog, and how the value is typed where that does not go without saying.
fn help(parameter: &Parameter) -> String {
    let text = as_typed(parameter.help);
    let is_repeated_option = parameter.is_list() && parameter.typed.starts_with("--");
    match (parameter.input, parameter.kind) {
        (Input::File, ValueKind::Objects) => {
            format!("A file with a JSON list or a JSON object a line; `-` reads standard input. {text}")
        }
        (Input::File, ValueKind::Object) => format!("A file with a JSON object; `-` reads standard input. {text}"),
        (Input::File, _) => format!("A file; `-` reads standard input. {text}"),
        (Input::Words, _) => format!("{text}; `-` reads standard input"),
        (Input::WordsOrStandardInput, _) => format!("{text}; `-` or nothing reads standard input"),
        (Input::Argument, ValueKind::Time) => {
            format!("{text} (a date, or a date and time)")
        }
        (Input::Argument, ValueKind::Numbers) => text,
        (Input::Argument, _) if is_repeated_option => format!("{text}; may be repeated"),
        (Input::Argument, _) => text,
    }
}
