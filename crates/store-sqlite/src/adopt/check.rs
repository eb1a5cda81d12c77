//! Rows of a Python database that cannot be read. They are named before anything is written.

use std::collections::HashSet;
use std::path::Path;

use elfmem_core::{BlockStatus, time};
use elfmem_store::{BadRow, StoreError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::Result;
use crate::errors::OrStoreError;
use crate::frames;
use crate::schema::columns_of;

/// What a column must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Text,
    Number,
    OptionalNumber,
    Time,
    OptionalTime,
    Status,
    /// The id of a block that is there.
    Block,
}

/// A table of the Python elfmem: the columns that name a row, and what columns must hold.
struct PythonTable {
    name: &'static str,
    key: &'static [&'static str],
    columns: &'static [(&'static str, Holds)],
}

use Holds::{Block, Number, OptionalNumber, OptionalTime, Status, Text, Time};

const TABLES: [PythonTable; 9] = [
    PythonTable {
        name: "blocks",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("content", Text),
            ("category", Text),
            ("source", Text),
            ("created_at", Time),
            ("status", Status),
            ("confidence", Number),
            ("reinforcement_count", Number),
            ("decay_lambda", Number),
            ("last_reinforced_at", Number),
            ("outcome_evidence", Number),
            ("self_alignment", OptionalNumber),
            ("token_count", OptionalNumber),
            ("last_scored_at", OptionalTime),
            ("success_count", Number),
            ("failure_count", Number),
        ],
    },
    PythonTable { name: "block_tags", key: &["block_id", "tag"], columns: &[("block_id", Block), ("tag", Text)] },
    PythonTable {
        name: "edges",
        key: &["from_id", "to_id"],
        columns: &[
            ("from_id", Block),
            ("to_id", Block),
            ("weight", Number),
            ("reinforcement_count", Number),
            ("created_at", Time),
            ("relation_type", Text),
            ("origin", Text),
            ("last_active_hours", OptionalNumber),
        ],
    },
    PythonTable {
        name: "contradictions",
        key: &["block_a_id", "block_b_id"],
        columns: &[
            ("block_a_id", Block),
            ("block_b_id", Block),
            ("score", Number),
            ("resolved", Number),
            ("created_at", Time),
        ],
    },
    PythonTable {
        name: "block_outcomes",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("block_id", Block),
            ("signal", Number),
            ("weight", Number),
            ("source", Text),
            ("confidence_before", Number),
            ("confidence_after", Number),
            ("created_at", Time),
        ],
    },
    PythonTable {
        name: "co_retrieval_staging",
        key: &["from_id", "to_id"],
        columns: &[("from_id", Block), ("to_id", Block), ("count", Number)],
    },
    PythonTable {
        name: "sessions",
        key: &["id"],
        columns: &[
            ("id", Text),
            ("task_type", Text),
            ("started_at", Time),
            ("ended_at", OptionalTime),
            ("start_active_hours", Number),
        ],
    },
    PythonTable { name: "frames", key: &["name"], columns: &[("name", Text), ("created_at", Time)] },
    PythonTable { name: "block_amendments", key: &["id"], columns: &[("block_id", Block)] },
];

/// Refuses a database with rows that cannot be read.
///
/// # Errors
/// [`StoreError::BadRows`], which names them.
pub(crate) fn refuse_bad_rows(path: &Path, connection: &Connection) -> Result<()> {
    let rows: Vec<BadRow> = find(connection)?.into_iter().map(|(row, _)| row).collect();
    if rows.is_empty() { Ok(()) } else { Err(StoreError::BadRows { path: path.to_owned(), rows }) }
}

/// Removes the rows that cannot be read, and those that refer to one of them.
pub(super) fn remove_bad_rows(connection: &Connection) -> Result<Vec<BadRow>> {
    let mut removed = Vec::new();
    loop {
        let found = find(connection)?;
        if found.is_empty() {
            return Ok(removed);
        }
        for (row, rowid) in found {
            let sql = format!("DELETE FROM {} WHERE rowid = ?1", row.table);
            connection.execute(&sql, [rowid]).or_store_error()?;
            removed.push(row);
        }
    }
}

