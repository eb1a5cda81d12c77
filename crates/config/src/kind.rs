//! What a setting takes, and the place in the tree it goes to.

use std::path::PathBuf;

use elfmem_core::Scope;
use serde_json::{Value as Json, json};

use crate::given::{Base, Given};
use crate::settings::ElfmemConfig;

/// The place of a value in the tree.
pub type Place<T> = fn(&mut ElfmemConfig) -> &mut T;

/// What a setting takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A file.
    Path(Place<Option<PathBuf>>),
    /// One of a few words.
    Choice {
        /// The words.
        words: &'static [&'static str],
        /// Takes the word with this number.
        set: fn(&mut ElfmemConfig, usize),
        /// The number of the word it is.
        get: fn(&ElfmemConfig) -> usize,
    },
    /// The name of a scope.
    Scope(Place<Scope>),
    /// Names of scopes.
    Scopes(Place<Vec<Scope>>),
    /// A model: a word of its own, or a provider and a name.
    Model {
        /// The one that needs no name.
        alone: &'static str,
        /// The providers that need one.
        providers: &'static [&'static str],
        /// Where it goes.
        place: Place<String>,
    },
    /// The address of a server.
    Address(Place<Option<String>>),
    /// The name of an environment variable that holds a secret.
    SecretVariable(Place<String>),
    /// A whole number.
    Count {
        /// The least it may be.
        least: u64,
        /// The most it may be.
        most: u64,
        /// Where it goes.
        place: Place<u64>,
    },
    /// A number.
    Number {
        /// The least it may be.
        least: f64,
        /// The most it may be.
        most: f64,
        /// Where it goes.
        place: Place<f64>,
    },
    /// Yes or no.
    Switch(Place<bool>),
    /// A short name.
    Name(Place<String>),
    /// Short names.
    Names(Place<Vec<String>>),
}

impl Kind {
    /// What may be given, to be read after "Give".
    pub fn wanted(&self) -> String {
        match self {
            Self::Path(_) => "the path of a file".to_owned(),
            Self::Choice { words, .. } => words.join(" or "),
            Self::Scope(_) => "a short name without commas and control characters".to_owned(),
            Self::Scopes(_) => "a list of short names without commas and control characters".to_owned(),
            Self::Model { alone, providers, .. } => {
                let named: Vec<String> = providers.iter().map(|provider| format!("{provider}:MODEL")).collect();
                match named.split_last() {
                    Some((last, [])) => format!("{alone} or {last}"),
                    Some((last, others)) => format!("{alone}, {} or {last}", others.join(", ")),
                    None => (*alone).to_owned(),
                }
            }
            Self::Address(_) => "an address that begins with http:// or https://".to_owned(),
            Self::SecretVariable(_) => {
                "the name of an environment variable (capitals, digits and _); the key itself belongs into that variable"
                    .to_owned()
            }
            Self::Count { least, most, .. } => format!("a whole number from {least} to {most}"),
            Self::Number { least, most, .. } => format!("a number from {least} to {most}"),
            Self::Switch(_) => "true or false".to_owned(),
            Self::Name(_) => "a short name".to_owned(),
            Self::Names(_) => "a list of short names".to_owned(),
        }
    }

    /// Puts what was given into its place; whether it could be.
    pub(crate) fn set(&self, config: &mut ElfmemConfig, given: Given<'_>, base: Base<'_>) -> bool {
        fn put<T>(place: &mut T, value: Option<T>) -> bool {
            let fits = value.is_some();
            if let Some(value) = value {
                *place = value;
            }
            fits
        }
        match self {
            Self::Path(place) => put(place(config), given.path(base).map(Some)),
            Self::Choice { words, set, .. } => {
                let chosen = given.text().and_then(|text| words.iter().position(|word| *word == text));
                if let Some(number) = chosen {
                    set(config, number);
                }
                chosen.is_some()
            }
            Self::Scope(place) => put(place(config), given.text().and_then(|text| Scope::parse(&text).ok())),
            Self::Scopes(place) => {
                let parsed = given.texts().map(|all| all.iter().map(|text| Scope::parse(text)).collect());
                put(place(config), parsed.and_then(Result::ok))
            }
            Self::Model { alone, providers, place } => {
                let fits = |name: &String| {
                    let hosted =
                        |(provider, model): (&str, &str)| providers.contains(&provider) && !model.trim().is_empty();
                    name == alone || name.split_once(':').is_some_and(hosted)
                };
                put(place(config), given.text().filter(fits))
            }
            Self::Address(place) => {
                let address = given.text().filter(|text| is_address(text));
                put(place(config), address.map(Some))
            }
            Self::SecretVariable(place) => put(place(config), given.text().filter(|text| is_variable_name(text))),
            Self::Count { least, most, place } => {
                put(place(config), given.count().filter(|count| (least..=most).contains(&count)))
            }
            Self::Number { least, most, place } => {
                put(place(config), given.number().filter(|number| (*least..=*most).contains(number)))
            }
            Self::Switch(place) => put(place(config), given.switch()),
            Self::Name(place) => put(place(config), given.text().filter(|text| is_short_name(text))),
            Self::Names(place) => {
                put(place(config), given.texts().filter(|all| all.iter().all(|text| is_short_name(text))))
            }
        }
    }

    /// What the tree holds, as JSON; null for nothing.
    pub(crate) fn get(&self, config: &ElfmemConfig) -> Json {
        // The places hand out what can be written; a copy is written to by nobody.
        let config = &mut config.clone();
        match self {
            Self::Path(place) => json!(place(config).as_ref().map(|path| path.to_string_lossy())),
            Self::Choice { words, get, .. } => json!(words.get(get(config))),
            Self::Scope(place) => json!(place(config)),
            Self::Scopes(place) => json!(place(config)),
            Self::Model { place, .. } | Self::SecretVariable(place) | Self::Name(place) => json!(place(config)),
            Self::Address(place) => json!(place(config)),
            Self::Count { place, .. } => json!(place(config)),
            Self::Number { place, .. } => json!(place(config)),
            Self::Switch(place) => json!(place(config)),
            Self::Names(place) => json!(place(config)),
        }
    }

    /// Whether what was given may be repeated in an error: a key that was written where its variable's name belongs may not.
    pub(crate) fn may_be_shown(&self) -> bool {
        !matches!(self, Self::SecretVariable(_))
    }
}

fn is_short_name(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= 64 && !text.contains(char::is_control)
}

fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or("");
        // A password in an address would be a secret in a file.
        !host.is_empty() && !host.contains('@') && !text.contains(|c: char| c.is_control() || c.is_whitespace())
    })
}

/// Capitals, digits and `_`: what keys look like never passes.
fn is_variable_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    !text.is_empty() && text.len() <= 64 && text.chars().all(allowed) && !text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_no_password() {
        for good in ["http://localhost:11434/v1", "https://api.example.com", "http://[::1]:8080/v1"] {
            assert!(is_address(good), "{good}");
        }
        for bad in ["", "localhost", "http://", "ftp://x", "https://user:pass@host/v1", "http://a b"] {
            assert!(!is_address(bad), "{bad}");
        }
    }

    #[test]
    fn a_key_is_never_taken_for_the_name_of_a_variable() {
        assert!(is_variable_name("OPENAI_API_KEY") && is_variable_name("MY_KEY_2"));
        for bad in ["", "sk-proj-abc", "2KEY", "key", "A KEY"] {
            assert!(!is_variable_name(bad), "{bad}");
        }
    }
}
