//! Contradiction rows.

use elfmem_core::{BlockId, time};
use elfmem_store::{Contradiction, ContradictionFilter, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::blocks::{json, stamp};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) const COLUMNS: &str = "block_a_id, block_b_id, score, resolved, created_at, reason, note";

/// Both sides in the view's scopes, which are bound as `?1`.
pub(crate) const VISIBLE: &str = "EXISTS (SELECT 1 FROM blocks INDEXED BY idx_blocks_id_scope WHERE id = block_a_id AND instr(?1, '\u{1f}' || scope || '\u{1f}')) \
    AND EXISTS (SELECT 1 FROM blocks INDEXED BY idx_blocks_id_scope WHERE id = block_b_id AND instr(?1, '\u{1f}' || scope || '\u{1f}'))";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Contradiction> {
    let created: String = row.get(4)?;
    Ok(Contradiction {
        block_a_id: BlockId::from_stored(&row.get::<_, String>(0)?),
        block_b_id: BlockId::from_stored(&row.get::<_, String>(1)?),
        score: row.get(2)?,
        resolved: row.get(3)?,
        created_at: stamp(4, &created)?,
        reason: row.get(5)?,
        note: row.get(6)?,
    })
}

pub(crate) fn get(connection: &Connection, scopes: &str, a: &BlockId, b: &BlockId) -> Result<Option<Contradiction>> {
    let sql = format!("SELECT {COLUMNS} FROM contradictions WHERE block_a_id = ?2 AND block_b_id = ?3 AND {VISIBLE}");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row(params![scopes, a.as_str(), b.as_str()], from_row).optional().or_store_error()
}

/// Unresolved ones with any of the blocks.
pub(crate) fn unresolved_of(connection: &Connection, scopes: &str, ids: &[BlockId]) -> Result<Vec<Contradiction>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM contradictions WHERE resolved = 0 AND (block_a_id IN (SELECT value FROM json_each(?2)) \
         OR block_b_id IN (SELECT value FROM json_each(?2))) AND {VISIBLE} ORDER BY created_at, block_a_id, block_b_id"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params![scopes, json(ids)], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Settled ones with a block.
pub(crate) fn settled_of(connection: &Connection, scopes: &str, id: &BlockId) -> Result<Vec<Contradiction>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM contradictions WHERE resolved <> 0 AND (block_a_id = ?2 OR block_b_id = ?2) AND {VISIBLE}"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params![scopes, id.as_str()], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Lists the visible contradictions, newest first.
pub(crate) fn list(connection: &Connection, scopes: &str, filter: ContradictionFilter) -> Result<Vec<Contradiction>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM contradictions WHERE (?2 OR resolved = 0) AND {VISIBLE} \
         ORDER BY created_at DESC, block_a_id, block_b_id"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params![scopes, filter == ContradictionFilter::All], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Visible ones with one of the blocks that [`crate::archive::mark`] marked, resolved or not.
pub(crate) fn of_marked(connection: &Connection, scopes: &str) -> Result<Vec<Contradiction>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM contradictions WHERE (block_a_id IN marked OR block_b_id IN marked) AND {VISIBLE}"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map([scopes], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Stores a contradiction unless the pair has one; whether it was stored.
pub(crate) fn insert(connection: &Connection, contradiction: &Contradiction) -> Result<bool> {
    let sql = "INSERT INTO contradictions (block_a_id, block_b_id, score, resolved, created_at, reason, note) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (block_a_id, block_b_id) DO NOTHING";
    write(connection, sql, contradiction)
}

/// Replaces the contradiction of a pair.
pub(crate) fn update(connection: &Connection, contradiction: &Contradiction) -> Result<()> {
    let sql = "UPDATE contradictions SET score = ?3, resolved = ?4, created_at = ?5, reason = ?6, note = ?7 \
               WHERE block_a_id = ?1 AND block_b_id = ?2";
    write(connection, sql, contradiction).map(drop)
}

/// Binds a contradiction to a statement; whether a row was written.
fn write(connection: &Connection, sql: &str, contradiction: &Contradiction) -> Result<bool> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![
            contradiction.block_a_id.as_str(),
            contradiction.block_b_id.as_str(),
            contradiction.score,
            contradiction.resolved,
            time::to_iso(contradiction.created_at),
            contradiction.reason,
            contradiction.note,
        ])
        .or_store_error()?;
    Ok(written > 0)
}

pub(crate) fn delete(connection: &Connection, contradiction: &Contradiction) -> Result<()> {
    let mut statement = connection
        .prepare_cached("DELETE FROM contradictions WHERE block_a_id = ?1 AND block_b_id = ?2")
        .or_store_error()?;
    statement
        .execute(params![contradiction.block_a_id.as_str(), contradiction.block_b_id.as_str()])
        .or_store_error()?;
    Ok(())
}
