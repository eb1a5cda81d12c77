//! Edge rows. An edge is seen only where both of its blocks are.

use std::collections::HashMap;

use elfmem_core::{ActiveHours, BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Relation, time};
use elfmem_store::{NodeState, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::blocks::{conversion, exists, json, stamp};
use crate::errors::OrStoreError;
use crate::visibility::Sight;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) const COLUMNS: &str = "edges.from_id, edges.to_id, edges.weight, edges.reinforcement_count, edges.created_at, \
    edges.relation_type, edges.origin, edges.last_active_hours, edges.note, edges.asserted_from";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Edge> {
    let text = |at: usize| row.get_ref(at)?.as_str().map_err(|error| conversion(at, error));
    let optional = |at: usize| row.get_ref(at)?.as_str_or_null().map_err(|error| conversion(at, error));
    Ok(Edge {
        key: EdgeKey { from_id: BlockId::from_stored(text(0)?), to_id: BlockId::from_stored(text(1)?) },
        weight: EdgeWeight::saturating(row.get(2)?),
        reinforcement_count: row.get::<_, i64>(3)?.clamp(0, i64::from(u32::MAX)) as u32,
        created_at: stamp(4, text(4)?)?,
        relation_type: Relation::new(text(5)?),
        origin: EdgeOrigin::new(text(6)?),
        last_active_hours: row.get::<_, Option<f64>>(7)?.map(ActiveHours::new),
        note: row.get(8)?,
        asserted_from: optional(9)?.map(BlockId::from_stored),
    })
}

pub(crate) fn get(connection: &Connection, sight: Sight<'_>, key: &EdgeKey) -> Result<Option<Edge>> {
    let sql = format!("SELECT {COLUMNS} FROM edges WHERE from_id = ?2 AND to_id = ?3 AND {}", sight.of_both());
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement
        .query_row(params![sight.scopes, key.from_id.as_str(), key.to_id.as_str()], from_row)
        .optional()
        .or_store_error()
}

pub(crate) fn of_block(connection: &Connection, sight: Sight<'_>, id: &BlockId) -> Result<Vec<Edge>> {
    if !sight.everything && !exists(connection, sight.scopes, id)? {
        return Ok(Vec::new());
    }
    // One end is known to be visible; the other is looked at from whichever side it is on.
    let sql = format!(
        "SELECT {COLUMNS} FROM edges WHERE from_id = ?2 AND {} \
         UNION ALL SELECT {COLUMNS} FROM edges WHERE to_id = ?2 AND {}",
        sight.of("edges.to_id"),
        sight.of("edges.from_id")
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params![sight.scopes, id.as_str()], from_row).or_store_error()?;
    let mut edges: Vec<Edge> = rows.collect::<rusqlite::Result<_>>().or_store_error()?;
    edges.sort_by(|a, b| b.weight.get().total_cmp(&a.weight.get()).then_with(|| a.key.cmp(&b.key)));
    Ok(edges)
}

