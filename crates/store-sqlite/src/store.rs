//! The store: a few connections, one way in for changes.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use elfmem_core::{OperationKind, ScopeView, Timestamp};
use elfmem_store::{
    CheckProgress, Digest, Finding, JournalHeader, LeftBehind, ReadSettings, Snapshot, Store, StoreError, Transaction,
    WriteJournal, WriteSettings,
};
use rusqlite::{Connection, TransactionBehavior};

use crate::adopt::{Adoption, BadRows, refuse_bad_rows};
use crate::connection::{
    BusyOrNot, CACHE_KIB, OpenOptions, open_file, open_in_memory, prepare, set_cache_size, until_free,
};
use crate::errors::OrStoreError;
use crate::identify::{Owner, owner_of, refuse_damaged, refuse_foreign_file, refuse_special_name, refuse_unusable};
use crate::key::Key;
use crate::migrations::SearchTables;
use crate::pool::Pool;
use crate::position::{LostOperations, PositionFile};
use crate::transaction::SqliteTransaction;
use crate::wal::{LogLimit, checkpoint};
use crate::{adopt, backup, digest, examine, migrations, schema, search};

/// A memory in one SQLite file, or in memory for tests.
#[derive(Debug)]
pub struct SqliteStore {
    pool: Pool,
    options: OpenOptions,
    log_limit: LogLimit,
    position: PositionFile,
    opening: Opening,
}

/// What opening a file did beside opening it.
#[derive(Debug, Default)]
struct Opening {
    adoption: Option<Adoption>,
    /// What another program wrote, in a sentence.
    found_outside: Option<String>,
    /// Operations that were acknowledged and are missing.
    loss: Option<LostOperations>,
}

impl SqliteStore {
    /// Opens a memory, making it when it is missing. `now` names a backup and dates what is seeded.
    ///
    /// A database of the Python elfmem (0.15 to 0.20) is taken over in place, after a verified backup beside it;
    /// [`notices`](Self::notices) tells of it.
    ///
    /// # Errors
    /// A file that is not ours, newer than this code or damaged is refused and left as it was; so is an encrypted one without its key,
    /// and a plain one with a key.
    pub fn open(path: impl AsRef<Path>, options: OpenOptions, now: Timestamp) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let key = options.key.as_ref();
        Self::check_path(path)?;
        refuse_foreign_file(path, key, options.bad_rows)?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| StoreError::Unreachable { path: path.to_owned(), reason: error.to_string() })?;
        }
        let mut writer = open_file(path, &options)?;
        let mut opening =
            until_free(options.busy_bound, || make_ready(&mut writer, Some((path, key)), options.bad_rows, now))?;
        let position = PositionFile::beside(path);
        opening.loss = position.find_loss(&writer)?;
        let pool = Pool::of_file(path, options.clone(), writer);
        Ok(Self { pool, options, log_limit: LogLimit::default(), position, opening })
    }

    /// Checks whether a path can name a memory, without looking at the file.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`] for names that SQLite does not read as a file, such as `:memory:`.
    pub fn check_path(path: &Path) -> Result<(), StoreError> {
        refuse_special_name(path)
    }

    /// A memory that lives as long as this value.
    pub fn in_memory(now: Timestamp) -> Result<Self, StoreError> {
        let options = OpenOptions::default();
        let mut writer = open_in_memory(&options)?;
        let opening = make_ready(&mut writer, None, options.bad_rows, now)?;
        Ok(Self::over_connection(writer, options, opening))
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
        let opening = make_ready(&mut copy, None, options.bad_rows, now)?;
        Ok(Self::over_connection(copy, options, opening))
    }

    /// A memory that lives in one connection.
    fn over_connection(connection: Connection, options: OpenOptions, opening: Opening) -> Self {
        let (log_limit, position) = (LogLimit::default(), PositionFile::default());
        Self { pool: Pool::Memory(Mutex::new(connection)), options, log_limit, position, opening }
    }

    /// How this opening took over a database of the Python elfmem; none if it did not.
    pub fn adoption(&self) -> Option<&Adoption> {
        self.opening.adoption.as_ref()
    }

    /// How the file was once taken over, by this opening or an earlier one; none for a file that was always ours.
    ///
    /// # Errors
    /// Those of reading.
    pub fn past_adoption(&self) -> Result<Option<Adoption>, StoreError> {
        self.pool.reading(|connection| {
            let look = connection.transaction_with_behavior(TransactionBehavior::Deferred).or_store_error()?;
            adopt::adoption_of(&SqliteTransaction::new(&look, &ScopeView::default()))
        })
    }

    /// What people should know of this opening: that a database was taken over, that another program wrote to it, or that
    /// operations are missing that were acknowledged.
    pub fn notices(&self) -> Vec<String> {
        let Opening { adoption, found_outside, loss } = &self.opening;
        let adopted = adoption.iter().map(ToString::to_string);
        let lost = loss.iter().map(|loss| format!("The memory has lost operations: {loss}."));
        adopted.chain(found_outside.iter().cloned()).chain(lost).collect()
    }

    /// Records the newest operation in the position file. What was written stands, whether or not that succeeds.
    fn record_position(&self) {
        let _ = self.pool.reading(|connection| -> Result<(), StoreError> {
            self.position.record(connection);
            Ok(())
        });
    }

    pub(crate) fn options(&self) -> &OpenOptions {
        &self.options
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }
}

