//! Journal rows: one per operation, and one per row it changed.

use elfmem_core::{ActiveHours, BlockId, SessionId, time};
use elfmem_store::{Change, Entity, JournalEntry, JournalHeader, JournalQuery, NotedChange, StoreError};
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use crate::blocks::{stamp, unreadable};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) fn append(connection: &Connection, header: &JournalHeader, changes: &[NotedChange]) -> Result<()> {
    let sql = "INSERT INTO journal (at, active_hours, session_id, actor, operation, summary) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let seq = statement
        .insert(params![
            time::to_iso(header.at),
            header.active_hours.get(),
            header.session.as_ref().map(SessionId::as_str),
            header.actor,
            header.operation,
            header.summary,
        ])
        .or_store_error()?;
    let sql = "INSERT INTO journal_changes (seq, position, entity, entity_id, other_id, before_json, after_json) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    for (position, change) in changes.iter().enumerate() {
        let (id, other) = ends(change);
        statement
            .execute(params![seq, position as i64, change.entity.as_str(), id, other, change.before, change.after,])
            .or_store_error()?;
    }
    Ok(())
}

/// A pair of blocks is stored as two ids, so that the log of either finds it.
fn ends(change: &NotedChange) -> (&str, Option<&str>) {
    match (change.entity, change.id.split_once(':')) {
        (Entity::Edge | Entity::Contradiction, Some((a, b))) => (a, Some(b)),
        _ => (&change.id, None),
    }
}

pub(crate) fn read(connection: &Connection, scopes: &str, query: &JournalQuery) -> Result<Vec<JournalEntry>> {
    // Operations are shown to a view when they changed nothing that is hidden from it.
    let sql = "SELECT seq, at, active_hours, session_id, actor, operation, summary FROM journal \
        WHERE seq > ?1 AND (?2 IS NULL OR seq IN (SELECT seq FROM journal_changes WHERE entity_id = ?2 \
            UNION SELECT seq FROM journal_changes WHERE other_id = ?2)) \
        AND NOT EXISTS (SELECT 1 FROM journal_changes AS hidden JOIN blocks ON blocks.id = hidden.entity_id \
            WHERE hidden.seq = journal.seq AND NOT instr(?4, '\u{1f}' || blocks.scope || '\u{1f}')) \
        ORDER BY seq DESC LIMIT ?3";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement
        .query_map(
            params![
                query.after.unwrap_or(0),
                query.block.as_ref().map(BlockId::as_str),
                query.limit.map_or(-1, i64::from),
                scopes,
            ],
            entry_from_row,
        )
        .or_store_error()?;
    let mut entries: Vec<JournalEntry> = rows.collect::<rusqlite::Result<_>>().or_store_error()?;
    entries.reverse();
    for entry in &mut entries {
        entry.changes = changes_of(connection, entry.seq)?;
    }
    Ok(entries)
}

fn entry_from_row(row: &Row<'_>) -> rusqlite::Result<JournalEntry> {
    let session: Option<String> = row.get(3)?;
    Ok(JournalEntry {
        seq: row.get(0)?,
        header: JournalHeader {
            at: stamp(1, &row.get::<_, String>(1)?)?,
            active_hours: ActiveHours::new(row.get(2)?),
            session: session.as_deref().map(SessionId::from_stored),
            actor: row.get(4)?,
            operation: row.get(5)?,
            summary: row.get(6)?,
        },
        changes: Vec::new(),
    })
}

fn changes_of(connection: &Connection, seq: i64) -> Result<Vec<Change>> {
    let sql = "SELECT entity, entity_id, other_id, before_json, after_json FROM journal_changes \
               WHERE seq = ?1 ORDER BY position";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement
        .query_map([seq], |row| {
            let name: String = row.get(0)?;
            let entity =
                Entity::from_name(&name).ok_or_else(|| unreadable(0, format!("unknown journal entity '{name}'")))?;
            let id: String = row.get(1)?;
            let other: Option<String> = row.get(2)?;
            let json = |at: usize| -> rusqlite::Result<Option<Value>> {
                let text: Option<String> = row.get(at)?;
                text.map(|text| serde_json::from_str(&text))
                    .transpose()
                    .map_err(|error| unreadable(at, error.to_string()))
            };
            let id = match other {
                Some(other) => format!("{id}:{other}"),
                None => id,
            };
            Ok(Change { entity, id, before: json(3)?, after: json(4)? })
        })
        .or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The number of the newest operation.
pub(crate) fn position(connection: &Connection) -> Result<i64> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM journal").or_store_error()?;
    statement.query_row([], |row| row.get(0)).or_store_error()
}
