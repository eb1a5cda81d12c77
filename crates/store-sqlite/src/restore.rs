//! Going back to a backup, with the present memory kept aside.

use std::fmt;
use std::path::{Path, PathBuf};

use elfmem_core::Timestamp;
use elfmem_store::StoreError;
use elfmem_text::phrase::counted;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use serde::Serialize;

use crate::backup::{
    CopyProgress, RowCounts, RunMode, copy_and_verify, copy_pages, count_of, count_rows, free_name, is_same_file,
    partial, put_in_place,
};
use crate::errors::{OrStoreError, open_error};
use crate::identify::{Owner, look_at, owner_of, refuse_damaged, refuse_foreign_bytes, refuse_unusable};
use crate::key::{Key, unlock};
use crate::position;
use crate::private_file::{remove_database, with_ending};

/// What going back to a backup did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RestoreReport {
    /// The memory.
    pub path: PathBuf,
    /// The backup it is now a copy of.
    pub backup: PathBuf,
    /// Blocks in it, whatever their status and scope.
    pub blocks: u64,
    /// Edges in it.
    pub edges: u64,
    /// Blocks in the memory before; none when there was no memory or it could not be read.
    pub blocks_before: Option<u64>,
    /// Where the memory that was there is kept; none when there was none.
    pub kept: Option<PathBuf>,
    /// Whether this only says what would happen.
    pub dry_run: bool,
}

impl fmt::Display for RestoreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.dry_run { "Would restore" } else { "Restored" };
        let (blocks, edges) = (counted(self.blocks, "block"), counted(self.edges, "edge"));
        write!(f, "{verb} {blocks} and {edges} from {}.", self.backup.display())?;
        let Some(kept) = &self.kept else { return Ok(()) };
        let held = match self.blocks_before {
            Some(blocks) => format!("What was there ({})", counted(blocks, "block")),
            None => "What was there, which could not be read,".to_owned(),
        };
        write!(f, " {held} {} kept as {}.", if self.dry_run { "would be" } else { "is" }, kept.display())
    }
}

/// What is where the memory should be.
enum Present {
    /// Nothing.
    Missing,
    /// A memory.
    Intact(u64),
    /// What was one and can no longer be read.
    Damaged,
}

/// Makes the memory at `path` a copy of a backup. The backup is checked first; the memory that is there is copied aside, checked,
/// and nobody else may have it open: what another process wrote after that copy would be lost. With [`RunMode::DryRun`] nothing is written.
/// Both are encrypted with the `key`, or neither is and there is none.
///
/// # Errors
/// A backup that is missing, damaged or no memory; [`StoreError::InUse`] while another process has the memory open; a file in the
/// memory's place that is not one. Nothing was changed.
pub fn restore(
    path: &Path,
    backup: &Path,
    key: Option<&Key>,
    now: Timestamp,
    mode: RunMode,
    tell: CopyProgress<'_>,
) -> Result<RestoreReport, StoreError> {
    let (source, counts) = open_backup(path, backup, key)?;
    let present = look_at_present(path, key)?;
    let kept = match present {
        Present::Missing => None,
        Present::Intact(_) | Present::Damaged => Some(free_name(path, "before-restore", now)),
    };
    if mode == RunMode::Write {
        match (&present, &kept) {
            (Present::Intact(_), Some(kept)) => overwrite((path, key), kept, &source, &counts, tell)?,
            (Present::Damaged, Some(kept)) => replace((path, key), kept, &source, tell)?,
            _ => install((path, key), &source, tell)?,
        }
        // The operations since the backup are missing on purpose.
        position::forget(path);
    }
    let blocks_before = match present {
        Present::Intact(blocks) => Some(blocks),
        Present::Missing | Present::Damaged => None,
    };
    Ok(RestoreReport {
        path: path.to_owned(),
        backup: backup.to_owned(),
        blocks: count_of(&counts, "blocks"),
        edges: count_of(&counts, "edges"),
        blocks_before,
        kept,
        dry_run: mode == RunMode::DryRun,
    })
}

