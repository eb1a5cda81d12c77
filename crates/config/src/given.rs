//! A value as someone wrote it: in a file, in a variable, behind a flag.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use toml::de::DeValue;

/// A value before it is understood.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Given<'a> {
    /// In a file.
    Toml(&'a DeValue<'a>),
    /// In a variable: lists have commas.
    Variable(&'a OsStr),
    /// Behind a flag that may be repeated.
    Flag(&'a [std::ffi::OsString]),
}

/// What paths are relative to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Base<'a> {
    /// The folder of the file it stands in; none for what was typed here.
    pub(crate) folder: Option<&'a Path>,
    /// What `~` means.
    pub(crate) home: Option<&'a Path>,
}

impl Given<'_> {
    /// A text.
    pub(crate) fn text(self) -> Option<String> {
        match self {
            Self::Toml(value) => value.as_str().map(str::to_owned),
            Self::Variable(text) => text.to_str().map(str::to_owned),
            Self::Flag([one]) => one.to_str().map(str::to_owned),
            Self::Flag(_) => None,
        }
    }

    /// Several texts.
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

    /// Yes or no.
    pub(crate) fn switch(self) -> Option<bool> {
        match self {
            Self::Toml(value) => value.as_bool(),
            other => match other.text()?.trim() {
                "true" | "yes" | "on" | "1" => Some(true),
                "false" | "no" | "off" | "0" => Some(false),
                _ => None,
            },
        }
    }

    /// A whole number that is not negative.
    pub(crate) fn count(self) -> Option<u64> {
        match self {
            Self::Toml(value) => {
                let integer = value.as_integer()?;
                u64::from_str_radix(integer.as_str().trim_start_matches('+'), integer.radix()).ok()
            }
            other => other.text()?.trim().parse().ok(),
        }
    }

    /// A number that is one.
    pub(crate) fn number(self) -> Option<f64> {
        let number: f64 = match self {
            Self::Toml(DeValue::Float(float)) => float.as_str().parse().ok()?,
            Self::Toml(_) => self.count()? as f64,
            other => other.text()?.trim().parse().ok()?,
        };
        number.is_finite().then_some(number)
    }

    /// A file. What stands in a file is relative to that file; `~` is the home folder everywhere but behind a flag, where the shell
    /// has dealt with it.
    pub(crate) fn path(self, base: Base<'_>) -> Option<PathBuf> {
        let written = match self {
            Self::Toml(value) => PathBuf::from(value.as_str()?),
            Self::Variable(text) => PathBuf::from(text),
            Self::Flag([one]) => PathBuf::from(one),
            Self::Flag(_) => return None,
        };
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

    /// It as an error may show it: short, on one line.
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
