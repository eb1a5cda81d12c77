//! The JSON arguments of one call, checked against the verb's parameters.

use std::borrow::Cow;

use elfmem_core::Timestamp;
use serde_json::{Map, Value, json};

use super::{Argument, is_of_kind};
use crate::catalog::{Parameter, ValueKind, Verb, nearest};
use crate::{Error, Result};

/// The arguments of one call. Every one is known to the verb and of the right kind, and none is missing.
#[derive(Debug)]
pub(crate) struct VerbArguments<'a> {
    verb: &'static Verb,
    values: Cow<'a, Map<String, Value>>,
    now: Timestamp,
}

impl<'a> VerbArguments<'a> {
    /// Checks arguments against the parameters of a verb. The error names everything that is wrong.
    pub(crate) fn check(verb: &'static Verb, values: &'a Map<String, Value>, now: Timestamp) -> Result<Self> {
        let arguments = Self { verb, values: canonical(verb, values), now };
        let mut problems = Vec::new();
        for (name, value) in arguments.values.iter() {
            match verb.parameter(name) {
                None => problems.push(unknown(verb, name)),
                Some(parameter) if parameter.name != name => {
                    problems.push(format!("'{name}' is another name for '{}', which is given too", parameter.name));
                }
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
        Self { verb, values: Cow::Borrowed(values), now }
    }

    /// The time to which words such as `yesterday` refer.
    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    /// Makes an error about the arguments.
    pub(crate) fn error(&self, problem: impl Into<String>) -> Error {
        Error::BadArgument { verb: self.verb, problem: problem.into() }
    }

    fn value(&self, name: &str) -> Option<&Value> {
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

/// Returns the arguments under the names of the verb's parameters, with a single text as a list of one where a list is taken.
fn canonical<'a>(verb: &Verb, values: &'a Map<String, Value>) -> Cow<'a, Map<String, Value>> {
    let is_alone = |parameter: &Parameter, value: &Value| parameter.kind == ValueKind::Texts && value.is_string();
    let differs = |(name, value): (&String, &Value)| {
        verb.parameter(name).is_some_and(|parameter| parameter.name != name || is_alone(parameter, value))
    };
    if !values.iter().any(differs) {
        return Cow::Borrowed(values);
    }
    let entry = |(name, value): (&String, &Value)| match verb.parameter(name) {
        Some(parameter) => {
            let value = if is_alone(parameter, value) { json!([value]) } else { value.clone() };
            // One that is given twice keeps its name, and is refused under it.
            let twice = name != parameter.name && values.contains_key(parameter.name);
            (if twice { name.clone() } else { parameter.name.to_owned() }, value)
        }
        None => (name.clone(), value.clone()),
    };
    Cow::Owned(values.iter().map(entry).collect())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::find;

    fn checked(verb: &str, values: Value) -> Result<Value> {
        let values = values.as_object().cloned().unwrap_or_default();
        let arguments = VerbArguments::check(find(verb).unwrap(), &values, Timestamp::UNIX_EPOCH)?;
        Ok(Value::Object(arguments.values.into_owned()))
    }

    #[test]
    fn old_names_and_single_texts_are_taken_for_what_they_mean() {
        for (verb, given, meant) in [
            ("show", json!({"block": "1f3a"}), json!({"block_id": "1f3a"})),
            ("recall", json!({"query": "q", "limit": 3}), json!({"query": "q", "top_k": 3})),
            ("learn", json!({"content": "c", "tags": "x"}), json!({"content": "c", "tags": ["x"]})),
            ("outcome", json!({"block_ids": "1f3a", "signal": 1}), json!({"block_ids": ["1f3a"], "signal": 1})),
            (
                "link",
                json!({"source": "1f3a", "relation": "extends", "target": "9c02"}),
                json!({"from": "1f3a", "link_type": "extends", "to": "9c02"}),
            ),
            ("supersede", json!({"block_id": "1f3a", "by": "9c02"}), json!({"old": "1f3a", "by": "9c02"})),
            ("list", json!({"top_k": 3}), json!({"limit": 3})),
        ] {
            assert_eq!(checked(verb, given).unwrap(), meant);
        }
    }

    #[test]
    fn two_names_for_one_thing_are_refused() {
        let error = checked("show", json!({"block": "1f3a", "block_id": "9c02"})).unwrap_err();
        assert!(error.message().contains("'block' is another name for 'block_id'"), "{error}");
    }
}