/// Every edge with at least one end among `ids`.
fn touching(connection: &Connection, sight: Sight<'_>, ids: &[BlockId]) -> Result<Vec<Edge>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM edges WHERE (from_id IN (SELECT value FROM json_each(?2)) \
         OR to_id IN (SELECT value FROM json_each(?2))) AND {}",
        sight.of_both()
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params![sight.scopes, json(ids)], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Every edge with at least one end among the blocks that [`crate::archive::mark`] marked.
pub(crate) fn of_marked(connection: &Connection, sight: Sight<'_>) -> Result<Vec<Edge>> {
    let sql =
        format!("SELECT {COLUMNS} FROM edges WHERE (from_id IN marked OR to_id IN marked) AND {}", sight.of_both());
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map([sight.scopes], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Counts the visible edges of a block that is bound as `?2`.
fn degree(sight: Sight<'_>) -> String {
    let (from, to) = (sight.of("edges.to_id"), sight.of("edges.from_id"));
    format!(
        "(SELECT count(*) FROM edges WHERE from_id = ?2 AND {from}) + (SELECT count(*) FROM edges WHERE to_id = ?2 AND {to})"
    )
}

/// The number of edges of each block.
pub(crate) fn degrees(connection: &Connection, sight: Sight<'_>, ids: &[BlockId]) -> Result<HashMap<BlockId, usize>> {
    let mut statement = connection.prepare_cached(&format!("SELECT {}", degree(sight))).or_store_error()?;
    let mut degrees = HashMap::with_capacity(ids.len());
    for id in ids {
        let count: i64 = statement.query_row(params![sight.scopes, id.as_str()], |row| row.get(0)).or_store_error()?;
        degrees.insert(id.clone(), count as usize);
    }
    Ok(degrees)
}

/// The status and the number of edges of each block, in one statement a block.
pub(crate) fn node_states(
    connection: &Connection,
    sight: Sight<'_>,
    ids: &[BlockId],
) -> Result<HashMap<BlockId, NodeState>> {
    let sql = format!(
        "SELECT status, {} FROM blocks WHERE id = ?2 AND instr(?1, '\u{1f}' || scope || '\u{1f}')",
        degree(sight)
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let mut states = HashMap::with_capacity(ids.len());
    for id in ids {
        let found = statement.query_row(params![sight.scopes, id.as_str()], |row| {
            let status = row.get_ref(0)?.as_str().map_err(|error| conversion(0, error))?;
            Ok(BlockStatus::from_name(status).zip(row.get::<_, i64>(1)?.try_into().ok()))
        });
        if let Some((status, degree)) = found.optional().or_store_error()?.flatten() {
            states.insert(id.clone(), NodeState { status, degree });
        }
    }
    Ok(states)
}

pub(crate) fn neighbours(connection: &Connection, sight: Sight<'_>, ids: &[BlockId]) -> Result<Vec<BlockId>> {
    let mut found: Vec<BlockId> = touching(connection, sight, ids)?
        .into_iter()
        .flat_map(|edge| [edge.key.from_id, edge.key.to_id])
        .filter(|id| !ids.contains(id))
        .collect();
    found.sort();
    found.dedup();
    Ok(found)
}

/// Stores an edge unless the pair has one; whether it was stored.
pub(crate) fn insert(connection: &Connection, edge: &Edge) -> Result<bool> {
    // Not `OR IGNORE`, which would also accept an edge to a block that does not exist.
    let sql = "INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin, \
               last_active_hours, note, asserted_from) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
               ON CONFLICT (from_id, to_id) DO NOTHING";
    write(connection, sql, edge)
}

/// Changes an edge in place. Replacing the row would move it, and its entry in every index.
pub(crate) fn update(connection: &Connection, edge: &Edge) -> Result<()> {
    let sql = "UPDATE edges SET weight = ?3, reinforcement_count = ?4, created_at = ?5, relation_type = ?6, origin = ?7, \
               last_active_hours = ?8, note = ?9, asserted_from = ?10 WHERE from_id = ?1 AND to_id = ?2";
    write(connection, sql, edge).map(drop)
}

/// Binds an edge to a statement; whether a row was written.
fn write(connection: &Connection, sql: &str, edge: &Edge) -> Result<bool> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![
            edge.key.from_id.as_str(),
            edge.key.to_id.as_str(),
            edge.weight.get(),
            edge.reinforcement_count,
            time::to_iso(edge.created_at),
            edge.relation_type.as_str(),
            edge.origin.as_str(),
            edge.last_active_hours.map(ActiveHours::get),
            edge.note,
            edge.asserted_from.as_ref().map(BlockId::as_str),
        ])
        .or_store_error()?;
    Ok(written > 0)
}

/// Removes an edge; whether there was one.
pub(crate) fn delete(connection: &Connection, key: &EdgeKey) -> Result<bool> {
    let mut statement =
        connection.prepare_cached("DELETE FROM edges WHERE from_id = ?1 AND to_id = ?2").or_store_error()?;
    let removed = statement.execute(params![key.from_id.as_str(), key.to_id.as_str()]).or_store_error()?;
    Ok(removed > 0)
}

/// Removes an edge that can be seen; what it was.
pub(crate) fn take(connection: &Connection, sight: Sight<'_>, key: &EdgeKey) -> Result<Option<Edge>> {
    let sql =
        format!("DELETE FROM edges WHERE from_id = ?2 AND to_id = ?3 AND {} RETURNING {COLUMNS}", sight.of_both());
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement
        .query_row(params![sight.scopes, key.from_id.as_str(), key.to_id.as_str()], from_row)
        .optional()
        .or_store_error()
}

/// Every visible edge strictly weaker than the threshold.
pub(crate) fn weaker_than(connection: &Connection, sight: Sight<'_>, threshold: EdgeWeight) -> Result<Vec<Edge>> {
    let sql = format!("SELECT {COLUMNS} FROM edges WHERE weight < ?2 AND {}", sight.of_both());
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params![sight.scopes, threshold.get()], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}