fn find(connection: &Connection) -> Result<Vec<(BadRow, i64)>> {
    let mut statement = connection.prepare("SELECT id FROM blocks WHERE typeof(id) = 'text'").or_store_error()?;
    let ids = statement.query_map([], |row| row.get::<_, String>(0)).or_store_error()?;
    let blocks: HashSet<String> = ids.collect::<rusqlite::Result<_>>().or_store_error()?;
    let mut bad = Vec::new();
    for table in &TABLES {
        let found = columns_of(connection, table.name)?;
        let has = |name: &str| found.iter().any(|column| column == name);
        let columns: Vec<_> = table.columns.iter().filter(|(name, _)| has(name)).collect();
        if columns.is_empty() || !table.key.iter().all(|name| has(name)) {
            continue;
        }
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).chain(table.key.iter().copied()).collect();
        let sql = format!("SELECT rowid, {} FROM {} ORDER BY rowid", names.join(", "), table.name);
        let mut statement = connection.prepare(&sql).or_store_error()?;
        let mut rows = statement.query([]).or_store_error()?;
        while let Some(row) = rows.next().or_store_error()? {
            let problem = columns.iter().enumerate().find_map(|(at, (name, holds))| {
                let value = row.get_ref(at + 1).ok()?;
                problem_of(name, *holds, value, &blocks)
            });
            if let Some(problem) = problem {
                let rowid: i64 = row.get(0).or_store_error()?;
                let name = name_of(row, columns.len() + 1, table.key.len(), rowid);
                bad.push((BadRow { table: table.name.to_owned(), name, problem }, rowid));
            }
        }
    }
    bad.extend(bad_frames(connection)?);
    Ok(bad)
}

/// The values of the key, or the number of a row whose key cannot be shown.
fn name_of(row: &Row<'_>, first: usize, count: usize, rowid: i64) -> String {
    let values: Option<Vec<String>> = (first..first + count)
        .map(|at| match row.get_ref(at) {
            Ok(ValueRef::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
            Ok(ValueRef::Integer(number)) => Some(number.to_string()),
            _ => None,
        })
        .collect();
    values.map_or_else(|| format!("number {rowid}"), |values| values.join(" – "))
}

fn problem_of(name: &str, holds: Holds, value: ValueRef<'_>, blocks: &HashSet<String>) -> Option<String> {
    let text = match value {
        ValueRef::Text(text) => std::str::from_utf8(text).ok(),
        _ => None,
    };
    let is_number = match value {
        ValueRef::Integer(_) => true,
        ValueRef::Real(number) => number.is_finite(),
        _ => false,
    };
    let is_missing = value == ValueRef::Null;
    let shown = text.map_or_else(|| value.data_type().to_string(), |text| format!("'{text}'"));
    match holds {
        Text if text.is_none() => Some(format!("{name} is no text but {shown}")),
        Number if !is_number => Some(format!("{name} is no number but {shown}")),
        OptionalNumber if !is_number && !is_missing => Some(format!("{name} is no number but {shown}")),
        Time | OptionalTime if text.is_none_or(|text| time::from_iso(text).is_none()) => {
            let is_allowed = holds == OptionalTime && is_missing;
            (!is_allowed).then(|| format!("{name} is no time but {shown}"))
        }
        Status if text.is_none_or(|text| BlockStatus::from_name(text).is_none()) => {
            Some(format!("{name} is {shown}, which is neither inbox, active nor archived"))
        }
        Block if text.is_none_or(|text| !blocks.contains(text)) => {
            Some(format!("{name} names block {shown}, which is not there"))
        }
        _ => None,
    }
}

/// Frames of the user whose definition cannot be read. Built-in ones are replaced.
fn bad_frames(connection: &Connection) -> Result<Vec<(BadRow, i64)>> {
    if columns_of(connection, "frames")?.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT {}, rowid FROM frames WHERE source IS NOT 'builtin'", frames::COLUMNS);
    let mut statement = connection.prepare(&sql).or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut bad = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        if let Err(error) = frames::from_row(row) {
            let name = row.get(0).unwrap_or_default();
            let problem = format!("its definition cannot be read: {error}");
            bad.push((BadRow { table: "frames".to_owned(), name, problem }, row.get(8).or_store_error()?));
        }
    }
    Ok(bad)
}
