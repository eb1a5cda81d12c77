//! Frame rows: what the table says is what runs.

use elfmem_core::frame::{CachePolicy, FrameFilters, FrameSource};
use elfmem_core::{Frame, ScoreWeights, Timestamp, time};
use elfmem_store::StoreError;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::from_str;

use crate::blocks::unreadable;
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

const COLUMNS: &str = "name, weights_json, filters_json, guarantees_json, template, token_budget, cache_json, source";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Frame> {
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

pub(crate) fn list(connection: &Connection) -> Result<Vec<Frame>> {
    let sql = format!("SELECT {COLUMNS} FROM frames ORDER BY name");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map([], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn put(connection: &Connection, frame: &Frame, now: Timestamp) -> Result<()> {
    let sql = "INSERT INTO frames (name, weights_json, filters_json, guarantees_json, template, token_budget, \
               cache_json, source, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) \
               ON CONFLICT (name) DO UPDATE SET weights_json = ?2, filters_json = ?3, guarantees_json = ?4, \
               template = ?5, token_budget = ?6, cache_json = ?7, source = ?8";
    let json = |value: serde_json::Result<String>| value.map_err(StoreError::driver);
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement
        .execute(params![
            frame.name,
            json(serde_json::to_string(&frame.weights))?,
            json(serde_json::to_string(&frame.filters))?,
            json(serde_json::to_string(&frame.guarantees))?,
            frame.template,
            frame.token_budget,
            frame.cache.as_ref().map(|policy| json(serde_json::to_string(policy))).transpose()?,
            frame.source.as_str(),
            time::to_iso(now),
        ])
        .or_store_error()?;
    Ok(())
}

pub(crate) fn delete(connection: &Connection, name: &str) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM frames WHERE name = ?1").or_store_error()?;
    statement.execute([name]).or_store_error()?;
    Ok(())
}
