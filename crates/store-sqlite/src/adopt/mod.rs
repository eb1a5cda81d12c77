//! Taking over a database of the Python elfmem (0.15 to 0.20), in place and after a verified backup.
//!
//! `check` names rows that cannot be read, before anything is written. `later_schemas` converts what 0.17 to 0.20 keep in
//! columns of their own. `rows` converts the rows of all versions once the tables are ours. `watch` notes what the
//! Python elfmem writes to the file afterwards, and `outside` takes that in at the next open.

mod check;
mod later_schemas;
mod outside;
mod report;
mod rows;
mod twins;
mod watch;

use elfmem_core::Timestamp;
use elfmem_store::{LeftBehind, ReadSettings, StoreError, WriteSettings};
use rusqlite::Connection;

use crate::errors::OrStoreError;
use crate::schema::columns_of;
use crate::search;
use crate::transaction::SqliteTransaction;

pub(crate) use check::refuse_bad_rows;
pub(crate) use outside::{is_written_outside, take_in};
pub use report::{Adoption, AdoptionCounts, Conversion};
pub(crate) use watch::watch;

type Result<T> = std::result::Result<T, StoreError>;

/// The setting that holds the [`Adoption`] of a file.
pub(crate) const ADOPTION: &str = "adoption";

/// The newest schema of the Python elfmem that can be taken over (0.20).
pub(crate) const NEWEST_PYTHON_SCHEMA: i64 = 9;

/// The schema that an adopted file says it has: that of 0.15, whose tables ours extend. A later Python elfmem adds its
/// columns again and fills them from what is here.
const COMMON_SCHEMA: &str = "3";

/// Tables of the Python elfmem that no verb of ours reads. Their rows stay as they are.
pub(crate) const KEPT_TABLES: [&str; 2] = ["peer_roster", "block_amendments"];

/// What to do with rows that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BadRows {
    /// Refuse the file and name them.
    #[default]
    Refuse,
    /// Go on without them. They stay in the backup.
    LeaveOut,
}

/// Converts the rows while they are still in the tables of the Python elfmem.
pub(crate) fn before_migration(connection: &Connection, version: i64, bad_rows: BadRows) -> Result<Adoption> {
    let mut report = Adoption::new(version);
    if bad_rows == BadRows::LeaveOut {
        report.left_out = check::remove_bad_rows(connection)?;
    }
    twins::prefer_live(connection, &mut report)?;
    later_schemas::convert(connection, &mut report)?;
    Ok(report)
}

/// Converts the rows once they are in our tables, and begins to watch the file.
pub(crate) fn after_migration(
    transaction: &mut SqliteTransaction<'_>,
    report: &mut Adoption,
    now: Timestamp,
) -> Result<()> {
    rows::convert(transaction, report)?;
    search::rebuild(transaction.connection)?;
    transaction.seed_builtin_data(now)?;
    later_schemas::propose_near_duplicates(transaction)?;
    transaction.set_config("schema_version", COMMON_SCHEMA)?;
    report.count(transaction.connection)?;
    let json = serde_json::to_string(report).map_err(StoreError::driver)?;
    transaction.set_config(ADOPTION, &json)?;
    watch(transaction.connection)
}

/// Counts the rows of tables that are kept for the Python elfmem.
pub(crate) fn kept_rows(connection: &Connection) -> Result<Vec<LeftBehind>> {
    let mut kept = Vec::new();
    for table in KEPT_TABLES {
        if columns_of(connection, table)?.is_empty() {
            continue;
        }
        let sql = format!("SELECT count(*) FROM {table}");
        let count: i64 = connection.query_row(&sql, [], |row| row.get(0)).or_store_error()?;
        if count > 0 {
            let reason = "no verb uses it yet; it stays in the database that it is in".to_owned();
            kept.push(LeftBehind { what: table.to_owned(), count: count.unsigned_abs(), reason });
        }
    }
    Ok(kept)
}

/// Reads how a file was taken over; none for a file that was ours from the beginning.
pub(crate) fn adoption_of(transaction: &SqliteTransaction<'_>) -> Result<Option<Adoption>> {
    Ok(transaction.get_config(ADOPTION)?.and_then(|json| serde_json::from_str(&json).ok()))
}
