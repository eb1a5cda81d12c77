//! Event rows. They are only added; an undo takes back its own.

use elfmem_core::event::{ContextId, EventKind, EventSource};
use elfmem_core::{BlockId, SessionId, time};
use elfmem_store::{Event, EventQuery, StoreError};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use crate::blocks::{json, stamp, unreadable};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) const COLUMNS: &str = "events.id, kind, events.source, payload, links, context_id, block_id, session_id, happened_at, \
    recorded_at, content";

/// In the view's scopes, which are bound as `?1`; one that became a block, only where that is seen.
pub(crate) const VISIBLE: &str = "instr(?1, '\u{1f}' || events.scope || '\u{1f}') AND (block_id IS NULL \
    OR EXISTS (SELECT 1 FROM blocks WHERE id = block_id AND instr(?1, '\u{1f}' || blocks.scope || '\u{1f}')))";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Event> {
    let text = |at: usize| row.get::<_, String>(at);
    let maybe = |at: usize| row.get::<_, Option<String>>(at);
    let (kind, source) = (text(1)?, text(2)?);
    let parsed = |at: usize, problem: serde_json::Error| unreadable(at, format!("an event cannot be read: {problem}"));
    Ok(Event {
        id: text(0)?,
        kind: EventKind::parse(&kind).ok_or_else(|| unreadable(1, format!("unknown event kind '{kind}'")))?,
        source: EventSource::parse(&source).ok_or_else(|| unreadable(2, format!("unknown source '{source}'")))?,
        payload: serde_json::from_str(&text(3)?).map_err(|problem| parsed(3, problem))?,
        links: serde_json::from_str(&text(4)?).map_err(|problem| parsed(4, problem))?,
        context_id: maybe(5)?.map(|id| ContextId::from_stored(&id)),
        block_id: maybe(6)?.map(|id| BlockId::from_stored(&id)),
        session_id: maybe(7)?.map(|id| SessionId::from_stored(&id)),
        happened_at: stamp(8, &text(8)?)?,
        recorded_at: stamp(9, &text(9)?)?,
        content: text(10)?,
    })
}

pub(crate) fn get(connection: &Connection, scopes: &str, id: &str) -> Result<Option<Event>> {
    let sql = format!("SELECT {COLUMNS} FROM events WHERE id = ?2 AND {VISIBLE}");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([scopes, id], from_row).optional().or_store_error()
}

/// The conditions of a query and what is bound in them, the scopes first.
fn conditions(scopes: &str, query: &EventQuery) -> (String, Vec<Value>) {
    let mut values: Vec<Value> = vec![scopes.to_owned().into()];
    let mut all = vec![VISIBLE.to_owned()];
    let mut add = |condition: &str, value: String| {
        values.push(value.into());
        all.push(condition.replace('#', &format!("?{}", values.len())));
    };
    if !query.kinds.is_empty() {
        let kinds: Vec<&str> = query.kinds.iter().map(|kind| kind.as_str()).collect();
        add("kind IN (SELECT value FROM json_each(#))", serde_json::to_string(&kinds).unwrap_or_default());
    }
    if let Some(source) = query.source {
        add("events.source = #", source.as_str().to_owned());
    }
    if let Some(context) = &query.context {
        add("context_id = #", context.as_str().to_owned());
    }
    if let Some(blocks) = &query.blocks {
        add("block_id IN (SELECT value FROM json_each(#))", json(blocks));
    }
    if let Some(since) = query.since {
        add("happened_at >= #", time::to_iso(since));
    }
    match query.admitted {
        Some(true) => all.push("block_id IS NOT NULL".to_owned()),
        Some(false) => all.push("block_id IS NULL".to_owned()),
        None => {}
    }
    (all.join(" AND "), values)
}

pub(crate) fn list(connection: &Connection, scopes: &str, query: &EventQuery) -> Result<Vec<Event>> {
    let (conditions, values) = conditions(scopes, query);
    let sql = format!(
        "SELECT {COLUMNS} FROM events WHERE {conditions} ORDER BY recorded_at DESC, number DESC LIMIT {} OFFSET {}",
        query.limit.map_or(-1, i64::from),
        query.offset
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params_from_iter(values), from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn count(connection: &Connection, scopes: &str, query: &EventQuery) -> Result<u64> {
    let (conditions, values) = conditions(scopes, query);
    let sql = format!("SELECT count(*) FROM events WHERE {conditions}");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row(params_from_iter(values), |row| row.get::<_, i64>(0)).map(|count| count as u64).or_store_error()
}

/// Stores an event unless its id is taken; whether it was stored.
pub(crate) fn insert(connection: &Connection, scope: &str, event: &Event) -> Result<bool> {
    let sql = "INSERT INTO events (scope, id, kind, source, payload, links, context_id, block_id, session_id, happened_at, \
               recorded_at, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) DO NOTHING";
    write(connection, sql, Some(scope), event)
}

/// Replaces an event. Its scope stays.
pub(crate) fn update(connection: &Connection, event: &Event) -> Result<()> {
    let sql = "UPDATE events SET kind = ?3, source = ?4, payload = ?5, links = ?6, context_id = ?7, block_id = ?8, \
               session_id = ?9, happened_at = ?10, recorded_at = ?11, content = ?12 WHERE id = ?2 AND ?1 IS NULL";
    write(connection, sql, None, event).map(drop)
}

/// Binds an event to a statement; whether a row was written.
fn write(connection: &Connection, sql: &str, scope: Option<&str>, event: &Event) -> Result<bool> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let stored = statement
        .execute(params![
            scope,
            event.id,
            event.kind.as_str(),
            event.source.as_str(),
            event.payload.to_string(),
            serde_json::to_string(&event.links).unwrap_or_default(),
            event.context_id.as_ref().map(ContextId::as_str),
            event.block_id.as_ref().map(BlockId::as_str),
            event.session_id.as_ref().map(SessionId::as_str),
            time::to_iso(event.happened_at),
            time::to_iso(event.recorded_at),
            event.content,
        ])
        .or_store_error()?;
    Ok(stored > 0)
}

pub(crate) fn delete(connection: &Connection, id: &str) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM events WHERE id = ?1").or_store_error()?;
    statement.execute([id]).or_store_error()?;
    Ok(())
}
