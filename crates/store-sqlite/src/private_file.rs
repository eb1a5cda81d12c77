//! Database files that only their owner can read.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The endings of the files that SQLite keeps beside a database, and of the database itself.
const ENDINGS: [&str; 4] = ["-journal", "-wal", "-shm", ""];

/// Creates an empty file that only its owner can read and write.
///
/// SQLite takes an empty file for a new database, and gives the log and the shared memory beside it the same
/// permissions.
///
/// # Errors
/// There is a file or a link of that name. It is not opened, because closing it would drop the locks that this process
/// has on it.
pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Creates the file of a memory if it is missing, also at the end of a link. Errors are left to SQLite, which opens the
/// file next.
pub(crate) fn create_missing(path: &Path) {
    let end = match std::fs::read_link(path) {
        Ok(target) => path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target)),
        Err(_) => path.to_owned(),
    };
    let _ = create_private(&end);
}

/// Removes a database that nobody has open, with the files beside it. Missing files are skipped.
///
/// A journal that stayed behind would be rolled back into the next database of that name.
pub(crate) fn remove_database(path: &Path) {
    for ending in ENDINGS {
        let _ = std::fs::remove_file(with_ending(path, ending));
    }
}

/// Returns a path with an ending added to its file name.
pub(crate) fn with_ending(path: &Path, ending: impl AsRef<OsStr>) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
