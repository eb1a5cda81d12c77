//! A verb as it was typed, and its arguments as JSON.

use clap::ArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use elfmem_engine::catalog::{Parameter, Verb};
use elfmem_engine::{Clock, Error, Request, SystemClock};
use serde_json::{Map, Value};

use super::own_options;
use super::value::{json_recovery, value};
use super::verb_command::verbs_of;
use crate::failure::Failure;

/// A verb with what was typed after it.
#[derive(Debug)]
pub(crate) struct TypedVerb {
    pub(crate) verb: &'static Verb,
    matches: ArgMatches,
}

impl TypedVerb {
    /// Finds the verb of a command, its subcommand and the option that may select another verb.
    pub(super) fn new(command: &str, mut matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut path = command.to_owned();
        while let Some((name, below)) = matches.subcommand() {
            path = format!("{path} {name}");
            matches = below;
        }
        let is_selected =
            |selector: &str| matches.value_source(selector).is_some_and(|source| source == ValueSource::CommandLine);
        let selected = verbs_of(&path).find(|verb| verb.selector().is_some_and(is_selected));
        let verb = selected.or_else(|| verbs_of(&path).next());
        let verb = verb.ok_or_else(|| clap::Error::raw(ErrorKind::MissingSubcommand, "a subcommand is missing\n"))?;
        Ok(Self { verb, matches: matches.clone() })
    }

    /// Reads what was typed, with the files and the standard input that it names.
    pub(crate) fn read(&self) -> Result<VerbInput<'_>, Failure> {
        let mut fields = Map::new();
        for parameter in self.verb.parameters {
            if let Some(value) = value(parameter, &self.matches)? {
                fields.insert(parameter.name.to_owned(), value);
            }
        }
        own_options::apply(self.verb, &self.matches, &mut fields)?;
        Ok(VerbInput { typed: self, fields })
    }
}

/// The arguments of a verb as JSON: only those that were given.
#[derive(Debug)]
pub(crate) struct VerbInput<'a> {
    typed: &'a TypedVerb,
    pub(crate) fields: Map<String, Value>,
}

impl VerbInput<'_> {
    /// The verb.
    pub(crate) fn verb(&self) -> &'static Verb {
        self.typed.verb
    }

    /// Sets a parameter that the verb has and that was not given.
    pub(crate) fn set_default(&mut self, name: &str, value: impl Into<Value>) {
        if self.verb().parameter(name).is_some() {
            self.fields.entry(name).or_insert(value.into());
        }
    }

    /// The text of a parameter; empty when it was not given.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Tells whether anything was given that leaves out items of a list, other than their number.
    pub(crate) fn has_filter(&self) -> bool {
        self.fields.keys().any(|name| name != "limit")
    }

    /// Tells whether a flag was given that only the command line has.
    pub(crate) fn has_flag(&self, typed: &str) -> bool {
        self.typed.matches.get_flag(typed)
    }

    /// Makes the request of the verb.
    pub(crate) fn request<R: Request>(&self) -> Result<R, Failure> {
        R::from_json(&self.fields, SystemClock.now()).map_err(|error| self.failure(error))
    }

    /// Returns an error about arguments with the command and what is typed for each parameter.
    fn in_own_names(&self, text: &str) -> String {
        let verb = self.verb();
        let command = format!("elfmem {}", verb.command);
        let text = text.replace(&format!("arguments of {}:", verb.name), &format!("arguments of `{command}`:"));
        let text = match text.strip_prefix(&format!("{} takes ", verb.name)) {
            Some(taken) => format!("`{command}` takes {taken}"),
            None => text,
        };
        let name =
            |text: String, parameter: &Parameter| text.replace(&format!("'{}'", parameter.name), parameter.typed);
        verb.parameters.iter().fold(text, name)
    }

    /// Turns an error into a failure. Where JSON was given that the verb cannot use, it shows what it takes.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        let is_about_arguments = matches!(error, Error::BadArgument { .. });
        let mut failure = Failure::from(error);
        if is_about_arguments {
            failure.message = self.in_own_names(&failure.message);
            failure.recovery = self.in_own_names(&failure.recovery);
        }
        let mut given = self.verb().parameters.iter().filter(|parameter| self.fields.contains_key(parameter.name));
        if let (true, Some(json)) = (is_about_arguments, given.find(|given| given.example.is_some())) {
            failure.recovery = json_recovery(json);
        }
        failure
    }
}
