//! The store: a few connections, one way in for changes.

use std::path::Path;
use std::sync::Mutex;

use elfmem_core::{OperationKind, ScopeView, Timestamp};
use elfmem_store::{
    CheckProgress, Digest, Finding, JournalHeader, ReadSettings, Snapshot, Store, StoreError, Transaction,
    WriteJournal, WriteSettings,
};
use rusqlite::{Connection, TransactionBehavior};

use crate::connection::{
    BusyOrNot, CACHE_KIB, OpenOptions, open_file, open_in_memory, prepare, set_cache_size, until_free,
};
use crate::errors::OrStoreError;
use crate::identify::{Owner, owner_of, refuse_damaged, refuse_foreign_file, refuse_special_name, refuse_unusable};
use crate::key::Key;
use crate::migrations::SearchTables;
use crate::pool::Pool;
use crate::transaction::SqliteTransaction;
use crate::wal::{LogLimit, checkpoint};
use crate::{adopt, backup, digest, examine, migrations, schema, search};

/// A memory in one SQLite file, or in memory for tests.
#[derive(Debug)]
pub struct SqliteStore {
    pool: Pool,
    options: OpenOptions,
    log_limit: LogLimit,
}

impl SqliteStore {
    /// Opens a memory, making it when it is missing. `now` names a backup and dates what is seeded.
    ///
    /// A database of the Python elfmem 0.15 is taken over in place, after a verified backup beside it.
    ///
    /// # Errors
    /// A file that is not ours, newer than this code or damaged is refused and left as it was; so is an encrypted one without its key,
    /// and a plain one with a key.
    pub fn open(path: impl AsRef<Path>, options: OpenOptions, now: Timestamp) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let key = options.key.as_ref();
        refuse_special_name(path)?;
        refuse_foreign_file(path, key)?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| StoreError::Unreachable { path: path.to_owned(), reason: error.to_string() })?;
        }
        let mut writer = open_file(path, &options)?;
        until_free(options.busy_bound, || make_ready(&mut writer, Some((path, key)), now))?;
        Ok(Self { pool: Pool::of_file(path, options.clone(), writer), options, log_limit: LogLimit::default() })
    }

    /// A memory that lives as long as this value.
    pub fn in_memory(now: Timestamp) -> Result<Self, StoreError> {
        let options = OpenOptions::default();
        let mut writer = open_in_memory(&options)?;
        make_ready(&mut writer, None, now)?;
        Ok(Self { pool: Pool::Memory(Mutex::new(writer)), options, log_limit: LogLimit::default() })
    }

    /// The file, if there is one.
    pub fn path(&self) -> Option<&Path> {
        self.pool.path()
    }

    /// What a pragma of a connection says, for checks.
    pub fn pragma(&self, name: &str) -> Result<String, StoreError> {
        let value = self.pool.reading(|connection| {
            connection.pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0)).or_store_error()
        });
        Ok(match value? {
            rusqlite::types::Value::Integer(number) => number.to_string(),
            rusqlite::types::Value::Text(text) => text,
            other => format!("{other:?}"),
        })
    }

    /// A memory in a database that nobody else has, brought up to date.
    pub(crate) fn over_copy(mut copy: Connection, options: OpenOptions, now: Timestamp) -> Result<Self, StoreError> {
        prepare(&copy, &options).or_store_error()?;
        make_ready(&mut copy, None, now)?;
        Ok(Self { pool: Pool::Memory(Mutex::new(copy)), options, log_limit: LogLimit::default() })
    }

    pub(crate) fn options(&self) -> &OpenOptions {
        &self.options
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }
}

/// Makes the tables of a new file, takes over an old one, and leaves a current one alone.
fn make_ready(
    connection: &mut Connection,
    file: Option<(&Path, Option<&Key>)>,
    now: Timestamp,
) -> Result<(), StoreError> {
    // One consistent look: another process may be making the tables at this very moment.
    let look = connection.transaction_with_behavior(TransactionBehavior::Deferred).or_store_error()?;
    let owner = owner_of(&look)?;
    drop(look);
    refuse_unusable(shown(file), &owner)?;
    if owner == Owner::Elfmem(migrations::VERSION) {
        return Ok(());
    }
    migrations::without_foreign_keys(connection, |connection| migrate(connection, file, now))
}

/// The path that errors name.
fn shown<'a>(file: Option<(&'a Path, Option<&Key>)>) -> &'a Path {
    file.map_or(Path::new(":memory:"), |(path, _)| path)
}

