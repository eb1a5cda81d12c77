//! The header of the file: whose it is and which schema it has. The schema itself is in [`crate::migrations`].

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;
use crate::migrations::VERSION;

/// "elfm" in the file's header (`application_id`).
const APPLICATION_ID: i64 = 0x656C_666D;

/// Marks the file as ours, with the newest schema.
pub(crate) fn stamp(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "application_id", APPLICATION_ID).or_store_error()?;
    connection.pragma_update(None, "user_version", VERSION).or_store_error()
}

/// The names of a table's columns; empty when there is no such table.
pub(crate) fn columns_of(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT name FROM pragma_table_info(?1)").or_store_error()?;
    let names = statement.query_map([table], |row| row.get(0)).or_store_error()?;
    names.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The version stamped into the file.
pub(crate) fn version_of(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached("PRAGMA user_version").or_store_error()?;
    statement.query_row([], |row| row.get(0)).or_store_error()
}

/// Refuses a file that a newer elfmem has migrated since it was opened.
///
/// Inside a transaction the answer holds until its end. The version is in the header of the file, whose page every
/// transaction reads anyway.
pub(crate) fn refuse_newer(connection: &Connection) -> Result<(), StoreError> {
    let found = version_of(connection)?;
    if found <= VERSION {
        return Ok(());
    }
    let path = connection.path().unwrap_or_default().into();
    Err(StoreError::Newer { path, found, known: VERSION })
}

/// Whether the file carries our mark.
pub(crate) fn is_marked(connection: &Connection) -> Result<bool, StoreError> {
    let mark: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).or_store_error()?;
    Ok(mark == APPLICATION_ID)
}
