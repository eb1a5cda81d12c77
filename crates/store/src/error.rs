//! What can go wrong with a database, and what to do about it.

use std::path::PathBuf;

use elfmem_core::BlockId;
use serde::{Deserialize, Serialize};

/// A row of a database that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadRow {
    /// The table.
    pub table: String,
    /// The key of the row.
    pub name: String,
    /// What is wrong with it.
    pub problem: String,
}

impl std::fmt::Display for BadRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} '{}': {}", self.table, self.name, self.problem)
    }
}

/// Most rows that a message names.
const MAX_NAMED_ROWS: usize = 5;

/// Names the first rows and counts the others.
fn named(rows: &[BadRow]) -> String {
    let shown: Vec<String> = rows.iter().take(MAX_NAMED_ROWS).map(BadRow::to_string).collect();
    match rows.len().saturating_sub(MAX_NAMED_ROWS) {
        0 => shown.join("; "),
        more => format!("{}; and {more} more", shown.join("; ")),
    }
}

type BoxedError = Box<dyn std::error::Error + Send + Sync>;

/// A broad class of failure, for programs that decide by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// Someone else is writing; trying again helps.
    Busy,
    /// The machine refused: no space, no permission, no such place.
    Environment,
    /// The file is not what it should be.
    File,
    /// The rows are not what the caller thought.
    State,
    /// Anything else the driver reported.
    Driver,
}

/// Why a store could not do what was asked. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process held the write lock for longer than the bound.
    #[error("the memory stayed busy for {seconds} s: another process is writing to it")]
    Busy {
        /// How long was waited.
        seconds: u64,
    },
    /// The disk is full, or the process may not write files of that size.
    #[error("the disk is full, or a limit on file sizes was reached: nothing was stored")]
    Full {
        /// What the driver said.
        #[source]
        source: BoxedError,
    },
    /// The place cannot be written or reached.
    #[error("cannot open the memory at {}: {reason}", path.display())]
    Unreachable {
        /// Which file.
        path: PathBuf,
        /// What the machine said.
        reason: String,
    },
    /// The file may be read but not written.
    #[error("the memory is read-only: nothing was stored")]
    ReadOnly {
        /// What the driver said.
        #[source]
        source: BoxedError,
    },
    /// The file belongs to some other program.
    #[error("{} is not an elfmem memory: {reason}", path.display())]
    NotElfmem {
        /// Which file.
        path: PathBuf,
        /// How that was noticed.
        reason: String,
    },
    /// The file may be an encrypted memory, and there is no key.
    #[error("{} is encrypted, or no memory at all, and there is no key", path.display())]
    Locked {
        /// Which file.
        path: PathBuf,
    },
    /// The key does not open the file.
    #[error("the key does not open {}: it is another one's, or the file is damaged or no memory", path.display())]
    WrongKey {
        /// Which file.
        path: PathBuf,
    },
    /// There is a key, and the file is not encrypted.
    #[error("there is a key, and {} is not encrypted", path.display())]
    NotEncrypted {
        /// Which file.
        path: PathBuf,
    },
    /// There is a key, and this program was built without encryption.
    #[error("there is a key, and this elfmem was built without encryption")]
    NoEncryption,
    /// What was given cannot be a key.
    #[error("what was given cannot be a key: it is too short, holds a NUL, or looks like SQL")]
    BadKey,
    /// The file was written by a newer elfmem.
    #[error("{} was written by a newer elfmem (schema {found}, this one knows {known})", path.display())]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest one known here.
        known: i64,
    },
    /// The file is damaged.
    #[error("the memory is damaged: {reason}")]
    Damaged {
        /// What was found.
        reason: String,
    },
    /// A database of the Python elfmem has rows that cannot be read.
    #[error("{} cannot be taken over: {}", path.display(), named(rows))]
    BadRows {
        /// Which file.
        path: PathBuf,
        /// The rows.
        rows: Vec<BadRow>,
    },
    /// The file was deleted or replaced while the memory was open.
    #[error("{} was deleted or replaced while the memory was open", path.display())]
    FileReplaced {
        /// Which file.
        path: PathBuf,
    },
    /// There is a file of that name already.
    #[error("{} exists already", path.display())]
    Exists {
        /// Which file.
        path: PathBuf,
    },
    /// Another process has the memory open.
    #[error("another process has {} open, and what it writes would be lost", path.display())]
    InUse {
        /// Which file.
        path: PathBuf,
    },
    /// A backup could not be made or did not check out.
    #[error("the backup failed: {reason}")]
    Backup {
        /// What went wrong.
        reason: String,
    },
    /// A block with that id exists already.
    #[error("block {id} exists already")]
    Duplicate {
        /// Which block.
        id: BlockId,
    },
    /// There is no such row.
    #[error("no {what} '{id}'")]
    Missing {
        /// What kind of row.
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// A transaction changed something without saying what it was.
    #[error("a change was made without a description for the journal")]
    Undescribed,
    /// Anything else the driver reported.
    #[error("the database reported an error")]
    Driver {
        /// What it said.
        #[source]
        source: BoxedError,
    },
}

impl StoreError {
    /// Wraps what a driver reported.
    pub fn driver(source: impl Into<BoxedError>) -> Self {
        Self::Driver { source: source.into() }
    }

