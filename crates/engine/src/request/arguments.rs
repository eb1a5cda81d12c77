//! The JSON arguments of one call, checked against the verb's parameters.

use elfmem_core::Timestamp;
use serde_json::{Map, Value};

use super::{Argument, is_of_kind};
use crate::catalog::{ValueKind, Verb, nearest};
use crate::{Error, Result};

/// The arguments of one call. Every one is known to the verb and of the right kind, and none is missing.
#[derive(Debug)]
pub(crate) struct VerbArguments<'a> {
    verb: &'static Verb,
    values: &'a Map<String, Value>,
    now: Timestamp,
}

impl<'a> VerbArguments<'a> {
    /// Checks arguments against the parameters of a verb. The error names everything that is wrong.
    pub(crate) fn check(verb: &'static Verb, values: &'a Map<String, Value>, now: Timestamp) -> Result<Self> {
        let arguments = Self { verb, values, now };
        let mut problems = Vec::new();
        for (name, value) in values {
            match verb.parameter(name) {
                None => problems.push(unknown(verb, name)),
                Some(parameter) if !value.is_null() && !is_of_kind(parameter.kind, value) => {
                    problems.push(format!("'{name}' must be {}, and {value:.60} was given", in_words(parameter.kind)));
                }
                Some(_) => {}
            }
        }
        let missing =
            verb.parameters.iter().filter(|parameter| parameter.required && arguments.value(parameter.name).is_none());
        problems
            .extend(missing.map(|parameter| format!("'{}' is missing: {}", parameter.name, uncapital(parameter.help))));
        if problems.is_empty() { Ok(arguments) } else { Err(arguments.error(problems.join("; "))) }
    }

    /// Takes arguments that were checked elsewhere.
    pub(crate) fn unchecked(verb: &'static Verb, values: &'a Map<String, Value>, now: Timestamp) -> Self {
        Self { verb, values, now }
    }

    /// The time to which words such as `yesterday` refer.
    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    /// Makes an error about the arguments.
    pub(crate) fn error(&self, problem: impl Into<String>) -> Error {
        Error::BadArgument { verb: self.verb, problem: problem.into() }
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.values.get(name).filter(|value| !value.is_null())
    }

    /// Reads an argument that may be missing.
    pub(crate) fn read<T: Argument>(&self, name: &str) -> Result<Option<T>> {
        self.value(name).map(|value| T::read(name, value, self)).transpose()
    }

    /// Reads an argument that is required.
    pub(crate) fn required<T: Argument>(&self, name: &str) -> Result<T> {
        self.read(name)?.ok_or_else(|| self.error(format!("'{name}' is missing")))
    }

    /// Reads an object or a list of objects with serde.
    pub(crate) fn deserialize<T: serde::de::DeserializeOwned>(&self, name: &str, value: &Value) -> Result<T> {
        T::deserialize(value).map_err(|error| self.error(format!("'{name}' cannot be used: {error}")))
    }
}

fn unknown(verb: &Verb, name: &str) -> String {
    let names = verb.parameters.iter().map(|parameter| parameter.name);
    let meant = nearest(name, names).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
    format!("there is no parameter '{name}'{meant}")
}

fn in_words(kind: ValueKind) -> String {
    match kind {
        ValueKind::Text => "a text".to_owned(),
        ValueKind::Time => "a text that says a time".to_owned(),
        ValueKind::Texts => "a list of texts".to_owned(),
        ValueKind::Count => "a whole number from 0".to_owned(),
        ValueKind::Counts => "a list of whole numbers".to_owned(),
        ValueKind::Number => "a number".to_owned(),
        ValueKind::Numbers => "a list of numbers".to_owned(),
        ValueKind::Flag => "true or false".to_owned(),
        ValueKind::Choice(words) => format!("one of {}", words.join(", ")),
        ValueKind::Object => "an object".to_owned(),
        ValueKind::Objects => "a list of objects".to_owned(),
    }
}

/// Begins a phrase with a small letter, for use inside a sentence.
fn uncapital(help: &str) -> String {
    let mut chars = help.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
