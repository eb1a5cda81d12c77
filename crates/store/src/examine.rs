//! What a store finds when it looks itself through.

use serde::Serialize;

/// What was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// Whether the files can be read as what they are.
    Integrity,
    /// Whether every row refers to rows that are there.
    References,
    /// Whether the full-text index says what the blocks say.
    Words,
    /// Whether what recall reads of each block is what the block says.
    Rows,
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub check: Check,
    /// What is wrong.
    pub problem: String,
    /// Whether [`repair`](crate::Store::repair) mends it: it is derived from what is sound.
    pub repairable: bool,
}