    /// The class of the failure.
    pub fn kind(&self) -> StoreErrorKind {
        match self {
            Self::Busy { .. } => StoreErrorKind::Busy,
            Self::Full { .. }
            | Self::Unreachable { .. }
            | Self::ReadOnly { .. }
            | Self::Exists { .. }
            | Self::InUse { .. }
            | Self::NoEncryption
            | Self::BadKey
            | Self::Backup { .. } => StoreErrorKind::Environment,
            Self::NotElfmem { .. }
            | Self::Locked { .. }
            | Self::WrongKey { .. }
            | Self::NotEncrypted { .. }
            | Self::Newer { .. }
            | Self::BadRows { .. }
            | Self::FileReplaced { .. }
            | Self::Damaged { .. } => StoreErrorKind::File,
            Self::Duplicate { .. } | Self::Missing { .. } | Self::Undescribed => StoreErrorKind::State,
            Self::Driver { .. } => StoreErrorKind::Driver,
        }
    }

    /// Whether the same call may succeed later without anyone doing anything.
    pub fn is_retryable(&self) -> bool {
        self.kind() == StoreErrorKind::Busy
    }

    /// Returns what to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Busy { .. } => "Try again; if it stays busy, look for a hung process that has the file open.",
            Self::Full { .. } => {
                "Free some space on that disk, raise the limit (`ulimit -f`), or choose a file on another one, then repeat."
            }
            Self::Unreachable { .. } => "Choose a file in a folder that you may write to.",
            Self::ReadOnly { .. } => "Make the file and its folder writable, or choose another file.",
            Self::NotElfmem { .. } => "The file was left as it was. Choose another file.",
            Self::Locked { .. } => {
                "The file was left as it was. Give its key, to an elfmem that was built with the feature `encryption`, or \
                 choose another file."
            }
            Self::WrongKey { .. } => {
                "The file was left as it was. Give the key that it was created with; nothing else opens it. If it is damaged, \
                 move it away and restore a backup."
            }
            Self::NotEncrypted { .. } => {
                "The file was left as it was. Leave the key out, or create an encrypted memory beside it and import this one \
                 into it."
            }
            Self::NoEncryption => "Build elfmem with the feature `encryption`, or leave the key out. Nothing was opened.",
            Self::BadKey => {
                "Give at least 8 characters, better 64 hexadecimal digits as `openssl rand -hex 32` makes them. Nothing was \
                 opened."
            }
            Self::Newer { .. } => {
                "The file was left as it was. Upgrade elfmem and start it again, or choose another file; a database of the \
                 Python elfmem can be imported into that one."
            }
            Self::Damaged { .. } => "The file was left as it was. Copy it aside, then restore a backup or choose another file.",
            Self::FileReplaced { .. } => {
                "Nothing of this operation is stored. Close the memory; move the file back, restore a backup, or keep the file \
                 that is there now; then open the memory again."
            }
            Self::BadRows { .. } => {
                "The file was left as it was. Correct these rows in it, or go on without them: adopt or import the file and \
                 leave them out. They stay in the backup."
            }
            Self::Exists { .. } => "Choose another name, or allow that file to be replaced.",
            Self::InUse { .. } => "Stop the programs that use the memory, then repeat. Nothing was changed.",
            Self::Backup { .. } => {
                "The file was left as it was. Free some space beside it and make the folder writable, then repeat."
            }
            Self::Duplicate { .. } => "Use the block that is there, or change the content.",
            Self::Missing { .. } => "List what is there with list() and use one of those.",
            Self::Undescribed => "This is a fault in elfmem; please report it.",
            Self::Driver { .. } => "Check that the file is intact and the disk healthy, then repeat.",
        }
        .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn every_error_has_a_recovery_in_the_vocabulary_of_the_library() {
        let path = || PathBuf::from("memory.db");
        let cause = || BoxedError::from("no space left");
        let errors = [
            StoreError::Busy { seconds: 30 },
            StoreError::Full { source: cause() },
            StoreError::Unreachable { path: path(), reason: "no such folder".into() },
            StoreError::ReadOnly { source: cause() },
            StoreError::NotElfmem { path: path(), reason: "an image".into() },
            StoreError::Locked { path: path() },
            StoreError::WrongKey { path: path() },
            StoreError::NotEncrypted { path: path() },
            StoreError::NoEncryption,
            StoreError::BadKey,
            StoreError::Newer { path: path(), found: 9, known: 8 },
            StoreError::Damaged { reason: "a page".into() },
            StoreError::FileReplaced { path: path() },
            StoreError::Exists { path: path() },
            StoreError::InUse { path: path() },
            StoreError::Backup { reason: "no space".into() },
            StoreError::Duplicate { id: BlockId::for_content("x") },
            StoreError::Missing { what: "frame", id: "x".into() },
            StoreError::Undescribed,
            StoreError::driver(cause()),
        ];
        for error in errors {
            let recovery = error.recovery();
            assert!(recovery.ends_with('.'), "{error}: {recovery}");
            for typed in ["--", "ELFMEM_", "cargo "] {
                assert!(!recovery.contains(typed), "{error}: {recovery}");
            }
        }
    }

    #[test]
    fn a_cause_is_in_the_source_and_not_in_the_message() {
        let cause = || BoxedError::from("no space left");
        let errors = [
            StoreError::Full { source: cause() },
            StoreError::ReadOnly { source: cause() },
            StoreError::driver(cause()),
        ];
        for error in errors {
            assert!(!error.to_string().contains("no space left"), "{error}");
            assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("no space left"));
        }
    }
}
