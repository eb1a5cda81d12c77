//! `backup` and `restore-backup`.

use elfmem_engine::{Clock, Memory, SystemClock};
use elfmem_store_sqlite::{Overwrite, RunMode, SqliteStore, restore};

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
    let mut progress = progress::counter("copy");
    let overwrite = if arguments.force { Overwrite::Replace } else { Overwrite::Refuse };
    let mode = if arguments.dry_run { RunMode::DryRun } else { RunMode::Write };
    let report = memory.store().backup(&arguments.file, overwrite, mode, &mut progress);
    Ok(Output::sentence(&report.map_err(elfmem_engine::Error::from)?))
}

pub(crate) fn restore_backup(arguments: &args::RestoreBackup, database: &Database) -> Result<Output, Failure> {
    let (now, backup, key) = (SystemClock.now(), &arguments.file, key::of(&database.settings)?);
    std::fs::File::open(backup).map_err(|error| Failure::unreadable(&backup.display().to_string(), &error))?;
    let mut progress = progress::counter("copy");
    let mut run = |mode| {
        restore(&database.path, backup, key.as_ref(), now, mode, &mut progress).map_err(elfmem_engine::Error::from)
    };
    // What cannot be done is no reason to ask.
    let rehearsed = run(RunMode::DryRun)?;
    if arguments.dry_run {
        return Ok(Output::sentence(&rehearsed));
    }
    if !arguments.yes {
        let question = format!("{rehearsed}\n\nMake {} a copy of that backup?", database.path.display());
        let unasked = "Restoring replaces the memory, and there is no terminal to ask on.";
        confirm(&question, unasked, "Nothing was restored.")?;
    }
    Ok(Output::sentence(&run(RunMode::Write)?))
}
