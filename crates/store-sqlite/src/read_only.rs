//! Reading a memory that may only be read: on read-only media, or of another user.
//!
//! SQLite needs a shared-memory file beside a database with a write-ahead log, and makes both files where it can. A memory
//! that cannot be written is therefore read into a copy that is gone with its [`SqliteStore`], and nothing is left beside it.

use std::path::Path;

use elfmem_core::Timestamp;
use elfmem_store::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::adopt::BadRows;
use crate::backup::copy_pages;
use crate::connection::OpenOptions;
use crate::errors::{OrStoreError, open_error};
use crate::identify::{
    Owner, is_empty, needed_key, open_immutable, owner_of, refuse_foreign_bytes, refuse_special_name, refuse_unusable,
};
use crate::key::{Key, unlock};
use crate::private_file::with_ending;
use crate::store::SqliteStore;
use crate::wal::log_path;

impl SqliteStore {
    /// Tells whether this process may write to an existing memory: to the file, and to its folder, where the log goes. A
    /// missing file is as good as writable.
    pub fn is_writable(path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return true };
        let has_log = path_exists(&path, "-wal") && path_exists(&path, "-shm");
        may_write(&path) && (has_log || path.parent().is_none_or(may_write))
    }

    /// Opens a memory that cannot be written. What is changed in it is gone with this value, and nothing is left beside
    /// the file. The whole memory is copied once, so opening takes time in proportion to its size.
    ///
    /// # Errors
    /// A file that is missing, newer than what is known here, no memory, or that the key does not open.
    pub fn open_read_only(path: &Path, key: Option<&Key>, now: Timestamp) -> Result<Self, StoreError> {
        refuse_special_name(path)?;
        let key = needed_key(path, key);
        refuse_foreign_bytes(path, key)?;
        let mut copy = Connection::open("").or_store_error()?;
        unlock(&copy, key, path)?;
        read_into(&mut copy, path, key)?;
        let owner = owner_of(&copy)?;
        refuse_unusable(path, &owner)?;
        if owner == Owner::Nobody {
            return Err(StoreError::NotElfmem { path: path.to_owned(), reason: "it has no tables".into() });
        }
        let options = OpenOptions { bad_rows: BadRows::LeaveOut, ..OpenOptions::default() };
        Self::over_copy(copy, options, now)
    }
}

/// Copies a database with what its log holds.
fn read_into(copy: &mut Connection, path: &Path, key: Option<&Key>) -> Result<(), StoreError> {
    let log = log_path(path);
    if path_exists(path, "-wal") && path_exists(path, "-shm") {
        // Another process may be writing: SQLite reads what is committed, and nothing is made that is there already.
        let shared = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .map_err(|error| open_error(path, error))
            .and_then(|shared| unlock(&shared, key, path).map(|()| shared))
            .and_then(|shared| copy_pages(&shared, copy, &mut |_, _| {}).or_store_error());
        match shared {
            Err(_) if is_empty(&log) => {}
            read => return read,
        }
    }
    if is_empty(&log) {
        return copy_pages(&open_immutable(path, key)?, copy, &mut |_, _| {}).or_store_error();
    }
    // Nobody has it open, so that both files stay as they are while they are copied to where the log can be read.
    let unreachable =
        |error: std::io::Error| StoreError::Unreachable { path: path.to_owned(), reason: error.to_string() };
    let folder = tempfile::tempdir().map_err(unreachable)?;
    let database = folder.path().join("memory.db");
    for (from, to) in [(path, database.as_path()), (log.as_path(), &log_path(&database))] {
        let mut source = std::fs::File::open(from).map_err(unreachable)?;
        let mut target = std::fs::File::create_new(to).map_err(unreachable)?;
        std::io::copy(&mut source, &mut target).map_err(unreachable)?;
    }
    let whole = Connection::open(&database).map_err(|error| open_error(path, error))?;
    unlock(&whole, key, path)?;
    copy_pages(&whole, copy, &mut |_, _| {}).or_store_error()
}

fn path_exists(path: &Path, ending: &str) -> bool {
    with_ending(path, ending).exists()
}

/// Tells whether this process may write to a file or into a folder, without opening it.
#[cfg(unix)]
fn may_write(path: &Path) -> bool {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
}

#[cfg(not(unix))]
fn may_write(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_dir() || !found.permissions().readonly())
}
