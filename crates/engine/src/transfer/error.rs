//! Why something did not go out or come in.

use crate::ErrorKind;
use crate::import::Format;

/// Why nothing was exported or imported. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum TransferError {
    /// What was exported could not be written down.
    Unwritable {
        /// What the machine said.
        reason: String,
    },
    /// A part of the file cannot be read.
    Damaged {
        /// Where: a line, an entry, a file of a folder.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file holds nothing that is known here.
    UnknownFormat,
    /// The file says it is something else.
    OtherFormat {
        /// What it was to be read as.
        asked: Format,
        /// What is wrong with that.
        problem: String,
    },
    /// The file was written by a newer elfmem.
    Newer {
        /// The version of its form.
        found: u64,
        /// The newest one known here.
        known: u64,
    },
    /// There is too much of something.
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How much there may be.
        limit: usize,
    },
}

impl TransferError {
    /// A part of the file that cannot be read.
    pub(crate) fn damaged(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Damaged { place: place.into(), problem: problem.into() }
    }

    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unwritable { .. } => ErrorKind::Storage,
            _ => ErrorKind::Input,
        }
    }

    /// What happened.
    pub fn message(&self) -> String {
        match self {
            Self::Unwritable { reason } => format!("The export could not be written: {reason}."),
            Self::Damaged { place, problem } => {
                format!("{}: {problem}. Nothing of this file was imported.", capitalised(place))
            }
            Self::UnknownFormat => "Nothing that can be imported was recognised in it.".to_owned(),
            Self::OtherFormat { asked, problem } => format!("It cannot be read as {}: {problem}.", asked.as_str()),
            Self::Newer { found, known } => {
                format!("The export was written by a newer elfmem (form {found}, this one knows {known}).")
            }
            Self::TooMuch { what, limit } => format!("There are too many {what}: at most {limit} at a time."),
        }
    }

    /// What to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Unwritable { .. } => "Free some space, or choose a place you may write to, then repeat.".to_owned(),
            Self::Damaged { .. } => "Mend or remove that part, or export it anew, then repeat.".to_owned(),
            Self::UnknownFormat | Self::OtherFormat { .. } => {
                format!("Say what it is with --from: {}.", Format::NAMES.join(", "))
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
