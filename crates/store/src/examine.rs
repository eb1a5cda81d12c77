//! What a store finds when it looks itself through, and what two equal memories have in common.

use serde::Serialize;

/// What was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Check {
    /// Whether the files can be read as what they are.
    Integrity,
    /// Whether every row refers to rows that are there.
    References,
    /// Whether the full-text index says what the blocks say.
    Words,
    /// Whether what recall reads of each block is what the block says.
    Rows,
    /// Whether every vector is one of the model that filled the memory.
    Vectors,
    /// Whether edges and contradictions join blocks that may be joined.
    Edges,
    /// Whether what is counted or named beside rows follows from them.
    Counts,
    /// Whether contexts, enrolments and links name what is there.
    Contexts,
    /// Whether the journal can be read, and its rows are what it says last.
    Journal,
    /// Whether every belief is what outcomes and links add up to.
    Beliefs,
}

impl Check {
    /// Every check, in the order in which they are made.
    pub const ALL: [Self; 10] = [
        Self::Integrity,
        Self::References,
        Self::Words,
        Self::Rows,
        Self::Vectors,
        Self::Edges,
        Self::Counts,
        Self::Contexts,
        Self::Journal,
        Self::Beliefs,
    ];
}

/// Who is told which check is being made.
pub type CheckProgress<'a> = &'a mut dyn FnMut(Check);

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub check: Check,
    /// What is wrong.
    pub problem: String,
    /// The rows it is about, as far as the view that asked may know them.
    #[serde(rename = "where")]
    pub places: Vec<String>,
    /// Whether [`repair`](crate::Store::repair) mends it: it is derived from what is sound.
    pub repairable: bool,
}

/// Sums over a memory, as hexadecimal SHA-256. Two memories that hold the same share them, whatever their files look like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Digest {
    /// Over what is remembered: the same after an export and an import of everything.
    pub memory: String,
    /// Over the journal: what was done, when and by whom.
    pub journal: String,
    /// Over both, the vectors, the sessions and the settings: the same after a backup.
    pub everything: String,
}
