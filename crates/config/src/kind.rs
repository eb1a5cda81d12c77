//! The types of settings: parsing, validation and storage.

use std::path::PathBuf;

use elfmem_core::Scope;
use serde_json::{Value as Json, json};

use crate::raw_value::{Base, RawValue};
use crate::settings::ElfmemConfig;

/// Returns the field of a setting.
pub type FieldAccess<T> = fn(&mut ElfmemConfig) -> &mut T;

/// The type of a setting.
#[derive(Debug, Clone, Copy)]
pub enum SettingType {
    /// A file path.
    Path(FieldAccess<Option<PathBuf>>),
    /// One of a few words.
    Choice {
        /// The words.
        words: &'static [&'static str],
        /// Stores the word with this index.
        set: fn(&mut ElfmemConfig, usize),
        /// Returns the index of the stored word.
        get: fn(&ElfmemConfig) -> usize,
    },
    /// A scope name.
    Scope(FieldAccess<Scope>),
    /// A list of scope names.
    Scopes(FieldAccess<Vec<Scope>>),
    /// A model: a single word, or a provider and a name.
    Model {
        /// The models without provider.
        standalone: &'static [&'static str],
        /// The providers that require a model name.
        providers: &'static [&'static str],
        /// Whether a model can be a folder on disk.
        folders: bool,
        /// The field.
        place: FieldAccess<String>,
    },
    /// The URL of a server.
    Url(FieldAccess<Option<String>>),
    /// The name of an environment variable that contains a secret.
    SecretVariable(FieldAccess<String>),
    /// A whole number.
    Count {
        /// The minimum.
        min: u64,
        /// The maximum.
        max: u64,
        /// The field.
        place: FieldAccess<u64>,
    },
    /// A number.
    Number {
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
        /// The field.
        place: FieldAccess<f64>,
    },
    /// A whole number that may be unset.
    OptionalCount {
        /// The minimum.
        min: u64,
        /// The maximum.
        max: u64,
        /// The field.
        place: FieldAccess<Option<u64>>,
    },
    /// A number from 0 to 1 that may be unset.
    OptionalShare(FieldAccess<Option<f64>>),
    /// A boolean.
    Bool(FieldAccess<bool>),
    /// A short name.
    Name(FieldAccess<String>),
    /// A list of short names.
    Names(FieldAccess<Vec<String>>),
    /// A filter for log lines.
    LogFilter(FieldAccess<Option<String>>),
}

impl SettingType {
    /// Describes valid values, to follow "Give".
    pub fn expected(&self) -> String {
        match self {
            Self::Path(_) => "the path of a file".to_owned(),
            Self::Choice { words, .. } => words.join(" or "),
            Self::Scope(_) => "a short name without commas and control characters".to_owned(),
            Self::Scopes(_) => "a list of short names without commas and control characters".to_owned(),
            Self::Model { standalone, providers, folders, .. } => {
                let folder = folders.then(|| format!("{FOLDER}PATH"));
                let hosted = providers.iter().map(|provider| format!("{provider}:MODEL"));
                let local = standalone.iter().map(|name| (*name).to_owned()).chain(folder);
                let named: Vec<String> = local.chain(hosted).collect();
                match named.split_last() {
                    Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
                    _ => named.concat(),
                }
            }
            Self::Url(_) => "a URL that starts with http:// or https://".to_owned(),
            Self::SecretVariable(_) => {
                "the name of an environment variable (capitals, digits and _); put the key itself into that variable"
                    .to_owned()
            }
            Self::Count { min, max, .. } | Self::OptionalCount { min, max, .. } => {
                format!("a whole number from {min} to {max}")
            }
            Self::OptionalShare(_) => "a number from 0 to 1".to_owned(),
            Self::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Bool(_) => "true or false".to_owned(),
            Self::Name(_) => "a short name".to_owned(),
            Self::Names(_) => "a list of short names".to_owned(),
            Self::LogFilter(_) => {
                format!("{}, or CRATE=LEVEL for one crate; separated by commas", LOG_LEVELS.join(", "))
            }
        }
    }