/// Makes the tables of a new file, takes over an old one, and leaves a current one alone, unless another program wrote
/// to it.
fn make_ready(
    connection: &mut Connection,
    file: Option<(&Path, Option<&Key>)>,
    bad_rows: BadRows,
    now: Timestamp,
) -> Result<Opening, StoreError> {
    // One consistent look: another process may be making the tables at this very moment.
    let look = connection.transaction_with_behavior(TransactionBehavior::Deferred).or_store_error()?;
    let owner = owner_of(&look)?;
    refuse_unusable(shown(file), &owner)?;
    let is_current = owner == Owner::Elfmem(migrations::VERSION);
    if is_current && !adopt::is_written_outside(&look)? {
        return Ok(Opening::default());
    }
    drop(look);
    match is_current {
        true => take_in(connection, now),
        false => migrations::without_foreign_keys(connection, |connection| migrate(connection, file, bad_rows, now)),
    }
}

/// The path that errors name.
fn shown<'a>(file: Option<(&'a Path, Option<&Key>)>) -> &'a Path {
    file.map_or(Path::new(":memory:"), |(path, _)| path)
}

/// Takes in what another program wrote, unless another process does it first.
fn take_in(connection: &mut Connection, now: Timestamp) -> Result<Opening, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).or_store_error()?;
    if !adopt::is_written_outside(&transaction)? {
        return Ok(Opening::default());
    }
    let mut session = SqliteTransaction::new(&transaction, &ScopeView::default());
    let found_outside = match adopt::take_in(&mut session, now) {
        Ok(changes) => {
            session.finish()?;
            transaction.commit().or_store_error()?;
            changes.to_string()
        }
        // A memory with an odd row is still a memory: verify names the row, and what was written waits.
        Err(StoreError::Driver { source }) => {
            format!("Another program wrote to the memory what cannot be read ({source}). Run elfmem verify.")
        }
        Err(error) => return Err(error),
    };
    Ok(Opening { found_outside: Some(found_outside), ..Opening::default() })
}

/// Backs up an older file, runs the migrations, converts and seeds the rows, and appends a journal row: in one
/// transaction. The backup of a file that could not be migrated is removed.
fn migrate(
    connection: &mut Connection,
    file: Option<(&Path, Option<&Key>)>,
    bad_rows: BadRows,
    now: Timestamp,
) -> Result<Opening, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).or_store_error()?;
    // Another process may have done all of this while this one waited for the write lock.
    let owner = owner_of(&transaction)?;
    refuse_unusable(shown(file), &owner)?;
    if owner == Owner::Elfmem(migrations::VERSION) {
        return Ok(Opening::default());
    }
    let mut copy = None;
    if owner != Owner::Nobody {
        refuse_damaged(&transaction)?;
        if matches!(owner, Owner::PythonElfmem(_)) && bad_rows == BadRows::Refuse {
            refuse_bad_rows(shown(file), &transaction)?;
        }
        if let Some((path, key)) = file {
            copy = Some(backup::before_migration(path, key, migrations::VERSION, now)?);
        }
    }
    let migrated = convert(&transaction, &owner, bad_rows, copy.clone(), now)
        .and_then(|opening| transaction.commit().or_store_error().map(|()| opening));
    if let (Err(_), Some(copy)) = (&migrated, copy) {
        // The file is as it was, so the copy is of no use.
        let _ = std::fs::remove_file(copy);
    }
    migrated
}

