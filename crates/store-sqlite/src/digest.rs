//! One sum over everything the database holds, without what is incidental to it.
//!
//! Each row is summed up by itself, column by column in the order of their names, and the sums are put in order: where a row
//! lies in the file, and which came first, makes no difference. A column without a value adds nothing, so a file that was
//! brought up to date keeps its sum.

use elfmem_store::{Digest, StoreError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, TransactionBehavior};
use sha2::{Digest as _, Sha256};

use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// Tables that are made from others, and what a change of models keeps aside while it is under way.
const DERIVED: [&str; 3] = ["journal_touched", "search_documents", "staged_vectors"];
/// The full-text index and the tables it keeps itself in.
const INDEX: [&str; 2] = ["search_terms", "search_instances"];

/// Tables that an export leaves out or that its import adds to: they are no part of what is remembered.
const NOT_REMEMBERED: [&str; 3] = ["journal", "sessions", "system_config"];

/// Columns that say nothing about the memory: numbers that only order rows as they came.
const INCIDENTAL: [(&str, &str); 6] = [
    ("events", "number"),
    ("blocks", "position"),
    ("contradictions", "position"),
    ("sessions", "position"),
    ("block_outcomes", "position"),
    ("tombstones", "position"),
];

/// Columns that are no part of what is remembered: vectors, which are made from the text, and counters and times of the file.
const NOT_REMEMBERED_COLUMNS: [(&str, &str); 4] =
    [("blocks", "embedding"), ("blocks", "embedding_model"), ("blocks", "revision"), ("frames", "created_at")];

/// Settings that only tell what was found when the memory was last looked through.
const UNSETTLED: [&str; 1] = ["last_finding"];

pub(crate) fn digest(connection: &mut Connection) -> Result<Digest> {
    let look = connection.transaction_with_behavior(TransactionBehavior::Deferred).or_store_error()?;
    let [mut memory, mut journal, mut everything] = [Sha256::new(), Sha256::new(), Sha256::new()];
    for table in tables(&look)? {
        let (remembered, whole) = sums(&look, &table)?;
        if table == "journal" {
            take_in(&mut journal, &table, remembered);
        } else if !NOT_REMEMBERED.contains(&table.as_str()) {
            take_in(&mut memory, &table, remembered);
        }
        take_in(&mut everything, &table, whole);
    }
    Ok(Digest { memory: in_hex(memory), journal: in_hex(journal), everything: in_hex(everything) })
}

/// Adds the rows of a table in the order of their sums; a table without rows adds nothing.
fn take_in(sum: &mut Sha256, table: &str, mut rows: Vec<[u8; 32]>) {
    if rows.is_empty() {
        return;
    }
    rows.sort_unstable();
    add(sum, b't', table.as_bytes());
    rows.iter().for_each(|row| sum.update(row));
}

/// Tables that are no one's derivative, by name.
fn tables(connection: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let names = statement.query_map([], |row| row.get::<_, String>(0)).or_store_error()?;
    let mut tables: Vec<String> = names.collect::<rusqlite::Result<_>>().or_store_error()?;
    tables.retain(|name| {
        let of_index = INDEX
            .iter()
            .any(|index| name.strip_prefix(index).is_some_and(|rest| rest.is_empty() || rest.starts_with('_')));
        !of_index && !DERIVED.contains(&name.as_str())
    });
    Ok(tables)
}

/// The SHA-256 of one row.
type Sum = [u8; 32];

/// The sums of a table's rows, over what is remembered and over everything.
fn sums(connection: &Connection, table: &str) -> Result<(Vec<Sum>, Vec<Sum>)> {
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\"")).or_store_error()?;
    let mut columns: Vec<(usize, String)> = statement
        .column_names()
        .map(str::to_owned)
        .enumerate()
        .filter(|(_, name)| !INCIDENTAL.contains(&(table, name)))
        .collect();
    columns.sort_by(|(_, a), (_, b)| a.cmp(b));
    let (mut remembered, mut whole) = (Vec::new(), Vec::new());
    let mut rows = statement.query([]).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        if table == "system_config"
            && row.get_ref(0).or_store_error()?.as_str().is_ok_and(|key| UNSETTLED.contains(&key))
        {
            continue;
        }
        let (mut kept, mut all) = (Sha256::new(), Sha256::new());
        for (at, name) in &columns {
            let value = row.get_ref(*at).or_store_error()?;
            add_value(&mut all, name, value);
            if !NOT_REMEMBERED_COLUMNS.contains(&(table, name)) {
                add_value(&mut kept, name, value);
            }
        }
        remembered.push(kept.finalize().into());
        whole.push(all.finalize().into());
    }
    Ok((remembered, whole))
}

fn add_value(sum: &mut Sha256, column: &str, value: ValueRef<'_>) {
    if value != ValueRef::Null {
        add(sum, b'c', column.as_bytes());
    }
    match value {
        ValueRef::Null => {}
        ValueRef::Integer(number) => add(sum, b'i', &number.to_le_bytes()),
        ValueRef::Real(number) => add(sum, b'r', &number.to_bits().to_le_bytes()),
        ValueRef::Text(text) => add(sum, b's', text),
        ValueRef::Blob(bytes) => add(sum, b'b', bytes),
    }
}

/// Adds a part with its kind and its length, so that no two sequences of parts read the same.
fn add(sum: &mut Sha256, kind: u8, bytes: &[u8]) {
    sum.update([kind]);
    sum.update((bytes.len() as u64).to_le_bytes());
    sum.update(bytes);
}

fn in_hex(sum: Sha256) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    sum.finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
