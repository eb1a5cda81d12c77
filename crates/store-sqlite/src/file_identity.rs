//! Notices that a file was deleted or replaced while connections to it are open.
//!
//! On Unix an open connection keeps a deleted file alive: commits succeed, and everything is lost when the process ends. So the
//! file that the path leads to is compared with the one that was opened, before each use and again after each commit.

use std::path::{Path, PathBuf};

use elfmem_store::StoreError;

/// A file as it was when it was opened.
#[derive(Debug)]
pub(crate) struct FileIdentity {
    path: PathBuf,
    opened: Option<FileNumber>,
}

/// What tells two files apart that have the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileNumber {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    /// Remembers the file that a path leads to now.
    pub(crate) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), opened: number(path) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Fails if the path no longer leads to the file that was opened.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        if self.is_intact() { Ok(()) } else { Err(StoreError::FileReplaced { path: self.path.clone() }) }
    }

    pub(crate) fn is_intact(&self) -> bool {
        self.opened == number(&self.path)
    }
}

#[cfg(unix)]
fn number(path: &Path) -> Option<FileNumber> {
    use std::os::unix::fs::MetadataExt;

    let metadata = std::fs::metadata(path).ok()?;
    Some(FileNumber { device: metadata.dev(), inode: metadata.ino() })
}

/// Other systems do not let an open database be deleted or replaced; that the file exists is all there is to check.
#[cfg(not(unix))]
fn number(path: &Path) -> Option<FileNumber> {
    path.exists().then_some(FileNumber { device: 0, inode: 0 })
}