fn convert(
    connection: &Connection,
    owner: &Owner,
    bad_rows: BadRows,
    backup: Option<PathBuf>,
    now: Timestamp,
) -> Result<Opening, StoreError> {
    let mut adoption = match owner {
        Owner::PythonElfmem(version) => {
            Some(Adoption { backup, ..adopt::before_migration(connection, *version, bad_rows)? })
        }
        _ => None,
    };
    let from = if let Owner::Elfmem(version) = owner { *version } else { 0 };
    let searched = migrations::run(connection, from)?;
    schema::stamp(connection)?;
    let mut session = SqliteTransaction::new(connection, &ScopeView::default());
    let (operation, summary) = match (owner, &mut adoption) {
        (_, Some(adoption)) => {
            adopt::after_migration(&mut session, adoption, now)?;
            (OperationKind::Adopt, adoption.summary())
        }
        (Owner::Elfmem(version), _) => {
            if searched == SearchTables::Emptied {
                search::rebuild(connection)?;
            }
            session.seed_builtin_data(now)?;
            // Triggers go with tables that a migration replaces.
            if adopt::adoption_of(&session)?.is_some() {
                adopt::watch(connection)?;
            }
            (OperationKind::Migrate, format!("Brought the memory from schema {version} to {}.", migrations::VERSION))
        }
        _ => {
            session.seed_builtin_data(now)?;
            (OperationKind::Create, "Created an empty memory.".to_owned())
        }
    };
    let active_hours = session.get_total_active_hours()?;
    let actor = "elfmem".to_owned();
    session.describe(JournalHeader { at: now, active_hours, session: None, actor, operation, summary });
    session.finish()?;
    Ok(Opening { adoption, ..Opening::default() })
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
        if outcome.is_ok() && self.position.count_write() {
            self.record_position();
        }
        outcome.map_err(WriteError::into_error)
    }

    fn checkpoint(&self) -> Result<(), StoreError> {
        if self.position.is_behind() {
            self.record_position();
        }
        // Passively: what others still read stays in the log, and nobody is waited for.
        self.pool.writing(|connection| checkpoint(connection, "PASSIVE").map(drop))
    }

    fn scrub(&self) -> Result<bool, StoreError> {
        self.pool.writing(|connection| until_free(self.options.busy_bound, || scrub(connection)))
    }

    fn give_back_room(&self) -> Result<bool, StoreError> {
        self.pool.writing(|connection| until_free(self.options.busy_bound, || give_back_room(connection)))
    }

    fn examine(&self, view: &ScopeView, watch: CheckProgress<'_>) -> Result<Vec<Finding>, StoreError> {
        self.pool.writing(|connection| examine::examine(connection, &self.position, view, watch))
    }

    fn repair(&self, view: &ScopeView, header: &JournalHeader) -> Result<(), StoreError> {
        let bound = self.options.busy_bound;
        self.pool.writing(|connection| {
            schema::refuse_newer(connection)?;
            until_free(bound, || examine::repair(connection, view, header))
        })
    }

    fn digest(&self) -> Result<Digest, StoreError> {
        self.pool.reading(digest::digest)
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        self.pool.reading(|connection| backup::size_of(connection))
    }

    fn left_behind(&self) -> Result<Vec<LeftBehind>, StoreError> {
        let mut rows = self.pool.reading(|connection| adopt::kept_rows(connection))?;
        rows.extend(self.opening.adoption.iter().flat_map(Adoption::left_behind));
        Ok(rows)
    }

    fn location(&self) -> String {
        self.path().map_or_else(|| ":memory:".to_owned(), |path| path.display().to_string())
    }
}

/// Closing records what was written last.
impl Drop for SqliteStore {
    fn drop(&mut self) {
        if self.position.is_behind() {
            self.record_position();
        }
    }
}

/// Writes the file anew without its free pages, if they are more than a quarter of it and more than a megabyte. Fewer are used up
/// again soon.
fn give_back_room(connection: &mut Connection) -> Result<bool, StoreError> {
    schema::refuse_newer(connection)?;
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).or_store_error();
    let (pages, free, page_size) = (pragma("page_count")?, pragma("freelist_count")?, pragma("page_size")?);
    if free * 4 <= pages || free * page_size < 1 << 20 {
        return Ok(false);
    }
    connection.execute_batch("VACUUM").or_store_error()?;
    checkpoint(connection, "TRUNCATE")
}

/// Writes the file anew, so that no page of it holds anything that was removed, and empties the log, which held the old pages.
/// Whether the log is empty: a reader of an older state keeps it.
fn scrub(connection: &mut Connection) -> Result<bool, StoreError> {
    schema::refuse_newer(connection)?;
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
    schema::refuse_newer(&transaction)?;
    work(&SqliteTransaction::new(&transaction, view))
}

/// A failed attempt to write: the store's own doing, which may be tried again, or the work's.
enum WriteError<E> {
    Store(StoreError),
    Work(E),
}

impl<E: From<StoreError>> WriteError<E> {
    fn into_error(self) -> E {
        match self {
            Self::Store(error) => error.into(),
            Self::Work(error) => error,
        }
    }
}

impl<E> From<StoreError> for WriteError<E> {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl<E> BusyOrNot for WriteError<E> {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_retryable())
    }
}

/// One attempt: take the write lock, work, append the journal row, commit. Anything short of that leaves no trace.
fn write_once<T, E>(
    connection: &mut Connection,
    view: &ScopeView,
    work: &mut dyn FnMut(&mut dyn Transaction) -> Result<T, E>,
) -> Result<T, WriteError<E>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).or_store_error()?;
    schema::refuse_newer(&transaction)?;
    let mut open = SqliteTransaction::new(&transaction, view);
    let worked = work(&mut open).map_err(WriteError::Work);
    let has_large_cache = open.has_large_cache;
    let finished = worked.and_then(|value| Ok((value, open.finish()?)));
    let ended = match finished {
        Ok((value, ())) => transaction.commit().or_store_error().map(|()| value).map_err(WriteError::Store),
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
