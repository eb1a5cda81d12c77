//! Copies of a live database, made by SQLite itself and checked before anyone relies on them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use elfmem_core::Timestamp;
use elfmem_store::StoreError;
use elfmem_text::phrase::counted;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use serde::Serialize;

use crate::connection::open_file;
use crate::errors::{OrStoreError, open_error};
use crate::identify::refuse_damaged;
use crate::key::{Key, unlock};
use crate::private_file::{create_private, remove_database, with_ending};
use crate::store::SqliteStore;

/// Is told how many pages are copied, and of how many.
pub type CopyProgress<'a> = &'a mut dyn FnMut(u64, u64);

/// Pages that are copied between two reports.
const PAGES: i32 = 1024;

/// What to do with a file that already exists at the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// Refuse to write.
    Refuse,
    /// Replace the file.
    Replace,
}

/// Whether an operation writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunMode {
    /// Check and write.
    Write,
    /// Check and report what would be written.
    DryRun,
}

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BackupReport {
    /// The copy.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Blocks in it, whatever their status and scope.
    pub blocks: u64,
    /// Edges in it.
    pub edges: u64,
    /// Operations in its journal.
    pub operations: u64,
    /// Whether it took the place of an older file.
    pub replaced: bool,
    /// Whether this only says what would happen.
    pub dry_run: bool,
}

impl fmt::Display for BackupReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, checked) =
            if self.dry_run { ("Would back up", "") } else { ("Backed up", ", and checked the copy") };
        let (blocks, edges) = (counted(self.blocks, "block"), counted(self.edges, "edge"));
        let operations = counted(self.operations, "operation");
        let (path, kib) = (self.path.display(), self.bytes as f64 / 1024.0);
        write!(f, "{verb} {blocks}, {edges} and {operations} to {path} ({kib:.0} KiB){checked}.")?;
        if self.replaced {
            write!(f, " The older file of that name {} replaced.", if self.dry_run { "would be" } else { "was" })?;
        }
        Ok(())
    }
}

/// How many rows each table has.
pub(crate) type RowCounts = BTreeMap<String, i64>;

/// How many of a table; none when it is missing.
pub(crate) fn count_of(counts: &RowCounts, table: &str) -> u64 {
    counts.get(table).map_or(0, |count| *count as u64)
}

/// Counts the rows of every table that keeps rows of its own.
pub(crate) fn count_rows(connection: &Connection) -> Result<RowCounts, StoreError> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
               AND sql NOT LIKE 'CREATE VIRTUAL%'";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let names = statement.query_map([], |row| row.get::<_, String>(0)).or_store_error()?;
    let mut counts = RowCounts::new();
    for name in names {
        let name = name.or_store_error()?;
        let quoted = name.replace('"', "\"\"");
        let sql = format!("SELECT count(*) FROM \"{quoted}\"");
        let count = connection.query_row(&sql, [], |row| row.get(0)).or_store_error()?;
        counts.insert(name, count);
    }
    Ok(counts)
}

