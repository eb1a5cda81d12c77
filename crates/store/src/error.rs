//! What can go wrong with a database, and what to do about it.

use std::path::PathBuf;

use elfmem_core::BlockId;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// A broad class of failure, for programs that decide by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
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
    /// The disk is full.
    #[error("the disk is full: nothing was stored")]
    Full {
        /// What the driver said.
        #[source]
        source: Source,
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
        source: Source,
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
        source: Source,
    },
}

impl StoreError {
    /// Wraps what a driver reported.
    pub fn driver(source: impl Into<Source>) -> Self {
        Self::Driver { source: source.into() }
    }

    /// The class of the failure.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Busy { .. } => ErrorKind::Busy,
            Self::Full { .. }
            | Self::Unreachable { .. }
            | Self::ReadOnly { .. }
            | Self::Exists { .. }
            | Self::InUse { .. }
            | Self::NoEncryption
            | Self::BadKey
            | Self::Backup { .. } => ErrorKind::Environment,
            Self::NotElfmem { .. }
            | Self::Locked { .. }
            | Self::WrongKey { .. }
            | Self::NotEncrypted { .. }
            | Self::Newer { .. }
            | Self::Damaged { .. } => ErrorKind::File,
            Self::Duplicate { .. } | Self::Missing { .. } | Self::Undescribed => ErrorKind::State,
            Self::Driver { .. } => ErrorKind::Driver,
        }
    }

    /// Whether the same call may succeed later without anyone doing anything.
    pub fn is_retryable(&self) -> bool {
        self.kind() == ErrorKind::Busy
    }

    /// What to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Busy { .. } => "Try again; if it stays busy, look for a hung process that has the file open.".into(),
            Self::Full { .. } => "Free some space on that disk, or choose another place with --db PATH, then repeat.".into(),
            Self::Unreachable { .. } => "Choose a file in a folder you may write to: --db PATH or ELFMEM_DB.".into(),
            Self::ReadOnly { .. } => "Make the file and its folder writable, or choose another with --db PATH.".into(),
            Self::NotElfmem { .. } => "The file was left as it was. Name another one; the memory itself is named with --db PATH.".into(),
            Self::Locked { .. } => {
                "The file was left as it was. Give its key with --key-file FILE, ELFMEM_KEY_FILE or ELFMEM_KEY, to an elfmem that was \
                 built with the feature 'encryption'; or name another file with --db PATH."
                    .into()
            }
            Self::WrongKey { .. } => {
                "The file was left as it was. Give the key that it was made with; nothing else opens it. If it is damaged, move it away and \
                 go back to a backup."
                    .into()
            }
            Self::NotEncrypted { .. } => {
                "The file was left as it was. Leave the key out; or make an encrypted memory beside it, with --db NEW and the key, and \
                 bring this one into it with import."
                    .into()
            }
            Self::NoEncryption => {
                "Build elfmem with the feature 'encryption' (cargo install --path crates/cli --features encryption), or leave the key out. \
                 Nothing was opened."
                    .into()
            }
            Self::BadKey => {
                "Give at least 8 characters, better 64 hexadecimal digits as `openssl rand -hex 32` makes them. Nothing was opened.".into()
            }
            Self::Newer { .. } => {
                "The file was left as it was. Upgrade elfmem, or choose another file with --db PATH; what a database of the \
                 Python elfmem holds can be brought into that one with import."
                    .into()
            }
            Self::Damaged { .. } => {
                "The file was left as it was. Copy it aside, then go back to a backup or choose another file with --db PATH."
                    .into()
            }
            Self::Exists { .. } => "Choose another name, or repeat with --force to replace that file.".into(),
            Self::InUse { .. } => "Stop the programs that use the memory, then repeat. Nothing was changed.".into(),
            Self::Backup { .. } => {
                "The file was left as it was. Free some space beside it and make the folder writable, then repeat.".into()
            }
            Self::Duplicate { .. } => "Use the block that is there, or change the content.".into(),
            Self::Missing { .. } => "List what is there with ls and use one of those.".into(),
            Self::Undescribed => "This is a fault in elfmem; please report it.".into(),
            Self::Driver { .. } => "Check that the file is intact and the disk healthy, then repeat.".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn a_cause_is_in_the_source_and_not_in_the_message() {
        let cause = || Source::from("no space left");
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
