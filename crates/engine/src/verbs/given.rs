//! What a caller gave a verb, checked against the table before anything is done.

use crate::catalog::{Parameter, ValueKind as Kind, Verb, nearest};
use elfmem_core::Timestamp;
use elfmem_text::temporal::parse_instant;
use serde_json::{Map, Value};

use crate::request::{is_of_kind, whole_number};
use crate::{Error, Result};

/// The arguments of one call.
pub(super) struct Given<'a> {
    verb: &'static Verb,
    values: &'a Map<String, Value>,
}

impl<'a> Given<'a> {
    /// Takes arguments that the verb knows, of the kinds it wants, with nothing missing. Null is the same as not given. Whatever
    /// is wrong is told at once.
    pub(super) fn checked(verb: &'static Verb, values: &'a Map<String, Value>) -> Result<Self> {
        let given = Self { verb, values };
        let mut problems = Vec::new();
        for (name, value) in values {
            match verb.parameters.iter().find(|parameter| parameter.name == name) {
                None => problems.push(given.unknown(name)),
                Some(parameter) if !value.is_null() && !is_of_kind(parameter.kind, value) => {
                    problems.push(format!("'{name}' must be {}, and {value:.60} was given", in_words(parameter)));
                }
                Some(_) => {}
            }
        }
        let missing =
            verb.parameters.iter().filter(|parameter| parameter.required && given.value(parameter.name).is_none());
        problems
            .extend(missing.map(|parameter| format!("'{}' is missing: {}", parameter.name, uncapital(parameter.help))));
        if problems.is_empty() { Ok(given) } else { Err(given.bad(problems.join("; "))) }
    }

    fn unknown(&self, name: &str) -> String {
        let names = || self.verb.parameters.iter().map(|parameter| parameter.name);
        let meant = nearest(name, names()).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        format!("there is no parameter '{name}'{meant}")
    }

    /// Everything that was given, for what reads it by itself.
    pub(super) fn all(&self) -> &'a Map<String, Value> {
        self.values
    }

    /// An error about the arguments.
    pub(super) fn bad(&self, problem: impl Into<String>) -> Error {
        Error::BadArgument { verb: self.verb, problem: problem.into() }
    }

    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        self.values.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    /// A text that must be there.
    pub(super) fn needed(&self, name: &str) -> &'a str {
        self.text(name).unwrap_or_default()
    }

    pub(super) fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    pub(super) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let values = self.value(name)?.as_array()?;
        Some(values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect())
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or_default()
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.value(name)?.as_f64()
    }

    pub(super) fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        Some(self.value(name)?.as_array()?.iter().filter_map(Value::as_f64).collect())
    }

    /// A whole number that fits where it is wanted.
    pub(super) fn count<T: TryFrom<u64>>(&self, name: &str) -> Result<Option<T>> {
        let Some(count) = self.value(name).and_then(whole_number) else { return Ok(None) };
        T::try_from(count).map(Some).map_err(|_| self.bad(format!("'{name}' is too large: {count}")))
    }

    pub(super) fn counts(&self, name: &str) -> Vec<i64> {
        let values = self.value(name).and_then(Value::as_array);
        values
            .into_iter()
            .flatten()
            .filter_map(|value| whole_number(value).and_then(|count| i64::try_from(count).ok()))
            .collect()
    }

    pub(super) fn time(&self, name: &str, now: Timestamp) -> Result<Option<Timestamp>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let at = parse_instant(text, now);
        at.map(Some).ok_or_else(|| self.bad(format!("'{name}' is no time that can be read: '{text:.60}'")))
    }

    /// An object or a list of objects as the type it stands for.
    pub(super) fn parsed<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let parsed = serde_json::from_value(value.clone());
        parsed.map(Some).map_err(|error| self.bad(format!("'{name}' cannot be used: {error}")))
    }
}

fn in_words(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Text => "a text".to_owned(),
        Kind::Time => "a text that says a time".to_owned(),
        Kind::Texts => "a list of texts".to_owned(),
        Kind::Count => "a whole number from 0".to_owned(),
        Kind::Counts => "a list of whole numbers".to_owned(),
        Kind::Number => "a number".to_owned(),
        Kind::Numbers => "a list of numbers".to_owned(),
        Kind::Flag => "true or false".to_owned(),
        Kind::Choice(words) => format!("one of {}", words.join(", ")),
        Kind::Object => "an object".to_owned(),
        Kind::Objects => "a list of objects".to_owned(),
    }
}

/// A sentence's beginning inside another sentence.
fn uncapital(help: &str) -> String {
    let mut chars = help.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
