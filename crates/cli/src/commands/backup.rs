//! `backup` and `restore-backup`.

use elfmem_engine::{Clock, Memory, SystemClock};
use elfmem_store_sqlite::{SqliteStore, restore};

use super::confirm::confirm;
use crate::args;
use crate::database::Database;
use crate::failure::Failure;
use crate::key;
use crate::output::Output;
use crate::progress;

pub(crate) fn backup(
    arguments: &args::Backup,
    database: &Database,
    open: impl FnOnce() -> Result<Memory<SqliteStore>, Failure>,
) -> Result<Output, Failure> {
    if !database.exists {
        return Err(Failure::no_memory(&database.path));
    }
    let memory = open()?;
    let mut told = progress::counter("copy");
    let report = memory.store().backup(&arguments.file, arguments.force, arguments.dry_run, &mut told);
    Ok(Output::sentence(&report.map_err(elfmem_engine::Error::from)?))
}

pub(crate) fn restore_backup(arguments: &args::RestoreBackup, database: &Database) -> Result<Output, Failure> {
    let (now, backup, key) = (SystemClock.now(), &arguments.file, key::of(&database.settings)?);
    let mut told = progress::counter("copy");
    let mut go_back = |dry_run| {
        restore(&database.path, backup, key.as_ref(), now, dry_run, &mut told).map_err(elfmem_engine::Error::from)
    };
    // What cannot be done is no reason to ask.
    let rehearsed = go_back(true)?;
    if arguments.dry_run {
        return Ok(Output::sentence(&rehearsed));
    }
    if !arguments.yes {
        let question = format!("{rehearsed}\n\nMake {} a copy of that backup?", database.path.display());
        let unasked = "Restoring replaces the memory, and there is no terminal to ask on.";
        confirm(&question, unasked, "Nothing was restored.")?;
    }
    Ok(Output::sentence(&go_back(false)?))
}
