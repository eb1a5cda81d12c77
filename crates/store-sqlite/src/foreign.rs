//! Reading a memory that is to stay as it is: another project's, or one of the Python elfmem of any version.

use std::path::Path;

use elfmem_core::Timestamp;
use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::adopt::{BadRows, refuse_bad_rows};
use crate::backup::{CopyProgress, copy_pages};
use crate::connection::OpenOptions;
use crate::errors::OrStoreError;
use crate::identify::{Owner, look_at, needed_key, owner_of, refuse_damaged, refuse_unusable};
use crate::key::{Key, unlock};
use crate::store::SqliteStore;

/// Whose memory a file was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    /// This elfmem.
    Elfmem,
    /// The Python elfmem.
    Python,
}

/// Counts the blocks of a database of the Python elfmem, without leaving a trace beside it. None for any other file, and
/// for one that cannot be read now.
pub fn python_blocks(path: &Path) -> Option<u64> {
    let look = look_at(path, None).ok()?;
    match owner_of(&look).ok()? {
        Owner::PythonElfmem(_) => {
            let count: i64 = look.query_row("SELECT count(*) FROM blocks", [], |row| row.get(0)).ok()?;
            Some(count.unsigned_abs())
        }
        _ => None,
    }
}

impl SqliteStore {
    /// A copy of the memory in a file, brought up to date. The copy is gone with this value, the file stays as it is. The key
    /// is used where the file is encrypted; the copy then is too, whatever of it leaves the machine's memory.
    ///
    /// # Errors
    /// A file that is missing, damaged, newer than what is known here, or no memory, or that the key does not open. Rows of
    /// a Python database that cannot be read, unless they are to be left out.
    pub fn copy_of(
        path: &Path,
        key: Option<&Key>,
        bad_rows: BadRows,
        now: Timestamp,
        tell: CopyProgress<'_>,
    ) -> Result<(Self, Maker), StoreError> {
        let key = needed_key(path, key);
        let source = look_at(path, key)?;
        refuse_damaged(&source)?;
        let owner = owner_of(&source)?;
        refuse_unusable(path, &owner)?;
        let maker = match owner {
            Owner::PythonElfmem(_) => Maker::Python,
            Owner::Nobody => {
                return Err(StoreError::NotElfmem { path: path.to_owned(), reason: "it has no tables".into() });
            }
            _ => Maker::Elfmem,
        };
        if maker == Maker::Python && bad_rows == BadRows::Refuse {
            refuse_bad_rows(path, &source)?;
        }
        // A nameless database lives in a file of its own only when it grows beyond the cache, and goes with its connection.
        let mut copy = Connection::open("").or_store_error()?;
        unlock(&copy, key, path)?;
        copy_pages(&source, &mut copy, tell).or_store_error()?;
        let options = OpenOptions { bad_rows, ..OpenOptions::default() };
        Ok((Self::over_copy(copy, options, now)?, maker))
    }
}
