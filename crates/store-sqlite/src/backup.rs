//! Copies of a live database, made by SQLite itself and checked before anyone relies on them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use elfmem_core::Timestamp;
use elfmem_store::StoreError;
use rusqlite::Connection;
use rusqlite::backup::Backup;

/// Copies the database beside itself as `<file>.before-v<version>.<time>.bak` and verifies the copy.
pub(crate) fn before_migration(
    connection: &Connection,
    path: &Path,
    version: i64,
    now: Timestamp,
) -> Result<PathBuf, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".before-v{version}.{}.bak", now.strftime("%Y%m%d-%H%M%S")));
    let target = PathBuf::from(name);
    copy_and_verify(connection, &target).inspect_err(|_| {
        // A half-made copy is worse than none; that it cannot be removed changes nothing for the original.
        let _ = std::fs::remove_file(&target);
    })?;
    Ok(target)
}

fn copy_and_verify(connection: &Connection, target: &Path) -> Result<(), StoreError> {
    let failed = |reason: String| StoreError::Backup { reason: format!("{}: {reason}", target.display()) };
    if target.exists() {
        return Err(failed("the file exists already".into()));
    }
    let mut copy = Connection::open(target).map_err(|error| failed(error.to_string()))?;
    Backup::new(connection, &mut copy)
        .and_then(|backup| backup.run_to_completion(1024, Duration::ZERO, None))
        .map_err(|error| failed(error.to_string()))?;
    let verdict: String =
        copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(|error| failed(error.to_string()))?;
    if verdict != "ok" {
        return Err(failed(verdict));
    }
    for table in ["blocks", "block_tags", "edges", "contradictions"] {
        let sql = format!("SELECT count(*) FROM {table}");
        let count = |connection: &Connection| connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap_or(0);
        if count(connection) != count(&copy) {
            return Err(failed(format!("the copy has another number of rows in {table}")));
        }
    }
    Ok(())
}
