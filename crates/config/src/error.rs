//! Configuration errors, with their location and what to do.

use std::path::PathBuf;

use thiserror::Error;

use crate::keys::{KEYS, SettingKey, VARIABLE_PREFIX};
use crate::origin::ValueOrigin;

/// A setting or a configuration file is invalid. The message says what happened;
/// [`recovery`](Self::recovery) says what to do.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A file exists but cannot be read.
    #[error("Cannot read the settings in {}: {problem}.", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system error.
        problem: String,
    },
    /// A line is not valid TOML.
    #[error("{}, line {line}: this is not TOML: {problem}.", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The syntax error.
        problem: String,
    },
    /// A key does not exist.
    #[error("{}, line {line}: there is no setting '{key}'.", file.display())]
    UnknownKey {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key as written.
        key: String,
    },
    /// A value in place of a section.
    #[error("{}, line {line}: '{section}' is a section, not a setting.", file.display())]
    NotASection {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The section.
        section: String,
    },
    /// A value is invalid for its setting.
    #[error("{place}: {} cannot be {given}.", key.name)]
    BadValue {
        /// The location of the value.
        place: ValueOrigin,
        /// The setting.
        key: &'static SettingKey,
        /// The value as shown.
        given: String,
    },
    /// A project file contains a setting that projects may not change.
    #[error("{}, line {line}: a project may not set {}.", file.display(), key.name)]
    NotForProjects {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The setting.
        key: &'static SettingKey,
    },
}

impl ConfigError {
    /// Returns the line of the error, from 1; 0 for errors without a line.
    pub fn line(&self) -> usize {
        match self {
            Self::Syntax { line, .. }
            | Self::UnknownKey { line, .. }
            | Self::NotASection { line, .. }
            | Self::NotForProjects { line, .. }
            | Self::BadValue { place: ValueOrigin::User { line, .. } | ValueOrigin::Project { line, .. }, .. } => *line,
            Self::Unreadable { .. } | Self::BadValue { .. } => 0,
        }
    }

    /// Returns what to do about the error.
    pub fn recovery(&self) -> String {
        match self {
            Self::Unreadable { .. } => "Make it readable, or move it away to use the defaults.".to_owned(),
            Self::Syntax { .. } => {
                "Correct that line: a section is written [memory], a setting inbox_threshold = 10, a text in \"quotes\"."
                    .to_owned()
            }
            Self::UnknownKey { key, .. } => match nearest(key) {
                Some(nearest) => {
                    format!("Did you mean {nearest}? Correct or remove the line; `elfmem config keys` lists every setting.")
                }
                None => "Remove the line; `elfmem config keys` lists every setting.".to_owned(),
            },
            Self::NotASection { section, .. } => {
                let inside = KEYS.iter().find_map(|key| key.name.strip_prefix(section.as_str())?.strip_prefix('.'));
                format!("Write [{section}] on a line of its own and below it settings such as {}.", inside.unwrap_or("…"))
            }
            Self::BadValue { place, key, .. } => {
                let otherwise = match place {
                    ValueOrigin::Environment { variable } => format!("or unset {variable}"),
                    ValueOrigin::Flag { flag } => format!("or omit {flag}"),
                    _ => "or remove the line".to_owned(),
                };
                let default = match key.default_text() {
                    Some(default) => format!("the default is {default}"),
                    None => "there is no default".to_owned(),
                };
                format!("Give {}, {otherwise}; {default}.", key.kind.expected())
            }
            Self::NotForProjects { key, .. } => format!(
                "It decides where your keys and texts are sent, and a project may come from anyone. Move the line to your own \
                 file (`elfmem config show` names it) or set {}.",
                key.variable
            ),
        }
    }
}

/// Returns the setting with the most similar name, if any is similar enough. A name without
/// section, or in a wrong section, is compared by its last part.
fn nearest(given: &str) -> Option<&'static str> {
    let last = given.rsplit('.').next().unwrap_or(given);
    let likeness = |key: &SettingKey| {
        let own_last = key.name.rsplit('.').next().unwrap_or(key.name);
        let whole = strsim::normalized_damerau_levenshtein(given, key.name);
        // Slightly lower, so that a match in the same section wins.
        whole.max(0.99 * strsim::normalized_damerau_levenshtein(last, own_last))
    };
    let best = KEYS.iter().map(|key| (likeness(key), key.name)).max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness >= 0.6).map(|(_, name)| name)
}

/// Returns the environment variable with the most similar name, if any is similar enough. Ignores
/// the common prefix.
pub(crate) fn nearest_variable(given: &str) -> Option<&'static str> {
    let own = |name: &str| name.strip_prefix(VARIABLE_PREFIX).unwrap_or(name).to_owned();
    let likeness = |key: &SettingKey| strsim::normalized_damerau_levenshtein(&own(given), &own(key.variable));
    let best = KEYS.iter().map(|key| (likeness(key), key.variable)).max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness >= 0.6).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_tolerates_typos_and_sections() {
        for (given, meant) in [
            ("memory.inbox_treshold", Some("memory.inbox_threshold")),
            ("inbox_threshold", Some("memory.inbox_threshold")),
            ("model.embedder", Some("models.embedder")),
            ("session.idle", Some("session.idle_minutes")),
            ("db.path", Some("database.path")),
            ("recall.topk", Some("recall.top_k")),
            ("colour", None),
        ] {
            assert_eq!(nearest(given), meant, "{given}");
        }
        assert_eq!(nearest_variable("ELFMEM_EMBEDER"), Some("ELFMEM_EMBEDDER"));
        assert_eq!(nearest_variable("ELFMEM_X"), None);
    }
}
