//! The write-ahead log: when its pages are copied into the file, and how long it may become.
//!
//! A commit appends pages to the log, and a checkpoint copies them into the file. SQLite starts the log over only if a
//! writer begins while all of it is copied and nobody reads from it. The automatic checkpoint waits for nobody, so that
//! moment may never come while several processes are busy, and the log grows. A writer that finds the log longer than
//! [`MAX_LOG_BYTES`] therefore waits for the readers and empties it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::connection::BUSY_TIMEOUT;
use crate::errors::OrStoreError;
use crate::private_file::with_ending;
use crate::trace;

/// How many pages the log holds before a commit copies them into the file. Small writes touch the same pages again and
/// again, so copying them less often costs less, and [`Store::checkpoint`](elfmem_store::Store::checkpoint) copies them
/// when nobody waits.
pub(crate) const CHECKPOINT_PAGES: u32 = 8_000;

/// The size of a page, as SQLite chooses it.
const PAGE_BYTES: u64 = 4_096;

/// The length that the log keeps when it is started over (`journal_size_limit`).
pub(crate) const KEPT_LOG_BYTES: u64 = CHECKPOINT_PAGES as u64 * PAGE_BYTES;

/// The length of the write-ahead log above which a writer empties it.
///
/// The log can be longer by what is written in the meantime: by one transaction for each process, and by everything that
/// is written while a single read lasts, such as a backup or an export.
pub const MAX_LOG_BYTES: u64 = 2 * KEPT_LOG_BYTES;

/// How long a writer waits for readers and other writers in order to empty the log.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long one try of it waits.
const TRY: Duration = Duration::from_millis(25);

/// Keeps the log of one file short.
#[derive(Debug, Default)]
pub(crate) struct LogLimit {
    /// The length below which emptying is not tried again, after somebody read for too long.
    retry_at: AtomicU64,
}

impl LogLimit {
    /// Empties the log if it is too long. Called after a commit, which stands whether or not the log could be emptied.
    pub(crate) fn enforce(&self, connection: &Connection) {
        let Some(length) = connection.path().and_then(|path| length(&log_path(Path::new(path)))) else { return };
        if length <= MAX_LOG_BYTES || length < self.retry_at.load(Ordering::Relaxed) {
            return;
        }
        let started = Instant::now();
        let emptied = empty(connection).unwrap_or(false);
        let waited = trace::milliseconds(started.elapsed());
        match emptied {
            true => trace::log_emptied(length, waited),
            false => trace::log_kept(length, waited),
        }
        self.retry_at.store(if emptied { 0 } else { length + KEPT_LOG_BYTES }, Ordering::Relaxed);
    }
}

/// Empties the log, with a short wait for others; returns whether it is empty.
fn empty(connection: &Connection) -> Result<bool, StoreError> {
    // Most pages are copied first, which takes as long as the disk needs: the patience is for others.
    checkpoint(connection, "PASSIVE")?;
    let started = Instant::now();
    let emptied = loop {
        let left = PATIENCE.saturating_sub(started.elapsed());
        // Many short tries: within a long one SQLite looks ever more rarely, and readers come and go meanwhile. It does not wait
        // for another process that runs a checkpoint.
        connection.busy_timeout(left.min(TRY)).or_store_error()?;
        let emptied = checkpoint(connection, "TRUNCATE");
        if left.is_zero() || !matches!(emptied, Ok(false)) {
            break emptied;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    connection.busy_timeout(BUSY_TIMEOUT).or_store_error()?;
    emptied
}

/// Copies the log into the file; returns whether that was done as completely as the mode asks for.
pub(crate) fn checkpoint(connection: &Connection, mode: &str) -> Result<bool, StoreError> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let busy: i64 = connection.query_row(&sql, [], |row| row.get(0)).or_store_error()?;
    Ok(busy == 0)
}

/// Returns the path of a database's log.
pub(crate) fn log_path(database: &Path) -> PathBuf {
    with_ending(database, "-wal")
}

fn length(log: &Path) -> Option<u64> {
    Some(std::fs::metadata(log).ok()?.len())
}
