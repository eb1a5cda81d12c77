//! Opening connections with the pragmas of seed 003, and waiting one's turn.

use std::path::Path;
use std::time::{Duration, Instant};

use elfmem_store::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::adopt::BadRows;
use crate::errors::{OrStoreError, open_error};
use crate::identify::is_empty;
use crate::key::{Key, unlock};
use crate::private_file::create_missing;
use crate::trace;
use crate::wal::{CHECKPOINT_PAGES, KEPT_LOG_BYTES};

/// How hard a commit is pushed to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// Survives the death of the process; a power cut may take the last moments. Fast.
    #[default]
    Normal,
    /// Survives a power cut too: one flush a commit.
    Full,
}

impl Synchronous {
    fn as_pragma(self) -> &'static str {
        match self {
            Self::Normal => "NORMAL",
            Self::Full => "FULL",
        }
    }
}

/// How to open a store.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// How hard a commit is pushed to the disk.
    pub synchronous: Synchronous,
    /// How long to wait for other writers before giving up.
    pub busy_bound: Duration,
    /// Keeps the file from growing beyond so many pages, as a quota would; none for no bound.
    pub most_pages: Option<u32>,
    /// Opens a memory that is encrypted, and encrypts one that is made; none for a plain one.
    pub key: Option<Key>,
    /// What to do with rows of a Python database that cannot be read, when it is taken over.
    pub bad_rows: BadRows,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            synchronous: Synchronous::default(),
            busy_bound: Duration::from_secs(30),
            most_pages: None,
            key: None,
            bad_rows: BadRows::default(),
        }
    }
}

/// What SQLite itself waits before it reports a busy file; our own loop goes around it up to the bound.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_millis(2_000);

/// Page cache, in KiB (seed 003).
pub(crate) const CACHE_KIB: i64 = 32_000;
/// Page cache during bulk changes, in KiB.
pub(crate) const BULK_CACHE_KIB: i64 = 256_000;

/// Sets the page cache of a connection.
pub(crate) fn set_cache_size(connection: &Connection, kib: i64) -> Result<(), StoreError> {
    connection.pragma_update(None, "cache_size", -kib).or_store_error()
}

/// Opens a file. A missing one is created, readable by its owner alone.
pub(crate) fn open_file(path: &Path, options: &OpenOptions) -> Result<Connection, StoreError> {
    loop {
        let is_new = is_empty(path);
        match until_free(options.busy_bound, || open_once(path, options)) {
            // Another process made the file in between: its salt is not the one that this connection began with.
            Err(StoreError::WrongKey { .. }) if is_new => {}
            opened => return opened,
        }
    }
}

fn open_once(path: &Path, options: &OpenOptions) -> Result<Connection, StoreError> {
    create_missing(path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| open_error(path, error))?;
    #[cfg(feature = "faults")]
    let connection = {
        let mut connection = connection;
        crate::faults::install(&mut connection).or_store_error()?;
        connection
    };
    connection.busy_timeout(BUSY_TIMEOUT).or_store_error()?;
    unlock(&connection, options.key.as_ref(), path)?;
    prepare(&connection, options).map_err(|error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseBusy) => StoreError::Busy { seconds: 0 },
        Some(rusqlite::ErrorCode::NotADatabase) if options.key.is_some() => {
            StoreError::WrongKey { path: path.to_owned() }
        }
        _ => open_error(path, error),
    })?;
    Ok(connection)
}

/// Opens a database that lives as long as its connection.
pub(crate) fn open_in_memory(options: &OpenOptions) -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory().or_store_error()?;
    prepare(&connection, options).or_store_error()?;
    Ok(connection)
}

/// Sets a connection up.
pub(crate) fn prepare(connection: &Connection, options: &OpenOptions) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.pragma_update(None, "synchronous", options.synchronous.as_pragma())?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    // A log that was started over is cut to this length by the next commit.
    connection.pragma_update(None, "journal_size_limit", KEPT_LOG_BYTES as i64)?;
    // Otherwise statements over an index of two columns, or over two indexes, are planned again whenever another value is bound
    // to them: a fifth of what an outcome costs.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The only triggers are those that note what other programs write.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    // `fts5vocab` and friends read the schema they are told to; nothing in the file may run code of its own.
    connection.pragma_update(None, "trusted_schema", "OFF")?;
    if let Some(pages) = options.most_pages {
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

/// Runs `attempt` until it is no longer refused as busy, with growing random pauses, up to `bound`.
pub(crate) fn until_free<T, E>(bound: Duration, mut attempt: impl FnMut() -> Result<T, E>) -> Result<T, E>
where
    E: From<StoreError> + BusyOrNot,
{
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match attempt() {
            Err(error) if error.is_busy() => {
                let waited = started.elapsed();
                if waited >= bound {
                    trace::gave_up(trace::milliseconds(waited));
                    return Err(StoreError::Busy { seconds: bound.as_secs() }.into());
                }
                trace::busy(trace::milliseconds(waited));
                std::thread::sleep(pause.mul_f64(0.5 + fastrand::f64()));
                pause = (pause * 2).min(Duration::from_millis(100));
            }
            other => return other,
        }
    }
}

/// Whether an error means "someone else is writing".
pub(crate) trait BusyOrNot {
    /// Whether it does.
    fn is_busy(&self) -> bool;
}

impl BusyOrNot for StoreError {
    fn is_busy(&self) -> bool {
        self.is_retryable()
    }
}