/// Backs up an older file, runs the migrations, converts and seeds the rows, and appends a journal row: in one transaction.
fn migrate(connection: &mut Connection, file: Option<(&Path, Option<&Key>)>, now: Timestamp) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).or_store_error()?;
    // Another process may have done all of this while this one waited for the write lock.
    let owner = owner_of(&transaction)?;
    refuse_unusable(shown(file), &owner)?;
    if owner == Owner::Elfmem(migrations::VERSION) {
        return Ok(());
    }
    if owner != Owner::Nobody {
        refuse_damaged(&transaction)?;
        if let Some((path, key)) = file {
            backup::before_migration(path, key, migrations::VERSION, now)?;
        }
    }
    let from = if let Owner::Elfmem(version) = owner { version } else { 0 };
    let searched = migrations::run(&transaction, from)?;
    schema::stamp(&transaction)?;
    let mut session = SqliteTransaction::new(&transaction, &ScopeView::default());
    let (operation, summary) = match owner {
        Owner::PythonElfmem(version) => {
            adopt::convert_rows(&mut session, now)?;
            (OperationKind::Adopt, format!("Took over a database of the Python elfmem (schema {version})."))
        }
        Owner::Elfmem(version) => {
            if searched == SearchTables::Emptied {
                search::rebuild(&transaction)?;
            }
            session.seed_builtin_data(now)?;
            (OperationKind::Migrate, format!("Brought the memory from schema {version} to {}.", migrations::VERSION))
        }
        Owner::Nobody | Owner::Stranger => {
            session.seed_builtin_data(now)?;
            (OperationKind::Create, "Created an empty memory.".to_owned())
        }
    };
    let active_hours = session.get_total_active_hours()?;
    let actor = "elfmem".to_owned();
    session.describe(JournalHeader { at: now, active_hours, session: None, actor, operation, summary });
    session.finish()?;
    transaction.commit().or_store_error()
}

impl Store for SqliteStore {
    fn read<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnOnce(&dyn Snapshot) -> Result<T, E>,
        E: From<StoreError>,
    {
        self.pool.reading(|connection| read_with(connection, view, work))
    }

    fn write<T, E, F>(&self, view: &ScopeView, mut work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> Result<T, E>,
        E: From<StoreError>,
    {
        let bound = self.options.busy_bound;
        let outcome = self.pool.writing(|connection| {
            let value = until_free(bound, || write_once(connection, view, &mut work))?;
            self.log_limit.enforce(connection);
            Ok(value)
        });
        outcome.map_err(Attempt::into_error)
    }

    fn checkpoint(&self) -> Result<(), StoreError> {
        // Passively: what others still read stays in the log, and nobody is waited for.
        self.pool.writing(|connection| checkpoint(connection, "PASSIVE").map(drop))
    }

    fn scrub(&self) -> Result<bool, StoreError> {
        self.pool.writing(|connection| until_free(self.options.busy_bound, || scrub(connection)))
    }

    fn examine(&self, view: &ScopeView, watch: CheckProgress<'_>) -> Result<Vec<Finding>, StoreError> {
        self.pool.writing(|connection| examine::examine(connection, view, watch))
    }

    fn repair(&self, view: &ScopeView, header: &JournalHeader) -> Result<(), StoreError> {
        let bound = self.options.busy_bound;
        self.pool.writing(|connection| until_free(bound, || examine::repair(connection, view, header)))
    }

    fn digest(&self) -> Result<Digest, StoreError> {
        self.pool.reading(digest::digest)
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        self.pool.reading(|connection| backup::size_of(connection))
    }

    fn location(&self) -> String {
        self.path().map_or_else(|| ":memory:".to_owned(), |path| path.display().to_string())
    }
}

/// Writes the file anew, so that no page of it holds anything that was removed, and empties the log, which held the old pages.
/// Whether the log is empty: a reader of an older state keeps it.
fn scrub(connection: &mut Connection) -> Result<bool, StoreError> {
    // Removed words stay in the segments of the full-text index until those are merged.
    connection
        .execute_batch("INSERT INTO search_terms (search_terms) VALUES ('optimize'); VACUUM;")
        .or_store_error()?;
    checkpoint(connection, "TRUNCATE")
}

/// Runs `work` on one consistent state.
fn read_with<T, E, F>(connection: &mut Connection, view: &ScopeView, work: F) -> Result<T, E>
where
    F: FnOnce(&dyn Snapshot) -> Result<T, E>,
    E: From<StoreError>,
{
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Deferred).or_store_error()?;
    work(&SqliteTransaction::new(&transaction, view))
}

/// A failed attempt to write: the store's own doing, which may be tried again, or the work's.
enum Attempt<E> {
    Store(StoreError),
    Work(E),
}

impl<E: From<StoreError>> Attempt<E> {
    fn into_error(self) -> E {
        match self {
            Self::Store(error) => error.into(),
            Self::Work(error) => error,
        }
    }
}

impl<E> From<StoreError> for Attempt<E> {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl<E> BusyOrNot for Attempt<E> {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_retryable())
    }
}

/// One attempt: take the write lock, work, append the journal row, commit. Anything short of that leaves no trace.
fn write_once<T, E>(
    connection: &mut Connection,
    view: &ScopeView,
    work: &mut dyn FnMut(&mut dyn Transaction) -> Result<T, E>,
) -> Result<T, Attempt<E>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).or_store_error()?;
    let mut open = SqliteTransaction::new(&transaction, view);
    let worked = work(&mut open).map_err(Attempt::Work);
    let has_large_cache = open.has_large_cache;
    let finished = worked.and_then(|value| Ok((value, open.finish()?)));
    let ended = match finished {
        Ok((value, ())) => transaction.commit().or_store_error().map(|()| value).map_err(Attempt::Store),
        Err(error) => {
            // Dropping it rolls back, also where SQLite has done so already.
            drop(transaction);
            Err(error)
        }
    };
    if has_large_cache {
        // What was committed is committed, whether or not the room could be given back.
        let _ = set_cache_size(connection, CACHE_KIB);
    }
    ended
}
