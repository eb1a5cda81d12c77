//! Numbered migrations: every schema this crate has had since the numbers became exact.
//!
//! `PRAGMA user_version` holds the number of the last migration that ran. A new file runs all of them, so a new and a
//! migrated file end with the same schema. A migration that has landed is never edited: a change of the schema is a new
//! file in this folder and a line in [`MIGRATIONS`], with a fixture of the schema before it in `tests/fixtures/`.
//!
//! The caller runs them inside one transaction that also writes the number. A crash leaves the old version intact.

mod m0004_baseline;
mod m0005_scope_settings;
mod m0006_language_terms;
mod m0007_documents;
mod m0008_journal_chain;
mod m0009_short_changes;

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;
use crate::trace;

/// One step from an older schema to the next.
struct Migration {
    /// The number that the file carries afterwards.
    version: i64,
    /// Changes the schema and converts the rows.
    apply: fn(&Connection) -> Result<(), StoreError>,
    /// Whether it leaves the derived search tables empty or with terms of another tokenizer.
    empties_search: bool,
}

/// All migrations, in the order in which they run.
///
/// The numbers begin at 4. Several different schemas were stamped 1, 2 and 3, so the first migration accepts them all.
const MIGRATIONS: [Migration; 6] = [
    Migration { version: 4, apply: m0004_baseline::apply, empties_search: true },
    Migration { version: 5, apply: m0005_scope_settings::apply, empties_search: false },
    Migration { version: 6, apply: m0006_language_terms::apply, empties_search: true },
    Migration { version: 7, apply: m0007_documents::apply, empties_search: false },
    Migration { version: 8, apply: m0008_journal_chain::apply, empties_search: false },
    Migration { version: 9, apply: m0009_short_changes::apply, empties_search: false },
];

/// The newest schema that this code knows.
pub(crate) const VERSION: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// Whether the search tables have to be filled after the migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchTables {
    /// They are as they were.
    Kept,
    /// They are empty or outdated.
    Emptied,
}

/// Runs every migration after version `from`, which is 0 for a file without a number of ours.
///
/// Foreign keys must not be enforced meanwhile, because tables are replaced: see [`without_foreign_keys`].
pub(crate) fn run(connection: &Connection, from: i64) -> Result<SearchTables, StoreError> {
    let mut search = SearchTables::Kept;
    let mut reached = from;
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > from) {
        (migration.apply)(connection)?;
        trace::migrated(reached.unsigned_abs(), migration.version.unsigned_abs());
        reached = migration.version;
        if migration.empties_search {
            search = SearchTables::Emptied;
        }
    }
    Ok(search)
}

/// Runs `work` on a connection that does not enforce foreign keys, and enforces them again.
///
/// SQLite ignores the setting inside a transaction, so `work` has to begin and end its own.
pub(crate) fn without_foreign_keys<T>(
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.pragma_update(None, "foreign_keys", "OFF").or_store_error()?;
    let outcome = work(connection);
    connection.pragma_update(None, "foreign_keys", "ON").or_store_error()?;
    outcome
}
