//! The first and the last line of an export.

use elfmem_core::{ActiveHours, Timestamp};
use serde::{Deserialize, Serialize};

/// The version of the form. A reader knows it and all before it.
pub(crate) const VERSION: u64 = 1;

/// The name of the form.
pub(crate) const NAME: &str = "elfmem-export";

/// What the first line says of the rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// `header`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// [`NAME`].
    pub(crate) format: String,
    /// [`VERSION`] when it was written.
    pub(crate) version: u64,
    /// Which elfmem wrote it.
    #[serde(default)]
    pub(crate) program: String,
    /// When.
    pub(crate) exported_at: Timestamp,
    /// What the clock of use read.
    pub(crate) active_hours: ActiveHours,
    /// Which scope was exported.
    #[serde(default)]
    pub(crate) scope: String,
    /// The model that the vectors come from, in the file or to be made again.
    #[serde(default)]
    pub(crate) embedding_model: Option<String>,
    /// Whether the vectors are in the file.
    #[serde(default)]
    pub(crate) vectors: bool,
}

/// The last line: without it the file was cut off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct End {
    /// `end`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// How many rows came before it.
    pub(crate) rows: u64,
}

impl End {
    pub(crate) fn after(rows: u64) -> Self {
        Self { kind: "end".to_owned(), rows }
    }
}
