//! The connections of a store, lent to whoever reads or writes.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use elfmem_store::StoreError;
use rusqlite::Connection;
use rusqlite::config::DbConfig;

use crate::connection::{OpenOptions, open_file};
use crate::file_identity::FileIdentity;

/// Connections to a file that are kept open when idle.
const IDLE: usize = 5;

/// The open connections of a store.
#[derive(Debug)]
pub(crate) enum Pool {
    /// A database that lives in its one connection: whoever reads or writes waits for the others.
    Memory(Mutex<Connection>),
    /// A file. Who reads and who writes gets the connection that was used last: SQLite keeps the pages that a connection has
    /// read only until another one commits, so a connection for reading alone would begin with nothing after every write.
    File {
        /// Where it is, and which file it was.
        file: FileIdentity,
        /// How further connections are opened.
        options: OpenOptions,
        /// Those that nobody uses.
        idle: Mutex<Vec<Connection>>,
        /// Who writes holds it: writers of this process wait for each other here, not by asking the file again and again.
        turn: Mutex<()>,
    },
}

impl Pool {
    /// The connections to a file, of which there is one so far.
    pub(crate) fn of_file(path: &Path, options: OpenOptions, first: Connection) -> Self {
        Self::File { file: FileIdentity::of(path), options, idle: Mutex::new(vec![first]), turn: Mutex::default() }
    }

    /// The file, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Memory(_) => None,
            Self::File { file, .. } => Some(file.path()),
        }
    }

    /// Runs `work` with a connection to read with. Fails if the file was deleted or replaced.
    pub(crate) fn reading<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Memory(connection) => work(&mut free(connection)),
            Self::File { file, options, idle, .. } => {
                file.check()?;
                let last = free(idle).pop();
                let mut connection = match last {
                    Some(connection) => connection,
                    None => file.open_again(options)?,
                };
                let outcome = work(&mut connection);
                let mut idle = free(idle);
                if idle.len() < IDLE {
                    idle.push(connection);
                }
                outcome
            }
        }
    }

    /// Runs `work` with a connection to write with, once nobody else in this process writes. Fails if the file was deleted or
    /// replaced meanwhile, because what was committed is then in no file that anybody can open.
    pub(crate) fn writing<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let _turn = match self {
            Self::Memory(_) => None,
            Self::File { turn, .. } => Some(free(turn)),
        };
        let value = self.reading(work)?;
        if let Self::File { file, .. } = self {
            file.check()?;
        }
        Ok(value)
    }
}

/// The last connection to close empties the log and deletes it by its path. If another file is at that path now, its log must
/// stay.
impl Drop for Pool {
    fn drop(&mut self) {
        let Self::File { file, idle, .. } = self else { return };
        if !file.is_intact() {
            for connection in free(idle).iter() {
                let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
            }
        }
    }
}

impl FileIdentity {
    /// Opens another connection to the file. One that was opened to another file is closed again.
    fn open_again(&self, options: &OpenOptions) -> Result<Connection, StoreError> {
        let connection = open_file(self.path(), options)?;
        self.check()?;
        Ok(connection)
    }
}

/// A panic elsewhere left no half-done transaction, as dropping it rolled back.
fn free<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
