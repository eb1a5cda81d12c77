//! Frame rows: what the table says is what runs.

use elfmem_core::frame::{CachePolicy, FrameFilters, FrameSource};
use elfmem_core::{Frame, ScoreWeights, Timestamp, time};
use elfmem_store::StoreError;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::from_str;

use crate::blocks::unreadable;
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) const COLUMNS: &str =
    "name, weights_json, filters_json, guarantees_json, template, token_budget, cache_json, source";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Frame> {
    let text = |at: usize| row.get::<_, String>(at);
    let cache: Option<String> = row.get(6)?;
    Ok(Frame {
        name: text(0)?,
        weights: from_str::<ScoreWeights>(&text(1)?).map_err(|error| unreadable(1, error.to_string()))?,
        filters: from_str::<FrameFilters>(&text(2)?).map_err(|error| unreadable(2, error.to_string()))?,
        guarantees: from_str(&text(3)?).map_err(|error| unreadable(3, error.to_string()))?,
        template: text(4)?,
        token_budget: row.get(5)?,
        cache: match cache {
            Some(json) => from_str::<Option<CachePolicy>>(&json).map_err(|error| unreadable(6, error.to_string()))?,
            None => None,
        },
        source: if text(7)? == FrameSource::Builtin.as_str() { FrameSource::Builtin } else { FrameSource::User },
    })
}

pub(crate) fn get(connection: &Connection, name: &str) -> Result<Option<Frame>> {
    let sql = format!("SELECT {COLUMNS} FROM frames WHERE name = ?1");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([name], from_row).optional().or_store_error()
}

/// Stores a frame unless its name is taken; whether it was stored.
pub(crate) fn insert(connection: &Connection, frame: &Frame, now: Timestamp) -> Result<bool> {
    let sql = "INSERT INTO frames (name, weights_json, filters_json, guarantees_json, template, token_budget, \
               cache_json, source, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (name) DO NOTHING";
    write(connection, sql, frame, Some(now))
}

/// Replaces a frame, which keeps its age.
pub(crate) fn update(connection: &Connection, frame: &Frame) -> Result<()> {
    let sql = "UPDATE frames SET weights_json = ?2, filters_json = ?3, guarantees_json = ?4, template = ?5, \
               token_budget = ?6, cache_json = ?7, source = ?8 WHERE name = ?1 AND ?9 IS NULL";
    write(connection, sql, frame, None).map(drop)
}

/// Binds a frame to a statement; whether a row was written.
fn write(connection: &Connection, sql: &str, frame: &Frame, now: Option<Timestamp>) -> Result<bool> {
    let json = |value: serde_json::Result<String>| value.map_err(StoreError::driver);
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![
            frame.name,
            json(serde_json::to_string(&frame.weights))?,
            json(serde_json::to_string(&frame.filters))?,
            json(serde_json::to_string(&frame.guarantees))?,
            frame.template,
            frame.token_budget,
            frame.cache.as_ref().map(|policy| json(serde_json::to_string(policy))).transpose()?,
            frame.source.as_str(),
            now.map(time::to_iso),
        ])
        .or_store_error()?;
    Ok(written > 0)
}

pub(crate) fn delete(connection: &Connection, name: &str) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM frames WHERE name = ?1").or_store_error()?;
    statement.execute([name]).or_store_error()?;
    Ok(())
}
