//! Journal rows: one per operation, and one per row it changed.

use elfmem_core::{ActiveHours, BlockId, SessionId, time};
use elfmem_store::{
    Change, Entity, JournalEntry, JournalHeader, JournalLinks, JournalQuery, NotedChange, NumberedChange, Operation,
    StoreError,
};
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use crate::blocks::{stamp, unreadable};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) fn append(
    connection: &Connection,
    header: &JournalHeader,
    links: &JournalLinks,
    changes: &[NotedChange],
) -> Result<()> {
    let sql = "INSERT INTO journal (at, active_hours, session_id, actor, operation, summary, run, undoes) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let seq = statement
        .insert(params![
            time::to_iso(header.at),
            header.active_hours.get(),
            header.session.as_ref().map(SessionId::as_str),
            header.actor,
            header.operation,
            header.summary,
            links.run,
            links.undoes,
        ])
        .or_store_error()?;
    let sql = "INSERT INTO journal_changes (seq, position, entity, entity_id, other_id, before_json, after_json) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    for (position, change) in changes.iter().enumerate() {
        // A pair of blocks is stored as two ids, so that the log of either finds it.
        let (id, other) = change.ends();
        statement
            .execute(params![seq, position as i64, change.entity.as_str(), id, other, change.before, change.after,])
            .or_store_error()?;
    }
    Ok(())
}

pub(crate) fn read(connection: &Connection, scopes: &str, query: &JournalQuery) -> Result<Vec<JournalEntry>> {
    let mut entries = Vec::new();
    for Operation { seq, header, links, .. } in operations(connection, scopes, query)? {
        let changes = changes_of(connection, &[seq])?.into_iter().map(|numbered| numbered.change).collect();
        entries.push(JournalEntry { seq, header, links, changes });
    }
    Ok(entries)
}

/// Operations in the order they ran. One is shown to a view when it changed nothing that is hidden from it.
pub(crate) fn operations(connection: &Connection, scopes: &str, query: &JournalQuery) -> Result<Vec<Operation>> {
    let sql = "SELECT seq, at, active_hours, session_id, actor, operation, summary, run, undoes, \
            (SELECT count(*) FROM journal_changes WHERE journal_changes.seq = journal.seq) FROM journal \
        WHERE seq > ?1 AND seq < ?5 AND (?2 IS NULL OR seq IN (SELECT seq FROM journal_changes WHERE entity_id = ?2 \
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
                query.before.unwrap_or(i64::MAX),
            ],
            operation_from_row,
        )
        .or_store_error()?;
    let mut operations: Vec<Operation> = rows.collect::<rusqlite::Result<_>>().or_store_error()?;
    operations.reverse();
    Ok(operations)
}

fn operation_from_row(row: &Row<'_>) -> rusqlite::Result<Operation> {
    let session: Option<String> = row.get(3)?;
    Ok(Operation {
        seq: row.get(0)?,
        header: JournalHeader {
            at: stamp(1, &row.get::<_, String>(1)?)?,
            active_hours: ActiveHours::new(row.get(2)?),
            session: session.as_deref().map(SessionId::from_stored),
            actor: row.get(4)?,
            operation: row.get(5)?,
            summary: row.get(6)?,
        },
        links: JournalLinks { run: row.get(7)?, undoes: row.get(8)? },
        changed: row.get::<_, i64>(9)? as u64,
    })
}

/// The columns of a change; `change_from_row` reads them by position.
const CHANGE: &str = "seq, entity, entity_id, other_id, before_json, after_json";

fn change_from_row(row: &Row<'_>) -> rusqlite::Result<NumberedChange> {
    let name: String = row.get(1)?;
    let entity = Entity::from_name(&name).ok_or_else(|| unreadable(1, format!("unknown journal entity '{name}'")))?;
    let id: String = row.get(2)?;
    let other: Option<String> = row.get(3)?;
    let json = |at: usize| -> rusqlite::Result<Option<Value>> {
        let text: Option<String> = row.get(at)?;
        text.map(|text| serde_json::from_str(&text)).transpose().map_err(|error| unreadable(at, error.to_string()))
    };
    let id = match other {
        Some(other) => format!("{id}:{other}"),
        None => id,
    };
    Ok(NumberedChange { seq: row.get(0)?, change: Change { entity, id, before: json(4)?, after: json(5)? } })
}

fn collect_changes(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<Vec<NumberedChange>> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map(values, change_from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

fn json_of(seqs: &[i64]) -> String {
    Value::from_iter(seqs.iter().copied()).to_string()
}

/// What some operations changed, in the order it happened.
pub(crate) fn changes_of(connection: &Connection, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
    let sql = format!(
        "SELECT {CHANGE} FROM journal_changes WHERE seq IN (SELECT value FROM json_each(?1)) ORDER BY seq, position"
    );
    collect_changes(connection, &sql, [json_of(seqs)])
}

/// What others changed, after the first of some operations, of what those touched.
pub(crate) fn later_changes(connection: &Connection, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
    let Some(first) = seqs.iter().min() else { return Ok(Vec::new()) };
    // The plus keeps SQLite from a walk of the index for every row touched: later changes are few, those touched may be many.
    let sql = format!(
        "WITH mine AS MATERIALIZED (\
             SELECT entity_id AS id FROM journal_changes WHERE seq IN (SELECT value FROM json_each(?1)) \
             UNION SELECT other_id FROM journal_changes \
             WHERE seq IN (SELECT value FROM json_each(?1)) AND other_id IS NOT NULL) \
         SELECT {CHANGE} FROM journal_changes WHERE seq > ?2 AND seq NOT IN (SELECT value FROM json_each(?1)) \
         AND (+entity_id IN mine OR +other_id IN mine \
              OR (entity = 'block' AND instr(after_json, '\"superseded_by\":\"') \
                  AND json_extract(after_json, '$.superseded_by') IN mine)) ORDER BY seq, position"
    );
    collect_changes(connection, &sql, params![json_of(seqs), first])
}

/// Every change of a block, its edges and its contradictions, the newest first.
pub(crate) fn block_changes(connection: &Connection, id: &BlockId) -> Result<Vec<NumberedChange>> {
    let sql = format!(
        "SELECT {CHANGE} FROM journal_changes WHERE entity_id = ?1 OR other_id = ?1 ORDER BY seq DESC, position DESC"
    );
    collect_changes(connection, &sql, [id.as_str()])
}

/// Operations that took back another, the newest first.
pub(crate) fn undos(connection: &Connection) -> Result<Vec<(i64, i64)>> {
    let sql = "SELECT seq, undoes FROM journal WHERE undoes IS NOT NULL ORDER BY seq DESC";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The operations of a run, in order.
pub(crate) fn run(connection: &Connection, run: &str) -> Result<Vec<i64>> {
    let mut statement =
        connection.prepare_cached("SELECT seq FROM journal WHERE run = ?1 ORDER BY seq").or_store_error()?;
    let rows = statement.query_map([run], |row| row.get(0)).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The number of the newest operation.
pub(crate) fn position(connection: &Connection) -> Result<i64> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM journal").or_store_error()?;
    statement.query_row([], |row| row.get(0)).or_store_error()
}
