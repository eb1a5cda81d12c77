//! Making the errors of a model folder.

use std::path::Path;

use crate::error::ModelError;
use crate::folder_problem::{FolderProblem, FolderProblemKind};

impl FolderProblem {
    pub(super) fn missing(path: &Path, detail: impl Into<String>) -> ModelError {
        Self::error(path, FolderProblemKind::Missing, detail)
    }

    pub(super) fn damaged(path: &Path, detail: impl Into<String>) -> ModelError {
        Self::error(path, FolderProblemKind::Damaged, detail)
    }

    pub(super) fn unsupported(path: &Path, detail: impl Into<String>) -> ModelError {
        Self::error(path, FolderProblemKind::Unsupported, detail)
    }

    fn error(path: &Path, kind: FolderProblemKind, detail: impl Into<String>) -> ModelError {
        ModelError::Folder(Box::new(Self { path: path.to_owned(), kind, detail: detail.into() }))
    }
}
