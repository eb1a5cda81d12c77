//! Errors of the verbs on documents.

use crate::ErrorKind;

/// How many documents an error names.
const MAX_LISTED: usize = 10;

/// A verb on a document failed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum DocumentError {
    /// No document has the name.
    Unknown {
        /// What was asked for.
        name: String,
        /// The names and sources of the documents there are.
        known: Vec<(String, String)>,
    },
    /// Several documents have the name.
    Ambiguous {
        /// What was asked for.
        name: String,
        /// Their names and sources.
        found: Vec<(String, String)>,
    },
}

impl DocumentError {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unknown { .. } => ErrorKind::NotFound,
            Self::Ambiguous { .. } => ErrorKind::Conflict,
        }
    }

    /// Returns what happened.
    pub fn message(&self) -> String {
        match self {
            Self::Unknown { name, .. } => format!("There is no document '{name}'."),
            Self::Ambiguous { name, found } => format!("'{name}' names {} documents.", found.len()),
        }
    }

    /// Returns what to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Unknown { known, .. } if known.is_empty() => {
                "No document has a name here; learn_document(name=NAME) gives one.".to_owned()
            }
            Self::Unknown { known, .. } => format!("Documents there are: {}.", listed(known)),
            Self::Ambiguous { found, .. } => {
                format!("Give the whole name, and the source if two have the same name: {}.", listed(found))
            }
        }
    }
}

fn listed(documents: &[(String, String)]) -> String {
    let mut names: Vec<String> =
        documents.iter().take(MAX_LISTED).map(|(name, source)| format!("{name} (source {source})")).collect();
    if documents.len() > MAX_LISTED {
        names.push(format!("and {} more", documents.len() - MAX_LISTED));
    }
    names.join(", ")
}
