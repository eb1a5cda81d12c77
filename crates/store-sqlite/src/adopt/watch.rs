//! Triggers that note what other programs write to an adopted file.
//!
//! Our own connections run without triggers (see `connection::prepare`), so only others are noted: the Python elfmem, or
//! a person with a SQLite tool. A note holds the row as it was before the first change. Memories that were ours from the
//! beginning are not watched: there a change from outside is a fault, which `verify` reports.

use rusqlite::Connection;

use super::Result;
use crate::errors::OrStoreError;

/// The table of notes.
pub(super) const NOTES: &str = "outside_changes";

/// Watched tables with the columns that name a row.
const WATCHED: [(&str, &[&str]); 5] = [
    ("blocks", &["id"]),
    ("block_tags", &["block_id", "tag"]),
    ("edges", &["from_id", "to_id"]),
    ("contradictions", &["block_a_id", "block_b_id"]),
    ("block_outcomes", &["id"]),
];

/// Creates the notes and the triggers, unless they are there.
pub(crate) fn watch(connection: &Connection) -> Result<()> {
    let mut sql = format!(
        "CREATE TABLE IF NOT EXISTS {NOTES} (
             entity TEXT NOT NULL, row_key TEXT NOT NULL, row_before TEXT, PRIMARY KEY (entity, row_key)
         ) WITHOUT ROWID;"
    );
    for (table, key) in WATCHED {
        let columns = typed_columns(connection, table)?;
        for (event, row) in [("INSERT", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD")] {
            let named: Vec<String> = key.iter().map(|column| format!("{row}.{column}")).collect();
            let name = named.join(" || char(31) || ");
            let before = if event == "INSERT" { "NULL".to_owned() } else { image(&columns) };
            // Not `OR IGNORE`: the statement that fires a trigger decides about conflicts inside it.
            sql += &format!(
                "CREATE TRIGGER IF NOT EXISTS {NOTES}_{table}_{event} AFTER {event} ON {table} BEGIN
                     INSERT INTO {NOTES} (entity, row_key, row_before) SELECT '{table}', {name}, {before}
                     WHERE NOT EXISTS (SELECT 1 FROM {NOTES} WHERE entity = '{table}' AND row_key = {name});
                 END;"
            );
        }
    }
    connection.execute_batch(&sql).or_store_error()
}

/// The old row as a JSON object. Vectors are derived from the text and too long. JSON of SQLite has fifteen digits, which
/// is not enough to read a number back as it was.
fn image(columns: &[Column]) -> String {
    let fields =
        columns.iter().filter(|column| column.name != "embedding").map(|Column { name, is_real }| match is_real {
            true => format!("'{name}', CASE WHEN OLD.{name} IS NOT NULL THEN printf('%!.17g', OLD.{name}) END"),
            false => format!("'{name}', OLD.{name}"),
        });
    let fields: Vec<String> = fields.collect();
    format!("json_object({})", fields.join(", "))
}

/// A column of a watched table.
pub(super) struct Column {
    name: String,
    is_real: bool,
}

impl Column {
    /// The expression that reads the column from the image that is bound as `?1`.
    pub(super) fn of_image(&self) -> String {
        let name = &self.name;
        match self.is_real {
            true => format!("CAST(json_extract(?1, '$.{name}') AS REAL) AS {name}"),
            false => format!("json_extract(?1, '$.{name}') AS {name}"),
        }
    }
}

pub(super) fn typed_columns(connection: &Connection, table: &str) -> Result<Vec<Column>> {
    let sql = "SELECT name, type IN ('REAL', 'FLOAT') FROM pragma_table_info(?1)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let columns =
        statement.query_map([table], |row| Ok(Column { name: row.get(0)?, is_real: row.get(1)? })).or_store_error()?;
    columns.collect::<rusqlite::Result<_>>().or_store_error()
}
