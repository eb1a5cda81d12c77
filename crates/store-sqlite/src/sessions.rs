//! Session rows and the settings kept in the memory.

use elfmem_core::{ActiveHours, ClockState, Session, SessionId, SessionKind, time};
use elfmem_store::{LAST_ACTIVITY_AT, StoreError, TOTAL_ACTIVE_HOURS};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::blocks::stamp;
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) const COLUMNS: &str =
    "id, task_type, kind, started_at, ended_at, start_active_hours, coalesce(last_seen_at, started_at)";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Session> {
    let text = |at: usize| row.get::<_, String>(at);
    let ended: Option<String> = row.get(4)?;
    Ok(Session {
        id: SessionId::from_stored(&text(0)?),
        task_type: text(1)?,
        kind: SessionKind::from_name(&text(2)?),
        started_at: stamp(3, &text(3)?)?,
        ended_at: ended.map(|text| stamp(4, &text)).transpose()?,
        start_active_hours: ActiveHours::new(row.get(5)?),
        last_seen_at: stamp(6, &text(6)?)?,
    })
}

pub(crate) fn get(connection: &Connection, id: &SessionId) -> Result<Option<Session>> {
    let sql = format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([id.as_str()], from_row).optional().or_store_error()
}

/// Sessions without an end, the latest first.
pub(crate) fn open(connection: &Connection) -> Result<Vec<Session>> {
    let sql = format!("SELECT {COLUMNS} FROM sessions WHERE ended_at IS NULL ORDER BY started_at DESC, position DESC");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map([], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn put(connection: &Connection, session: &Session) -> Result<()> {
    // Every operation is a sign of life of an open session; the index over those need not hear of it.
    if session.ended_at.is_none() && see(connection, session)? {
        return Ok(());
    }
    let sql = "INSERT INTO sessions (id, task_type, kind, started_at, ended_at, start_active_hours, last_seen_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE SET ended_at = ?5, last_seen_at = ?7";
    write(connection, sql, session).map(drop)
}

/// Stores a session unless its id is taken; whether it was stored.
pub(crate) fn insert(connection: &Connection, session: &Session) -> Result<bool> {
    let sql = "INSERT INTO sessions (id, task_type, kind, started_at, ended_at, start_active_hours, last_seen_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING";
    write(connection, sql, session)
}

/// Replaces a session.
pub(crate) fn update(connection: &Connection, session: &Session) -> Result<()> {
    let sql = "UPDATE sessions SET task_type = ?2, kind = ?3, started_at = ?4, ended_at = ?5, start_active_hours = ?6, \
               last_seen_at = ?7 WHERE id = ?1";
    write(connection, sql, session).map(drop)
}

/// Binds a session to a statement; whether a row was written.
fn write(connection: &Connection, sql: &str, session: &Session) -> Result<bool> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![
            session.id.as_str(),
            session.task_type,
            session.kind.as_str(),
            time::to_iso(session.started_at),
            session.ended_at.map(time::to_iso),
            session.start_active_hours.get(),
            time::to_iso(session.last_seen_at),
        ])
        .or_store_error()?;
    Ok(written > 0)
}

/// Notes when an open session was last seen; false when there is none of that id.
fn see(connection: &Connection, session: &Session) -> Result<bool> {
    let sql = "UPDATE sessions SET last_seen_at = ?2 WHERE id = ?1 AND ended_at IS NULL";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let seen = statement.execute([session.id.as_str(), &time::to_iso(session.last_seen_at)]).or_store_error()?;
    Ok(seen > 0)
}

pub(crate) fn get_config(connection: &Connection, key: &str) -> Result<Option<String>> {
    let mut statement = connection.prepare_cached("SELECT value FROM system_config WHERE key = ?1").or_store_error()?;
    statement.query_row([key], |row| row.get(0)).optional().or_store_error()
}

pub(crate) fn set_config(connection: &Connection, key: &str, value: &str) -> Result<()> {
    let sql = "INSERT INTO system_config (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute([key, value]).or_store_error()?;
    Ok(())
}

/// Stores a setting unless there is one of that name; whether it was stored.
pub(crate) fn insert_config(connection: &Connection, key: &str, value: &str) -> Result<bool> {
    let sql = "INSERT INTO system_config (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    Ok(statement.execute([key, value]).or_store_error()? > 0)
}

/// Both halves of the clock in one statement: every operation reads it.
pub(crate) fn get_clock(connection: &Connection) -> Result<ClockState> {
    let sql =
        "SELECT (SELECT value FROM system_config WHERE key = ?1), (SELECT value FROM system_config WHERE key = ?2)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let (hours, last): (Option<String>, Option<String>) = statement
        .query_row([TOTAL_ACTIVE_HOURS, LAST_ACTIVITY_AT], |row| Ok((row.get(0)?, row.get(1)?)))
        .or_store_error()?;
    let hours = hours.and_then(|text| text.parse().ok()).unwrap_or(0.0);
    Ok(ClockState { hours: ActiveHours::new(hours), last_activity: last.and_then(|text| time::from_iso(&text)) })
}

/// Every operation moves the clock; hours that would fall stay.
pub(crate) fn set_clock(connection: &Connection, clock: ClockState) -> Result<()> {
    let sql = "INSERT INTO system_config (key, value) VALUES (?1, ?2), (?3, ?4) ON CONFLICT (key) DO UPDATE \
               SET value = excluded.value WHERE key <> ?1 OR CAST(value AS REAL) <= CAST(excluded.value AS REAL)";
    let last = match clock.last_activity {
        Some(at) => time::to_iso(at),
        None => get_config(connection, LAST_ACTIVITY_AT)?.unwrap_or_default(),
    };
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement
        .execute(params![TOTAL_ACTIVE_HOURS, clock.hours.get().to_string(), LAST_ACTIVITY_AT, last])
        .or_store_error()?;
    Ok(())
}
