//! Unparsed values from files, variables and flags.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use toml::de::DeValue;

/// An unparsed value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RawValue<'a> {
    /// From a file.
    Toml(&'a DeValue<'a>),
    /// From an environment variable. Lists are separated by commas.
    Variable(&'a OsStr),
    /// From a flag, which may be repeated.
    Flag(&'a [std::ffi::OsString]),
}

/// Base of relative paths.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Base<'a> {
    /// Folder of the configuration file. `None` for variables and flags.
    pub(crate) folder: Option<&'a Path>,
    /// The home folder, for `~`.
    pub(crate) home: Option<&'a Path>,
}

impl RawValue<'_> {
    /// Parses a string.
    pub(crate) fn text(self) -> Option<String> {
        match self {
            Self::Toml(value) => value.as_str().map(str::to_owned),
            Self::Variable(text) => text.to_str().map(str::to_owned),
            Self::Flag([one]) => one.to_str().map(str::to_owned),
            Self::Flag(_) => None,
        }
    }

    /// Parses a list of strings.
    pub(crate) fn texts(self) -> Option<Vec<String>> {
        match self {
            Self::Toml(value) => {
                value.as_array()?.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect()
            }
            Self::Variable(text) => {
                let parts = text.to_str()?.split(',').map(str::trim);
                Some(parts.filter(|part| !part.is_empty()).map(str::to_owned).collect())
            }
            Self::Flag(all) => all.iter().map(|one| one.to_str().map(str::to_owned)).collect(),
        }
    }

    /// Parses a boolean.
    pub(crate) fn boolean(self) -> Option<bool> {
        match self {
            Self::Toml(value) => value.as_bool(),
            other => match other.text()?.trim() {
                "true" | "yes" | "on" | "1" => Some(true),
                "false" | "no" | "off" | "0" => Some(false),
                _ => None,
            },
        }
    }

    /// Parses a non-negative integer.
    pub(crate) fn count(self) -> Option<u64> {
        match self {
            Self::Toml(value) => {
                let integer = value.as_integer()?;
                u64::from_str_radix(integer.as_str().trim_start_matches('+'), integer.radix()).ok()
            }
            other => other.text()?.trim().parse().ok(),
        }
    }

    /// Parses a finite number.
    pub(crate) fn number(self) -> Option<f64> {
        let number: f64 = match self {
            Self::Toml(DeValue::Float(float)) => float.as_str().parse().ok()?,
            Self::Toml(_) => self.count()? as f64,
            other => other.text()?.trim().parse().ok()?,
        };
        number.is_finite().then_some(number)
    }

    /// Parses a path. Paths in a file are relative to that file. `~` is the home folder, except in
    /// flags, where the shell expands it.
    pub(crate) fn path(self, base: Base<'_>) -> Option<PathBuf> {
        let written = match self {
            Self::Toml(value) => PathBuf::from(value.as_str()?),
            Self::Variable(text) => PathBuf::from(text),
            Self::Flag([one]) => PathBuf::from(one),
            Self::Flag(_) => return None,
        };
        self.located(written, base)
    }

    /// Returns where a path that is written in this value leads. None if it is empty.
    pub(crate) fn located(self, written: PathBuf, base: Base<'_>) -> Option<PathBuf> {
        if written.as_os_str().is_empty() {
            return None;
        }
        if matches!(self, Self::Flag(_)) {
            return Some(written);
        }
        let from_home = written.strip_prefix("~").ok().zip(base.home).map(|(rest, home)| home.join(rest));
        Some(match (from_home, base.folder) {
            (Some(path), _) => path,
            (None, Some(folder)) => folder.join(written),
            (None, None) => written,
        })
    }

    /// Formats the value for an error: short, on one line.
    pub(crate) fn shown(self) -> String {
        const MOST: usize = 60;
        let text = match self {
            Self::Toml(value) => match (value.as_str(), value) {
                (Some(text), _) => text.to_owned(),
                (None, DeValue::Integer(integer)) => return integer.as_str().to_owned(),
                (None, DeValue::Float(float)) => return float.as_str().to_owned(),
                (None, DeValue::Boolean(on)) => return on.to_string(),
                (None, other) => return format!("a TOML {}", other.type_str()),
            },
            Self::Variable(text) => text.to_string_lossy().into_owned(),
            Self::Flag(all) => all.iter().map(|one| one.to_string_lossy()).collect::<Vec<_>>().join(", "),
        };
        let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST + 1).collect();
        match visible.char_indices().nth(MOST) {
            Some((end, _)) => format!("'{}…'", &visible[..end]),
            None => format!("'{visible}'"),
        }
    }
}