    /// Parses and stores a value. Returns false if it is invalid.
    pub(crate) fn set(&self, config: &mut ElfmemConfig, raw: RawValue<'_>, base: Base<'_>) -> bool {
        fn put<T>(place: &mut T, value: Option<T>) -> bool {
            let fits = value.is_some();
            if let Some(value) = value {
                *place = value;
            }
            fits
        }
        match self {
            Self::Path(place) => put(place(config), raw.path(base).map(Some)),
            Self::Choice { words, set, .. } => {
                let chosen = raw.text().and_then(|text| words.iter().position(|word| *word == text));
                if let Some(number) = chosen {
                    set(config, number);
                }
                chosen.is_some()
            }
            Self::Scope(place) => put(place(config), raw.text().and_then(|text| Scope::parse(&text).ok())),
            Self::Scopes(place) => {
                let parsed = raw.texts().map(|all| all.iter().map(|text| Scope::parse(text)).collect());
                put(place(config), parsed.and_then(Result::ok))
            }
            Self::Model { folders: true, place, .. } if raw.text().is_some_and(|text| text.starts_with(FOLDER)) => {
                let path = raw.text().and_then(|text| raw.located(text.strip_prefix(FOLDER)?.into(), base));
                put(place(config), path.and_then(|path| Some(format!("{FOLDER}{}", path.to_str()?))))
            }
            Self::Model { standalone, providers, place, .. } => {
                let fits = |name: &String| {
                    let hosted =
                        |(provider, model): (&str, &str)| providers.contains(&provider) && !model.trim().is_empty();
                    standalone.contains(&name.as_str()) || name.split_once(':').is_some_and(hosted)
                };
                put(place(config), raw.text().filter(fits))
            }
            Self::Url(place) => {
                let address = raw.text().filter(|text| is_url(text));
                put(place(config), address.map(Some))
            }
            Self::SecretVariable(place) => put(place(config), raw.text().filter(|text| is_variable_name(text))),
            Self::Count { min, max, place } => {
                put(place(config), raw.count().filter(|count| (min..=max).contains(&count)))
            }
            Self::Number { min, max, place } => {
                put(place(config), raw.number().filter(|number| (*min..=*max).contains(number)))
            }
            Self::OptionalCount { min, max, place } => {
                put(place(config), raw.count().filter(|count| (min..=max).contains(&count)).map(Some))
            }
            Self::OptionalShare(place) => {
                put(place(config), raw.number().filter(|number| (0.0..=1.0).contains(number)).map(Some))
            }
            Self::Bool(place) => put(place(config), raw.boolean()),
            Self::Name(place) => put(place(config), raw.text().filter(|text| is_short_name(text))),
            Self::Names(place) => {
                put(place(config), raw.texts().filter(|all| all.iter().all(|text| is_short_name(text))))
            }
            Self::LogFilter(place) => put(place(config), raw.text().filter(|text| is_log_filter(text)).map(Some)),
        }
    }

    /// Returns the stored value as JSON, or null if it is not set.
    pub(crate) fn get(&self, config: &ElfmemConfig) -> Json {
        // The accessors need a mutable reference, so use a copy.
        let config = &mut config.clone();
        match self {
            Self::Path(place) => json!(place(config).as_ref().map(|path| path.to_string_lossy())),
            Self::Choice { words, get, .. } => json!(words.get(get(config))),
            Self::Scope(place) => json!(place(config)),
            Self::Scopes(place) => json!(place(config)),
            Self::Model { place, .. } | Self::SecretVariable(place) | Self::Name(place) => json!(place(config)),
            Self::Url(place) | Self::LogFilter(place) => json!(place(config)),
            Self::Count { place, .. } => json!(place(config)),
            Self::Number { place, .. } => json!(place(config)),
            Self::OptionalCount { place, .. } => json!(place(config)),
            Self::OptionalShare(place) => json!(place(config)),
            Self::Bool(place) => json!(place(config)),
            Self::Names(place) => json!(place(config)),
        }
    }

    /// Returns false if the value must not appear in errors: it may be a key in place of the name
    /// of its variable.
    pub(crate) fn can_show_value(&self) -> bool {
        !matches!(self, Self::SecretVariable(_))
    }
}

/// What stands before the path of a model folder.
const FOLDER: &str = "folder:";

/// Log levels, from none to all.
const LOG_LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Returns true for a list of levels, each for all of our crates or for one. Other crates may log what is stored.
fn is_log_filter(text: &str) -> bool {
    text.split(',').map(str::trim).all(|part| {
        let (target, level) = part.split_once('=').unwrap_or(("elfmem", part));
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_' || c == ':';
        target.starts_with("elfmem") && target.chars().all(is_name) && LOG_LEVELS.contains(&level)
    })
}

fn is_short_name(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= 64 && !text.contains(char::is_control)
}

fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or("");
        // A password in a URL would be a secret in a file.
        !host.is_empty() && !host.contains('@') && !text.contains(|c: char| c.is_control() || c.is_whitespace())
    })
}

/// Returns true for capitals, digits and `_`. API keys never match.
fn is_variable_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    !text.is_empty() && text.len() <= 64 && text.chars().all(allowed) && !text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_filter_names_levels_and_our_crates_only() {
        for good in ["debug", "off", "elfmem_engine=trace", "warn, elfmem_models=debug,elfmem_serve=off"] {
            assert!(is_log_filter(good), "{good}");
        }
        for bad in ["", "loud", "rmcp=trace", "elfmem_engine", "elfmem_engine=", "debug,,info", "elfmem Engine=info"] {
            assert!(!is_log_filter(bad), "{bad}");
        }
    }

    #[test]
    fn urls_have_a_host_and_no_password() {
        for good in ["http://localhost:11434/v1", "https://api.example.com", "http://[::1]:8080/v1"] {
            assert!(is_url(good), "{good}");
        }
        for bad in ["", "localhost", "http://", "ftp://x", "https://user:pass@host/v1", "http://a b"] {
            assert!(!is_url(bad), "{bad}");
        }
    }

    #[test]
    fn an_api_key_is_not_a_variable_name() {
        assert!(is_variable_name("OPENAI_API_KEY") && is_variable_name("MY_KEY_2"));
        for bad in ["", "sk-proj-abc", "2KEY", "key", "A KEY"] {
            assert!(!is_variable_name(bad), "{bad}");
        }
    }
}
