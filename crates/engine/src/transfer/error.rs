//! Errors of `export` and `import`.

use crate::ErrorKind;
use crate::import::ImportFormat;

/// An export or import failed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum TransferError {
    /// The output could not be written.
    Unwritable {
        /// The error of the operating system.
        reason: String,
    },
    /// A part of the file is invalid.
    Damaged {
        /// The location: a line, an entry, a file of a folder.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// The format of the file was not recognised.
    UnknownFormat,
    /// The file is not of the requested format.
    OtherFormat {
        /// The requested format.
        format: ImportFormat,
        /// What is wrong.
        problem: String,
    },
    /// The file was written by a newer elfmem.
    Newer {
        /// The format version of the file.
        found: u64,
        /// The newest supported format version.
        known: u64,
    },
    /// A limit was exceeded.
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}

impl TransferError {
    /// Creates the error for an invalid part of a file.
    pub(crate) fn damaged(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Damaged { place: place.into(), problem: problem.into() }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unwritable { .. } => ErrorKind::Storage,
            _ => ErrorKind::Input,
        }
    }

    /// Returns what happened.
    pub fn message(&self) -> String {
        match self {
            Self::Unwritable { reason } => format!("The export could not be written: {reason}."),
            Self::Damaged { place, problem } => {
                format!("{}: {problem}. Nothing was imported from this file.", capitalised(place))
            }
            Self::UnknownFormat => "The format of the file was not recognised.".to_owned(),
            Self::OtherFormat { format, problem } => {
                format!("The file cannot be read as {}: {problem}.", format.as_str())
            }
            Self::Newer { found, known } => {
                format!("The export was written by a newer elfmem (format version {found}, supported up to {known}).")
            }
            Self::TooMuch { what, limit } => format!("Too many {what}: the maximum is {limit} per import."),
        }
    }

    /// Returns what to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Unwritable { .. } => "Free some space, or choose a writable location, then repeat.".to_owned(),
            Self::Damaged { .. } => "Fix or remove that part, or export again, then repeat.".to_owned(),
            Self::UnknownFormat | Self::OtherFormat { .. } => {
                format!("Name the format: {}.", ImportFormat::NAMES.join(", "))
            }
            Self::Newer { .. } => "Upgrade elfmem, then repeat. Nothing was imported.".to_owned(),
            Self::TooMuch { .. } => "Import it in several parts. Nothing was imported.".to_owned(),
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