/// A backup that can be relied on.
fn open_backup(path: &Path, backup: &Path, key: Option<&Key>) -> Result<(Connection, RowCounts), StoreError> {
    let not_a_memory = |reason: &str| StoreError::NotElfmem { path: backup.to_owned(), reason: reason.to_owned() };
    if is_same_file(path, backup) {
        return Err(StoreError::Backup { reason: format!("{} is the memory itself", backup.display()) });
    }
    let source = look_at(backup, key)?;
    let owner = owner_of(&source)?;
    refuse_unusable(backup, &owner)?;
    if owner == Owner::Nobody {
        return Err(not_a_memory("it has no tables"));
    }
    refuse_damaged(&source)?;
    let counts = count_rows(&source)?;
    Ok((source, counts))
}

fn look_at_present(path: &Path, key: Option<&Key>) -> Result<Present, StoreError> {
    if std::fs::metadata(path).map_or(0, |found| found.len()) == 0 {
        return Ok(Present::Missing);
    }
    refuse_foreign_bytes(path, key)?;
    let looked = || -> Result<Present, StoreError> {
        let present = look_at(path, key)?;
        refuse_unusable(path, &owner_of(&present)?)?;
        refuse_damaged(&present)?;
        Ok(Present::Intact(count_of(&count_rows(&present)?, "blocks")))
    };
    match looked() {
        Err(StoreError::Damaged { .. }) => Ok(Present::Damaged),
        other => other,
    }
}

/// Copies the memory aside and puts the backup's pages into the very same file, so that nobody can go on with the old one.
fn overwrite(
    (path, key): (&Path, Option<&Key>),
    kept: &Path,
    source: &Connection,
    counts: &RowCounts,
    tell: CopyProgress<'_>,
) -> Result<(), StoreError> {
    let mut present = open_alone(path, key)?;
    copy_and_verify(&present, kept, key, &mut |_, _| {})?;
    let failed = |reason: String| StoreError::Backup { reason: format!("{}: {reason}", path.display()) };
    let restored =
        copy_pages(source, &mut present, tell)
            .map_err(|error| failed(error.to_string()))
            .and_then(|()| refuse_damaged(&present))
            .and_then(|()| count_rows(&present))
            .and_then(|found| {
                if found == *counts { Ok(()) } else { Err(failed("the copy has another number of rows".into())) }
            });
    restored.inspect_err(|_| {
        // The memory that was there goes back to its place; its copy stays, whatever comes of that.
        if let Ok(before) = look_at(kept, key) {
            let _ = copy_pages(&before, &mut present, &mut |_, _| {});
        }
    })
}

/// Opens the memory so that nobody else has it open, or can open it, until this connection goes.
fn open_alone(path: &Path, key: Option<&Key>) -> Result<Connection, StoreError> {
    let in_use = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::InUse { path: path.to_owned() },
        _ => open_error(path, error),
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let present = Connection::open_with_flags(path, flags).map_err(|error| open_error(path, error))?;
    present.busy_timeout(std::time::Duration::from_millis(500)).or_store_error()?;
    unlock(&present, key, path)?;
    present.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(in_use)?;
    // Leaving the write-ahead log needs the file for oneself: anyone else's open connection prevents it.
    let mode: String = present.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0)).map_err(in_use)?;
    if mode != "delete" {
        return Err(StoreError::InUse { path: path.to_owned() });
    }
    present.execute_batch("BEGIN EXCLUSIVE; COMMIT;").map_err(in_use)?;
    Ok(present)
}

/// Moves what cannot be read aside, its log too, and puts the backup in its place.
fn replace(
    (path, key): (&Path, Option<&Key>),
    kept: &Path,
    source: &Connection,
    tell: CopyProgress<'_>,
) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::Backup { reason: format!("{}: {error}", kept.display()) };
    let unfinished = partial(path);
    remove_database(&unfinished);
    copy_and_verify(source, &unfinished, key, tell)?;
    let moved = |from: &Path, to: &Path| match std::fs::rename(from, to) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    };
    for ending in ["-wal", "-shm", ""] {
        moved(&with_ending(path, ending), &with_ending(kept, ending)).map_err(failed)?;
    }
    put_in_place(&unfinished, path).map(drop)
}

/// Puts a copy of the backup where nothing is.
fn install((path, key): (&Path, Option<&Key>), source: &Connection, tell: CopyProgress<'_>) -> Result<(), StoreError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| StoreError::Unreachable { path: path.to_owned(), reason: error.to_string() })?;
    }
    let unfinished = partial(path);
    remove_database(&unfinished);
    copy_and_verify(source, &unfinished, key, tell)?;
    put_in_place(&unfinished, path).map(drop)
}
