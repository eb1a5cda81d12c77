//! The first and last line of an export.

use elfmem_core::{ActiveHours, Timestamp};
use serde::{Deserialize, Serialize};

/// The current format version. Earlier versions can be read too.
pub(crate) const FORMAT_VERSION: u64 = 1;

/// The format name.
pub(crate) const FORMAT_NAME: &str = "elfmem-export";

/// The first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// `header`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// [`FORMAT_NAME`].
    pub(crate) format: String,
    /// The [`FORMAT_VERSION`] of the writer.
    pub(crate) version: u64,
    /// The elfmem version of the writer.
    #[serde(default)]
    pub(crate) program: String,
    /// When it was written.
    pub(crate) exported_at: Timestamp,
    /// The active hours of the memory.
    pub(crate) active_hours: ActiveHours,
    /// The exported scope.
    #[serde(default)]
    pub(crate) scope: String,
    /// The embedding model of the memory.
    #[serde(default)]
    pub(crate) embedding_model: Option<String>,
    /// Whether the vectors are in the file.
    #[serde(default)]
    pub(crate) vectors: bool,
}

/// The last line. A file without it is truncated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct End {
    /// `end`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// Number of rows before it.
    pub(crate) rows: u64,
}

impl End {
    pub(crate) fn new(rows: u64) -> Self {
        Self { kind: "end".to_owned(), rows }
    }
}
