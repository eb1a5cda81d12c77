//! Whose file is this? Answered before anything is opened for writing, so that a file that is not ours stays as it is.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::adopt::{BadRows, NEWEST_PYTHON_SCHEMA, refuse_bad_rows};
use crate::errors::OrStoreError;
use crate::key::{Key, unlock};
use crate::migrations::VERSION;
use crate::schema::{self, columns_of};
use crate::wal::log_path;

/// What the first bytes of every SQLite database say.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The size of a page of an encrypted database.
const PAGE: u64 = 4096;

/// What a file is by its first bytes and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looks {
    /// Nothing yet: missing or empty.
    Blank,
    /// A SQLite database.
    Database,
    /// Whole pages of what is no text: what an encrypted database looks like, and some other things.
    Encrypted,
    /// Something else.
    Other,
}

fn looks_of(path: &Path) -> std::io::Result<Looks> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Looks::Blank),
        Err(error) => return Err(error),
    };
    let mut head = Vec::new();
    file.by_ref().take(100).read_to_end(&mut head)?;
    Ok(if head.is_empty() {
        Looks::Blank
    } else if head.starts_with(MAGIC) {
        if head.len() == 100 { Looks::Database } else { Looks::Other }
    } else if file.metadata()?.len().is_multiple_of(PAGE) && std::str::from_utf8(&head).is_err() {
        Looks::Encrypted
    } else {
        Looks::Other
    })
}

/// Whether a file may be an encrypted memory, which has no looks of its own: whole pages of what is no text.
pub fn looks_encrypted(path: &Path) -> bool {
    matches!(looks_of(path), Ok(Looks::Encrypted))
}

/// The key, if the file needs one: what is plain is read as it is.
pub(crate) fn needed_key<'a>(path: &Path, key: Option<&'a Key>) -> Option<&'a Key> {
    key.filter(|_| !matches!(looks_of(path), Ok(Looks::Database)))
}

/// Refuses a path that cannot be a memory, by its name, its first bytes and whether there is a key. A missing or empty file
/// is fine: it becomes a new memory.
pub(crate) fn refuse_foreign_bytes(path: &Path, key: Option<&Key>) -> Result<(), StoreError> {
    let unreachable = |reason: String| StoreError::Unreachable { path: path.to_owned(), reason };
    if path.is_dir() {
        return Err(unreachable("it is a folder, not a file".into()));
    }
    let looks = looks_of(path).map_err(|error| unreachable(error.to_string()))?;
    match (looks, key) {
        (Looks::Blank, _) | (Looks::Database, None) => Ok(()),
        (Looks::Database, Some(_)) => Err(StoreError::NotEncrypted { path: path.to_owned() }),
        // What it is can only be told by opening it.
        (Looks::Encrypted | Looks::Other, Some(_)) => Ok(()),
        (Looks::Encrypted, None) => Err(StoreError::Locked { path: path.to_owned() }),
        (Looks::Other, None) => {
            Err(StoreError::NotElfmem { path: path.to_owned(), reason: "it is not a SQLite database".into() })
        }
    }
}

/// Who made the tables in a database.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Nobody: there are none.
    Nobody,
    /// This elfmem, at that schema version.
    Elfmem(i64),
    /// The Python elfmem, at that schema version of its own.
    PythonElfmem(i64),
    /// Some other program.
    Stranger,
}

/// Looks at the tables of an open database.
pub(crate) fn owner_of(connection: &Connection) -> Result<Owner, StoreError> {
    if schema::is_marked(connection)? {
        return schema::version_of(connection).map(Owner::Elfmem);
    }
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'", [], |row| row.get(0))
        .or_store_error()?;
    if tables == 0 {
        return Ok(Owner::Nobody);
    }
    let has = |table: &str, wanted: &[&str]| -> Result<bool, StoreError> {
        let columns = columns_of(connection, table)?;
        Ok(wanted.iter().all(|name| columns.iter().any(|column| column == name)))
    };
    let blocks = ["id", "content", "category", "status", "confidence", "decay_lambda", "last_reinforced_at"];
    let python =
        has("blocks", &blocks)? && has("block_tags", &["block_id", "tag"])? && has("system_config", &["key", "value"])?;
    if !python {
        return Ok(Owner::Stranger);
    }
    let stored: Option<String> = connection
        .query_row("SELECT value FROM system_config WHERE key = 'schema_version'", [], |row| row.get(0))
        .or_else(|error| if error == rusqlite::Error::QueryReturnedNoRows { Ok(None) } else { Err(error) })
        .or_store_error()?;
    // Before 0.13 there was no stamp; its files have the tables of the first schema.
    let version = stored.and_then(|text| text.trim().parse().ok()).unwrap_or(1);
    Ok(Owner::PythonElfmem(version))
}