/// Copies every page. The copy takes the place of whatever `copy` held, all or nothing.
pub(crate) fn copy_pages(source: &Connection, copy: &mut Connection, tell: CopyProgress<'_>) -> rusqlite::Result<()> {
    let backup = Backup::new(source, copy)?;
    loop {
        #[cfg(feature = "faults")]
        crate::faults::copy_piece()?;
        let step = backup.step(PAGES)?;
        let progress = backup.progress();
        let (all, left) = (progress.pagecount.max(0) as u64, progress.remaining.max(0) as u64);
        tell(all.saturating_sub(left), all);
        match step {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Copies a database into a new file and checks the copy against it; what is in it. A half-made copy is removed. The copy of an
/// encrypted database is encrypted with the same key.
pub(crate) fn copy_and_verify(
    source: &Connection,
    target: &Path,
    key: Option<&Key>,
    tell: CopyProgress<'_>,
) -> Result<RowCounts, StoreError> {
    let failed = |reason: String| StoreError::Backup { reason: format!("{}: {reason}", target.display()) };
    if target.exists() {
        return Err(StoreError::Exists { path: target.to_owned() });
    }
    let open = || -> Result<Connection, StoreError> {
        #[cfg_attr(not(feature = "faults"), expect(unused_mut, reason = "only faults change it"))]
        let mut copy = Connection::open(target).map_err(|error| failed(error.to_string()))?;
        #[cfg(feature = "faults")]
        crate::faults::install(&mut copy).or_store_error()?;
        unlock(&copy, key, target)?;
        Ok(copy)
    };
    let mut copied = || -> Result<RowCounts, StoreError> {
        create_private(target).map_err(|error| failed(error.to_string()))?;
        let mut copy = open()?;
        copy_pages(source, &mut copy, tell).map_err(|error| failed(error.to_string()))?;
        // One file that can be read from anywhere, without a log beside it.
        copy.pragma_update(None, "journal_mode", "DELETE").map_err(|error| failed(error.to_string()))?;
        drop(copy);
        // Opened anew, so that the file is checked and not what the connection remembers of it.
        let copy = open()?;
        let mode: String =
            copy.query_row("PRAGMA journal_mode", [], |row| row.get(0)).map_err(|error| failed(error.to_string()))?;
        if mode != "delete" {
            return Err(failed(format!("the copy needs a log beside it (journal mode {mode})")));
        }
        refuse_damaged(&copy).map_err(|error| failed(error.to_string()))?;
        let counts = count_rows(&copy)?;
        if counts != count_rows(source)? {
            return Err(failed("the copy has another number of rows".into()));
        }
        Ok(counts)
    };
    copied().inspect_err(|_| {
        // A half-made copy is worse than none; that it cannot be removed changes nothing for the original.
        remove_database(target);
    })
}

/// The name of a copy beside a file, with what it is for and when it was made.
pub(crate) fn beside(path: &Path, what: &str, now: Timestamp) -> PathBuf {
    with_ending(path, format!(".{what}.{}.bak", now.strftime("%Y%m%d-%H%M%S")))
}

/// The name of a copy beside a file, as [`beside`] gives it, numbered where such a file exists.
pub(crate) fn free_name(path: &Path, what: &str, now: Timestamp) -> PathBuf {
    let numbered = |number: u32| beside(path, &format!("{what}-{number}"), now);
    let mut names = std::iter::once(beside(path, what, now)).chain((2..).map(numbered));
    names.find(|name| !name.exists()).unwrap_or_else(|| numbered(0))
}

/// A name beside a file for what is not finished yet.
pub(crate) fn partial(path: &Path) -> PathBuf {
    with_ending(path, ".partial")
}

/// Copies the database beside itself as `<file>.before-v<version>.<time>.bak` and verifies the copy.
///
/// It is read through a connection of its own, because SQLite does not copy from one that holds the write lock.
pub(crate) fn before_migration(
    path: &Path,
    key: Option<&Key>,
    version: i64,
    now: Timestamp,
) -> Result<PathBuf, StoreError> {
    let source =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(|error| open_error(path, error))?;
    unlock(&source, key, path)?;
    let target = free_name(path, &format!("before-v{version}"), now);
    copy_and_verify(&source, &target, key, &mut |_, _| {})?;
    Ok(target)
}

impl SqliteStore {
    /// Copies the memory into a file while others go on using it, and checks the copy: SQLite's own check of every page, and
    /// the rows of every table counted. The file appears only when all of that is done, readable by its owner alone.
    ///
    /// A file that exists at the target is replaced with [`Overwrite::Replace`]. With [`RunMode::DryRun`] the memory is checked and
    /// nothing is written.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when there is such a file, [`StoreError::Backup`] when the copy cannot be made or is not good,
    /// [`StoreError::Damaged`] when the memory itself is not.
    pub fn backup(
        &self,
        target: &Path,
        overwrite: Overwrite,
        mode: RunMode,
        tell: CopyProgress<'_>,
    ) -> Result<BackupReport, StoreError> {
        let replaced = target.exists();
        if self.path().is_some_and(|path| is_same_file(path, target)) {
            let reason = format!("{} is the memory itself", target.display());
            return Err(StoreError::Backup { reason });
        }
        if replaced && (overwrite == Overwrite::Refuse || target.is_dir()) {
            return Err(StoreError::Exists { path: target.to_owned() });
        }
        let mut copied = |connection: &mut Connection| -> Result<(RowCounts, u64), StoreError> {
            // One state for the copy and for the counts that it is compared with, whatever others write meanwhile.
            let state = connection.transaction_with_behavior(TransactionBehavior::Deferred).or_store_error()?;
            let counts = count_rows(&state)?;
            refuse_damaged(&state)?;
            if mode == RunMode::DryRun {
                return Ok((counts, size_of(&state)?));
            }
            let unfinished = partial(target);
            // What an interrupted backup left behind.
            remove_database(&unfinished);
            copy_and_verify(&state, &unfinished, self.options().key.as_ref(), tell)?;
            let bytes = put_in_place(&unfinished, target)?;
            Ok((counts, bytes))
        };
        let (counts, bytes) = match self.path() {
            Some(path) => copied(&mut open_file(path, self.options())?)?,
            None => self.pool().reading(copied)?,
        };
        Ok(BackupReport {
            path: target.to_owned(),
            bytes,
            blocks: count_of(&counts, "blocks"),
            edges: count_of(&counts, "edges"),
            operations: count_of(&counts, "journal"),
            replaced,
            dry_run: mode == RunMode::DryRun,
        })
    }
}

/// Gives a finished file its name; its size.
pub(crate) fn put_in_place(unfinished: &Path, target: &Path) -> Result<u64, StoreError> {
    let placed = || -> std::io::Result<u64> {
        let file = std::fs::File::open(unfinished)?;
        file.sync_all()?;
        let bytes = file.metadata()?.len();
        std::fs::rename(unfinished, target)?;
        Ok(bytes)
    };
    placed().map_err(|error| {
        remove_database(unfinished);
        StoreError::Backup { reason: format!("{}: {error}", target.display()) }
    })
}

/// How large the file of a connection is, by its pages.
pub(crate) fn size_of(connection: &Connection) -> Result<u64, StoreError> {
    // SQLCipher tells the size of its pages as a text.
    let number = |name| {
        let sql = format!("SELECT CAST({name} AS INTEGER) FROM pragma_{name}");
        connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).or_store_error()
    };
    Ok((number("page_count")? * number("page_size")?).max(0) as u64)
}

/// Whether two paths lead to one file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
