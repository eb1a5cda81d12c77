//! Translation of SQLite result codes into store errors.

use std::path::Path;

use elfmem_store::StoreError;
use rusqlite::{Error, ErrorCode, ffi};

/// Translates a driver error: a full disk, a read-only, a damaged or a busy file, or any other.
pub(crate) fn store_error(error: Error) -> StoreError {
    let Some(code) = error.sqlite_error_code() else { return StoreError::driver(error) };
    match code {
        ErrorCode::DiskFull => StoreError::Full { source: error.into() },
        ErrorCode::SystemIoFailure if is_out_of_space(&error) => StoreError::Full { source: error.into() },
        ErrorCode::ReadOnly => StoreError::ReadOnly { source: error.into() },
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Damaged { reason: error.to_string() },
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy { seconds: 0 },
        _ => StoreError::driver(error),
    }
}

/// Translates an error of opening a file, where the path itself may be the problem.
pub(crate) fn open_error(path: &Path, error: Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
            StoreError::Unreachable { path: path.to_owned(), reason: error.to_string() }
        }
        Some(ErrorCode::NotADatabase) => {
            StoreError::NotElfmem { path: path.to_owned(), reason: "it is not a SQLite database".into() }
        }
        _ => store_error(error),
    }
}

/// SQLite reports a shared-memory file that cannot grow as an I/O error; on a full disk that is what happens first.
fn is_out_of_space(error: &Error) -> bool {
    matches!(error.sqlite_extended_error_code(), Some(ffi::SQLITE_IOERR_SHMSIZE | ffi::SQLITE_IOERR_WRITE))
}

/// Lets `?` turn driver errors into store errors inside this crate.
pub(crate) trait OrStoreError<T> {
    /// Translates the error.
    fn or_store_error(self) -> Result<T, StoreError>;
}

impl<T> OrStoreError<T> for rusqlite::Result<T> {
    fn or_store_error(self) -> Result<T, StoreError> {
        self.map_err(store_error)
    }
}