/// Whether an owner's file may be used; the error says why not.
pub(crate) fn refuse_unusable(path: &Path, owner: &Owner) -> Result<(), StoreError> {
    match *owner {
        Owner::Nobody | Owner::Elfmem(..=VERSION) | Owner::PythonElfmem(..=NEWEST_PYTHON_SCHEMA) => Ok(()),
        Owner::Elfmem(found) => Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION }),
        Owner::PythonElfmem(found) => {
            Err(StoreError::Newer { path: path.to_owned(), found, known: NEWEST_PYTHON_SCHEMA })
        }
        Owner::Stranger => Err(StoreError::NotElfmem {
            path: path.to_owned(),
            reason: "it is a SQLite database with tables of another program".into(),
        }),
    }
}

/// Refuses names that SQLite does not read as a file: what was stored there would be gone with the process.
pub(crate) fn refuse_special_name(path: &Path) -> Result<(), StoreError> {
    let name = path.as_os_str().as_encoded_bytes();
    let reason = match name {
        b"" => "the path is empty",
        b":memory:" => "':memory:' names no file, and nothing stored there would last",
        _ if name.starts_with(b"file:") => "a path that begins with 'file:' is an address for SQLite; write './file:…'",
        _ => return Ok(()),
    };
    Err(StoreError::Unreachable { path: path.to_owned(), reason: reason.to_owned() })
}

/// Looks at a file without leaving a trace beside it, and refuses what must not be touched.
///
/// A write-ahead log beside the file may hold what the file itself does not show yet; then the look is left to the
/// ordinary way of opening, which reads the log first.
pub(crate) fn refuse_foreign_file(path: &Path, key: Option<&Key>, bad_rows: BadRows) -> Result<(), StoreError> {
    refuse_foreign_bytes(path, key)?;
    if is_empty(path) || !is_empty(&log_path(path)) {
        return Ok(());
    }
    let before = FileStamp::of(path);
    match refuse_unfit(path, key, bad_rows) {
        // Another process began to write, and the look ignores its log: the ordinary way of opening waits for it, and a
        // migration checks its copy of the file.
        Err(StoreError::Damaged { .. }) if FileStamp::of(path) != before || !is_empty(&log_path(path)) => Ok(()),
        result => result,
    }
}

/// When a file was written last, and how long it is.
#[derive(PartialEq, Eq)]
struct FileStamp(Option<(std::time::SystemTime, u64)>);

impl FileStamp {
    fn of(path: &Path) -> Self {
        let metadata = std::fs::metadata(path).ok();
        Self(metadata.and_then(|found| Some((found.modified().ok()?, found.len()))))
    }
}

/// Refuses a file that cannot be opened or migrated, by a look at it as if nobody wrote to it.
fn refuse_unfit(path: &Path, key: Option<&Key>, bad_rows: BadRows) -> Result<(), StoreError> {
    let look = open_immutable(path, key)?;
    let owner = owner_of(&look).map_err(|error| match error {
        StoreError::Damaged { reason } => StoreError::Damaged { reason: format!("{}: {reason}", path.display()) },
        other => other,
    })?;
    refuse_unusable(path, &owner)?;
    // What will be migrated is looked through now, while not a byte of it has been touched.
    if matches!(owner, Owner::Nobody | Owner::Elfmem(VERSION)) {
        return Ok(());
    }
    refuse_damaged(&look)?;
    match owner {
        Owner::PythonElfmem(_) if bad_rows == BadRows::Refuse => refuse_bad_rows(path, &look),
        _ => Ok(()),
    }
}

/// Opens a database to look at it. Where no log is beside it that must not leave a trace either.
///
/// # Errors
/// A file that is missing, empty or no database, or that the key does not open.
pub(crate) fn look_at(path: &Path, key: Option<&Key>) -> Result<Connection, StoreError> {
    refuse_foreign_bytes(path, key)?;
    if is_empty(path) {
        let reason = if path.exists() { "it is empty" } else { "there is no such file" };
        return Err(StoreError::Unreachable { path: path.to_owned(), reason: reason.into() });
    }
    if is_empty(&log_path(path)) {
        return open_immutable(path, key);
    }
    let look = Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|error| crate::errors::open_error(path, error))?;
    unlock(&look, key, path)?;
    Ok(look)
}

pub(crate) fn open_immutable(path: &Path, key: Option<&Key>) -> Result<Connection, StoreError> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY | rusqlite::OpenFlags::SQLITE_OPEN_URI;
    let escaped: String = path.to_string_lossy().chars().map(escaped_for_uri).collect();
    let look = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
        .map_err(|error| crate::errors::open_error(path, error))?;
    unlock(&look, key, path)?;
    Ok(look)
}

/// Whether a file is empty or missing.
pub(crate) fn is_empty(path: &Path) -> bool {
    std::fs::metadata(path).map_or(0, |found| found.len()) == 0
}

/// Refuses a database that SQLite itself finds damaged. It reads every page, so it is only asked before a migration.
pub(crate) fn refuse_damaged(connection: &Connection) -> Result<(), StoreError> {
    let verdict: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).or_store_error()?;
    if verdict == "ok" { Ok(()) } else { Err(StoreError::Damaged { reason: verdict }) }
}

fn escaped_for_uri(c: char) -> String {
    match c {
        '%' => "%25".into(),
        '?' => "%3f".into(),
        '#' => "%23".into(),
        other => other.to_string(),
    }
}
