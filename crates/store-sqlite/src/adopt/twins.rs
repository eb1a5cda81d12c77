//! Texts that a Python database holds twice: archived, and live under another id.
//!
//! The Python elfmem gives a text that it archived a random id when it is learned again. Here the id follows from the
//! text, so the live block gets that id and the archived one the random id: learning the text again finds the live block.

use std::collections::HashSet;

use elfmem_core::BlockId;
use rusqlite::Connection;

use super::{Adoption, Result};
use crate::errors::OrStoreError;
use crate::schema::columns_of;

/// Columns that name blocks.
const REFERENCES: [(&str, &str); 12] = [
    ("block_tags", "block_id"),
    ("edges", "from_id"),
    ("edges", "to_id"),
    ("edges", "declared_by"),
    ("contradictions", "block_a_id"),
    ("contradictions", "block_b_id"),
    ("block_outcomes", "block_id"),
    ("co_retrieval_staging", "from_id"),
    ("co_retrieval_staging", "to_id"),
    ("block_amendments", "block_id"),
    ("blocks", "superseded_by"),
    ("blocks", "id"),
];

/// An id that no block has, for the time of an exchange.
const NOBODY: &str = "\u{1}exchanged";

pub(super) fn prefer_live(connection: &Connection, report: &mut Adoption) -> Result<()> {
    let mut archived: HashSet<String> = HashSet::new();
    let mut live: Vec<(bool, String, String)> = Vec::new();
    {
        let mut statement =
            connection.prepare("SELECT id, content, status FROM blocks ORDER BY rowid").or_store_error()?;
        let mut rows = statement.query([]).or_store_error()?;
        while let Some(row) = rows.next().or_store_error()? {
            let (id, content, status): (String, String, String) = row.try_into().or_store_error()?;
            let own = BlockId::for_content(&content).to_string();
            match status.as_str() {
                "archived" if id == own => _ = archived.insert(own),
                "archived" => {}
                _ if id != own => live.push((status != "active", own, id)),
                _ => {}
            }
        }
    }
    // Of several live copies an active one comes first.
    live.sort_by_key(|(waits, ..)| *waits);
    let mut exchanged = 0;
    for (_, own, id) in live {
        if archived.remove(&own) {
            exchange(connection, &own, &id)?;
            exchanged += 1;
        }
    }
    report.changed(exchanged, "a text stood there both archived and live: the live block has the id of the text now");
    Ok(())
}

/// Exchanges the ids of two blocks wherever they stand.
fn exchange(connection: &Connection, one: &str, other: &str) -> Result<()> {
    for (table, column) in REFERENCES {
        if !columns_of(connection, table)?.iter().any(|name| name == column) {
            continue;
        }
        let sql = format!("UPDATE {table} SET {column} = ?2 WHERE {column} = ?1");
        let mut statement = connection.prepare_cached(&sql).or_store_error()?;
        for [from, to] in [[one, NOBODY], [other, one], [NOBODY, other]] {
            statement.execute([from, to]).or_store_error()?;
        }
    }
    Ok(())
}
