//! `adopt`: takes over a database of the Python elfmem and reports what was found.

use std::fmt;
use std::path::Path;

use elfmem_engine::{Clock, SystemClock};
use elfmem_store::StoreError;
use elfmem_store_sqlite::{Adoption, BadRows, Maker, OpenOptions, SqliteStore};
use serde::Serialize;

use crate::args;
use crate::database::Database;
use crate::failure::Failure;
use crate::key;
use crate::output::Output;
use crate::progress;

/// What an adoption did, with the file.
#[derive(Serialize)]
struct AdoptedFile<'a> {
    path: &'a Path,
    /// Whether it happened now; otherwise it was done before, or would be.
    adopted: bool,
    dry_run: bool,
    /// How; none for a memory that was never one of the Python elfmem.
    adoption: Option<Adoption>,
}

impl fmt::Display for AdoptedFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match (&self.adoption, self.adopted, self.dry_run) {
            (None, ..) => write!(f, "{path} is a memory of this elfmem already."),
            (Some(adoption), true, _) => adoption.fmt(f),
            (Some(adoption), false, true) => write!(f, "Nothing was changed. It would be so:\n{adoption}"),
            (Some(adoption), false, false) => write!(f, "{path} was taken over before:\n{adoption}"),
        }
    }
}

pub(crate) fn adopt(arguments: &args::Adopt, database: &Database) -> Result<Output, Failure> {
    let path = arguments.file.as_deref().unwrap_or(&database.path);
    if !path.exists() {
        return Err(Failure::no_memory(path));
    }
    let bad_rows = if arguments.leave_out { BadRows::LeaveOut } else { BadRows::Refuse };
    let key = key::of(&database.settings)?;
    let result = match arguments.dry_run {
        true => rehearse(path, key.as_ref(), bad_rows),
        false => {
            let options = OpenOptions { key, bad_rows, ..OpenOptions::default() };
            SqliteStore::open(path, options, SystemClock.now()).and_then(|store| {
                let (adopted, adoption) = (store.adoption().is_some(), store.past_adoption()?);
                Ok(AdoptedFile { path, adopted, dry_run: false, adoption })
            })
        }
    };
    Ok(Output::sentence(&result.map_err(elfmem_engine::Error::from)?))
}

/// Takes over a copy.
fn rehearse<'a>(
    path: &'a Path,
    key: Option<&elfmem_store_sqlite::Key>,
    bad_rows: BadRows,
) -> Result<AdoptedFile<'a>, StoreError> {
    let (copy, maker) = SqliteStore::copy_of(path, key, bad_rows, SystemClock.now(), &mut progress::counter("copy"))?;
    let adoption = if maker == Maker::Python { copy.adoption().cloned() } else { copy.past_adoption()? };
    Ok(AdoptedFile { path, adopted: false, dry_run: maker == Maker::Python, adoption })
}
