//! Replacements: why consolidation archived a block for another one.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// How a block relates to the one that replaced it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReplacementKind {
    /// It said what an older block says already.
    Duplicate,
    /// A newer block says the same in other words.
    Paraphrase,
    /// A newer block says what is true now.
    Update,
}

impl ReplacementKind {
    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Paraphrase => "paraphrase",
            Self::Update => "update",
        }
    }
}

/// The record that consolidation leaves on a block that it archives. Which block took its place is in
/// [`Block::superseded_by`](crate::Block::superseded_by).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockReplacement {
    /// How the block relates to the one that replaced it.
    pub kind: ReplacementKind,
    /// The reason, as the rules gave it.
    pub reason: String,
    /// When it was replaced.
    pub at: Timestamp,
    /// Whether somebody has looked at it and kept it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reviewed: bool,
}
