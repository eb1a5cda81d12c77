//! What is wrong with a setting, where, and the way out.

use std::path::PathBuf;

use thiserror::Error;

use crate::keys::{KEYS, Key, VARIABLE_PREFIX};
use crate::origin::Origin;

/// Why a setting, or a whole file of them, cannot be used. The text says what happened; [`recovery`](Self::recovery) what to do.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A file is there and cannot be read.
    #[error("Cannot read the settings in {}: {problem}.", file.display())]
    Unreadable {
        /// Which file.
        file: PathBuf,
        /// What the system said.
        problem: String,
    },
    /// A line is not TOML.
    #[error("{}, line {line}: this is not TOML: {problem}.", file.display())]
    Syntax {
        /// Which file.
        file: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A key that no setting has.
    #[error("{}, line {line}: there is no setting '{key}'.", file.display())]
    UnknownKey {
        /// Which file.
        file: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// The key as written.
        key: String,
    },
    /// A value where a section belongs.
    #[error("{}, line {line}: '{section}' is a section, not a setting.", file.display())]
    NotASection {
        /// Which file.
        file: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// The section.
        section: String,
    },
    /// A value that the setting cannot have.
    #[error("{place}: {} cannot be {given}.", key.name)]
    BadValue {
        /// Where it stands.
        place: Origin,
        /// Which setting.
        key: &'static Key,
        /// What was given, as it may be shown.
        given: String,
    },
    /// A setting that a project may not decide.
    #[error("{}, line {line}: a project may not set {}.", file.display(), key.name)]
    NotForProjects {
        /// Which file.
        file: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Which setting.
        key: &'static Key,
    },
}

impl ConfigError {
    /// The line it stands on, from 1; 0 where there are no lines.
    pub fn line(&self) -> usize {
        match self {
            Self::Syntax { line, .. }
            | Self::UnknownKey { line, .. }
            | Self::NotASection { line, .. }
            | Self::NotForProjects { line, .. }
            | Self::BadValue { place: Origin::User { line, .. } | Origin::Project { line, .. }, .. } => *line,
            Self::Unreadable { .. } | Self::BadValue { .. } => 0,
        }
    }

    /// What to do about it.
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
                    Origin::Environment { variable } => format!("or unset {variable}"),
                    Origin::Flag { flag } => format!("or leave {flag} away"),
                    _ => "or remove the line".to_owned(),
                };
                let default = match key.default_text() {
                    Some(default) => format!("the default is {default}"),
                    None => "there is no default".to_owned(),
                };
                format!("Give {}, {otherwise}; {default}.", key.kind.wanted())
            }
            Self::NotForProjects { key, .. } => format!(
                "It decides where your keys and texts are sent, and a project may come from anyone. Move the line to your own \
                 file (`elfmem config show` names it) or set {}.",
                key.variable
            ),
        }
    }
}

/// The setting whose name is most like `given`, if one is alike. What is written without its section, or in a wrong one, is
/// compared by its last part.
fn nearest(given: &str) -> Option<&'static str> {
    let last = given.rsplit('.').next().unwrap_or(given);
    let likeness = |key: &Key| {
        let own_last = key.name.rsplit('.').next().unwrap_or(key.name);
        let whole = strsim::normalized_damerau_levenshtein(given, key.name);
        // A little less, so that among equals the one of the same section is meant.
        whole.max(0.99 * strsim::normalized_damerau_levenshtein(last, own_last))
    };
    let best = KEYS.iter().map(|key| (likeness(key), key.name)).max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness >= 0.6).map(|(_, name)| name)
}

/// The variable whose name is most like `given`, if one is alike. What all of them begin with says nothing.
pub(crate) fn nearest_variable(given: &str) -> Option<&'static str> {
    let own = |name: &str| name.strip_prefix(VARIABLE_PREFIX).unwrap_or(name).to_owned();
    let likeness = |key: &Key| strsim::normalized_damerau_levenshtein(&own(given), &own(key.variable));
    let best = KEYS.iter().map(|key| (likeness(key), key.variable)).max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness >= 0.6).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_found_across_typos_and_sections() {
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
