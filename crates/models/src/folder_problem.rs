//! Why a model folder cannot be used.

use std::fmt;
use std::path::PathBuf;

/// A model folder cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderProblem {
    /// The folder or file concerned.
    pub path: PathBuf,
    /// The category, which decides what to do.
    pub kind: FolderProblemKind,
    /// What is wrong, in one sentence without its end.
    pub detail: String,
}

/// Categories of problems with model folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FolderProblemKind {
    /// A file is missing or cannot be read.
    Missing,
    /// A file is truncated or contains nonsense.
    Damaged,
    /// The model is of a kind that this program cannot run.
    Unsupported,
}

impl FolderProblem {
    /// Returns what to do, in one sentence.
    pub fn recovery(&self) -> &'static str {
        match self.kind {
            FolderProblemKind::Missing => {
                "Check the path of the model folder: it must hold config.json, tokenizer.json or vocab.txt, and \
                 model.safetensors."
            }
            FolderProblemKind::Damaged => "Copy or download the model folder again; stored vectors are not affected.",
            FolderProblemKind::Unsupported => {
                "Choose a sentence-transformers model of the BERT family, a built-in model, or serve this one with an \
                 embedding server."
            }
        }
    }
}

impl fmt::Display for FolderProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.detail)
    }
}
