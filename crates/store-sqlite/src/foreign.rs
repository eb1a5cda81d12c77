//! Reading a memory that is to stay as it is: another project's, or one of the Python elfmem of any version.

use std::path::Path;

use elfmem_core::Timestamp;
use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::backup::{CopyProgress, copy_pages};
use crate::connection::OpenOptions;
use crate::errors::OrStoreError;
use crate::identify::{NEWEST_PYTHON_SCHEMA, Owner, look_at, needed_key, owner_of, refuse_damaged, refuse_unusable};
use crate::key::{Key, unlock};
use crate::schema::columns_of;
use crate::store::SqliteStore;

/// The newest schema of the Python elfmem (0.20) whose rows can be read, though not taken over in place.
const NEWEST_READABLE_PYTHON_SCHEMA: i64 = 9;

/// Whose memory a file was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    /// This elfmem.
    Elfmem,
    /// The Python elfmem.
    Python,
}

impl SqliteStore {
    /// A copy of the memory in a file, brought up to date. The copy is gone with this value, the file stays as it is. The key
    /// is used where the file is encrypted; the copy then is too, whatever of it leaves the machine's memory.
    ///
    /// # Errors
    /// A file that is missing, damaged, newer than what is known here, or no memory, or that the key does not open.
    pub fn copy_of(
        path: &Path,
        key: Option<&Key>,
        now: Timestamp,
        tell: CopyProgress<'_>,
    ) -> Result<(Self, Maker), StoreError> {
        let key = needed_key(path, key);
        let source = look_at(path, key)?;
        refuse_damaged(&source)?;
        let owner = owner_of(&source)?;
        let maker = match owner {
            Owner::PythonElfmem(..=NEWEST_READABLE_PYTHON_SCHEMA) => Maker::Python,
            Owner::PythonElfmem(found) => {
                let (path, known) = (path.to_owned(), NEWEST_READABLE_PYTHON_SCHEMA);
                return Err(StoreError::Newer { path, found, known });
            }
            Owner::Nobody => {
                return Err(StoreError::NotElfmem { path: path.to_owned(), reason: "it has no tables".into() });
            }
            ref other => {
                refuse_unusable(path, other)?;
                Maker::Elfmem
            }
        };
        // A nameless database lives in a file of its own only when it grows beyond the cache, and goes with its connection.
        let mut copy = Connection::open("").or_store_error()?;
        unlock(&copy, key, path)?;
        copy_pages(&source, &mut copy, tell).or_store_error()?;
        if matches!(owner, Owner::PythonElfmem(version) if version > NEWEST_PYTHON_SCHEMA) {
            convert_counts(&copy)?;
        }
        let options = OpenOptions::default();
        Ok((Self::over_copy(copy, options, now)?, maker))
    }
}

/// Puts what later versions of the Python elfmem keep in other columns where schema 3 has it.
///
/// They count good and bad outcomes from a half each; confidence is the share of the good ones, evidence what goes beyond
/// the two halves.
fn convert_counts(copy: &Connection) -> Result<(), StoreError> {
    let has = |table: &str, column: &str| -> Result<bool, StoreError> {
        Ok(columns_of(copy, table)?.iter().any(|name| name == column))
    };
    let mut sql = String::new();
    if has("blocks", "success_count")? && has("blocks", "failure_count")? {
        sql.push_str(
            "UPDATE blocks SET confidence = success_count / (success_count + failure_count), \
             outcome_evidence = max(success_count + failure_count - 1.0, 0.0) \
             WHERE success_count >= 0 AND failure_count >= 0 AND success_count + failure_count > 0;",
        );
    }
    if has("blocks", "pinned")? {
        sql.push_str("UPDATE blocks SET pinned = 0 WHERE pinned IS NULL;");
    }
    if has("edges", "declared_by")? {
        sql.push_str(
            "ALTER TABLE edges ADD COLUMN asserted_from TEXT; \
             UPDATE edges SET asserted_from = declared_by WHERE declared_by IN (from_id, to_id);",
        );
    }
    sql.push_str("INSERT OR REPLACE INTO system_config (key, value) VALUES ('schema_version', '3');");
    copy.execute_batch(&sql).or_store_error()
}
