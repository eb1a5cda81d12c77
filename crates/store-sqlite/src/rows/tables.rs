//! The small tables: staged pairs and tombstones.

use elfmem_core::{BlockId, EdgeKey, time};
use elfmem_store::{StagedPair, StoreError, Tombstone};
use rusqlite::{Connection, OptionalExtension, params};

use super::scan::{pair_from_row, tombstone_from_row};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(super) fn pair(connection: &Connection, key: &EdgeKey) -> Result<Option<StagedPair>> {
    let sql = "SELECT from_id, to_id, count, sessions FROM co_retrieval_staging WHERE from_id = ?1 AND to_id = ?2";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.query_row([key.from_id.as_str(), key.to_id.as_str()], pair_from_row).optional().or_store_error()
}

pub(super) fn insert_pair(connection: &Connection, pair: &StagedPair) -> Result<bool> {
    let sql = "INSERT INTO co_retrieval_staging (from_id, to_id, count, sessions) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (from_id, to_id) DO NOTHING";
    write_pair(connection, sql, pair)
}

pub(super) fn update_pair(connection: &Connection, pair: &StagedPair) -> Result<()> {
    let sql = "UPDATE co_retrieval_staging SET count = ?3, sessions = ?4 WHERE from_id = ?1 AND to_id = ?2";
    write_pair(connection, sql, pair).map(drop)
}

fn write_pair(connection: &Connection, sql: &str, pair: &StagedPair) -> Result<bool> {
    let lines: String = pair.sessions.iter().map(|session| format!("{session}\n")).collect();
    let sessions = (!lines.is_empty()).then(|| format!("\n{lines}"));
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![pair.key.from_id.as_str(), pair.key.to_id.as_str(), pair.count, sessions])
        .or_store_error()?;
    Ok(written > 0)
}

pub(super) fn tombstone(connection: &Connection, scopes: &str, id: &BlockId) -> Result<Option<Tombstone>> {
    let sql = "SELECT block_id, purged_at, actor FROM tombstones \
               WHERE block_id = ?2 AND instr(?1, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.query_row([scopes, id.as_str()], tombstone_from_row).optional().or_store_error()
}

/// Finds the first tombstone whose id begins with a prefix.
pub(crate) fn find_tombstone(connection: &Connection, scopes: &str, prefix: &str) -> Result<Option<Tombstone>> {
    let sql = "SELECT block_id, purged_at, actor FROM tombstones WHERE block_id >= ?1 AND block_id < ?1 || char(1114111) \
               AND instr(?2, '\u{1f}' || scope || '\u{1f}') ORDER BY block_id LIMIT 1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.query_row([prefix, scopes], tombstone_from_row).optional().or_store_error()
}

pub(super) fn insert_tombstone(connection: &Connection, scope: &str, tombstone: &Tombstone) -> Result<bool> {
    let sql = "INSERT INTO tombstones (block_id, scope, purged_at, actor) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (block_id) DO NOTHING";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![tombstone.block_id.as_str(), scope, time::to_iso(tombstone.purged_at), tombstone.actor])
        .or_store_error()?;
    Ok(written > 0)
}

pub(super) fn update_tombstone(connection: &Connection, tombstone: &Tombstone) -> Result<()> {
    let sql = "UPDATE tombstones SET purged_at = ?2, actor = ?3 WHERE block_id = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement
        .execute(params![tombstone.block_id.as_str(), time::to_iso(tombstone.purged_at), tombstone.actor])
        .or_store_error()?;
    Ok(())
}

/// Removes the row of a text key.
pub(super) fn delete(connection: &Connection, table: &str, column: &str, key: &str) -> Result<()> {
    let mut statement =
        connection.prepare_cached(&format!("DELETE FROM {table} WHERE {column} = ?1")).or_store_error()?;
    statement.execute([key]).or_store_error()?;
    Ok(())
}
