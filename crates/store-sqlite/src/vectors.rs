//! Vectors: those of the blocks, and those a migration keeps aside until it is done.

use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::{StoreError, StoredVector};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::blocks::{COLUMNS, collect, conversion, json, unreadable};
use crate::errors::OrStoreError;
use crate::search;

type Result<T> = std::result::Result<T, StoreError>;

/// Vectors are stored as little-endian 32-bit floats without a header, as the Python elfmem stores them.
pub(crate) fn vector_from_bytes(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

fn vector_to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Vectors of one model of blocks that are not archived; all, or those of some blocks.
pub(crate) fn of_model(
    connection: &Connection,
    scopes: &str,
    model: &str,
    ids: Option<&[BlockId]>,
) -> Result<Vec<StoredVector>> {
    let source = match ids {
        Some(_) => "json_each(?3) AS wanted CROSS JOIN blocks ON blocks.id = wanted.value",
        None => "blocks",
    };
    let sql = format!(
        "SELECT blocks.id, status, embedding FROM {source} WHERE status IN ('inbox', 'active') AND embedding IS NOT NULL \
         AND embedding_model = ?2 AND instr(?1, '\u{1f}' || scope || '\u{1f}')"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = match ids {
        Some(ids) => statement.query_map(params![scopes, model, json(ids)], vector_from_row),
        None => statement.query_map(params![scopes, model], vector_from_row),
    };
    rows.or_store_error()?.collect::<rusqlite::Result<_>>().or_store_error()
}

fn vector_from_row(row: &Row<'_>) -> rusqlite::Result<StoredVector> {
    let status: String = row.get(1)?;
    let bytes = row.get_ref(2)?.as_blob().map_err(|error| conversion(2, error))?;
    Ok(StoredVector {
        id: BlockId::from_stored(row.get_ref(0)?.as_str().map_err(|error| conversion(0, error))?),
        status: BlockStatus::from_name(&status).ok_or_else(|| unreadable(1, format!("unknown status '{status}'")))?,
        vector: vector_from_bytes(bytes),
    })
}

pub(crate) fn models(connection: &Connection, scopes: &str) -> Result<Vec<(String, u64)>> {
    let sql = "SELECT coalesce(embedding_model, ''), count(*) FROM blocks WHERE embedding IS NOT NULL \
               AND status IN ('inbox', 'active') AND instr(?1, '\u{1f}' || scope || '\u{1f}') GROUP BY 1 ORDER BY 2 DESC, 1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map([scopes], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64))).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// A block's vector, whatever its status.
pub(crate) fn of_block(connection: &Connection, id: &BlockId) -> Result<Option<Vec<f32>>> {
    let mut statement = connection.prepare_cached("SELECT embedding FROM blocks WHERE id = ?1").or_store_error()?;
    let bytes: Option<Option<Vec<u8>>> =
        statement.query_row([id.as_str()], |row| row.get(0)).optional().or_store_error()?;
    Ok(bytes.flatten().map(|bytes| vector_from_bytes(&bytes)))
}

/// The model a block's vector comes from; the outer none when there is no such block.
pub(crate) fn model_of(connection: &Connection, scopes: &str, id: &BlockId) -> Result<Option<Option<String>>> {
    let sql = "SELECT embedding_model FROM blocks WHERE id = ?1 AND instr(?2, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.query_row(params![id.as_str(), scopes], |row| row.get(0)).optional().or_store_error()
}

pub(crate) fn set_embedding(connection: &Connection, id: &BlockId, model: &str, vector: &[f32]) -> Result<()> {
    let sql = "UPDATE blocks SET embedding = ?2, embedding_model = ?3 WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute(params![id.as_str(), vector_to_bytes(vector), model]).or_store_error()?;
    search::set_vector(connection, id, model, vector)
}

/// Removes a block's vector.
pub(crate) fn clear_embedding(connection: &Connection, id: &BlockId) -> Result<()> {
    for sql in [
        "UPDATE blocks SET embedding = NULL, embedding_model = NULL WHERE id = ?1",
        "UPDATE search_documents SET model = NULL, coarse = NULL WHERE block_id = ?1",
    ] {
        connection.prepare_cached(sql).or_store_error()?.execute([id.as_str()]).or_store_error()?;
    }
    Ok(())
}

/// Blocks of every scope without a staged vector.
pub(crate) fn unstaged(connection: &Connection, model: &str, limit: u32) -> Result<Vec<Block>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM blocks WHERE status IN ('inbox', 'active') \
         AND NOT EXISTS (SELECT 1 FROM staged_vectors WHERE block_id = blocks.id AND model = ?1) \
         ORDER BY blocks.id LIMIT ?2"
    );
    collect(connection, &sql, params![model, limit])
}

pub(crate) fn count_staged(connection: &Connection, model: &str) -> Result<u64> {
    let mut statement =
        connection.prepare_cached("SELECT count(*) FROM staged_vectors WHERE model = ?1").or_store_error()?;
    statement.query_row([model], |row| row.get::<_, i64>(0)).map(|count| count as u64).or_store_error()
}

/// Visits the staged vectors of a model in id order.
pub(crate) fn scan_staged(connection: &Connection, model: &str, visit: &mut dyn FnMut(&BlockId, &[f32])) -> Result<()> {
    let sql = "SELECT block_id, embedding FROM staged_vectors WHERE model = ?1 ORDER BY block_id";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([model]).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        let id = row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?;
        let bytes = row.get_ref(1).or_store_error()?.as_blob_or_null().map_err(StoreError::driver)?;
        visit(&BlockId::from_stored(id), &bytes.map(vector_from_bytes).unwrap_or_default());
    }
    Ok(())
}

pub(crate) fn clear_staged(connection: &Connection, model: &str) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM staged_vectors WHERE model = ?1").or_store_error()?;
    statement.execute([model]).or_store_error()?;
    Ok(())
}

/// A block with nothing to embed is staged with an empty vector, so that it counts as done. One that was purged meanwhile is
/// passed over.
pub(crate) fn stage(connection: &Connection, model: &str, vectors: &[(BlockId, Vec<f32>)]) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO staged_vectors (block_id, model, embedding)
        SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM blocks WHERE id = ?1)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    for (id, vector) in vectors {
        let bytes = (!vector.is_empty()).then(|| vector_to_bytes(vector));
        statement.execute(params![id.as_str(), model, bytes]).or_store_error()?;
    }
    Ok(())
}

pub(crate) fn adopt_staged(connection: &Connection, model: &str) -> Result<u64> {
    let moved = connection
        .execute(
            "UPDATE blocks SET (embedding, embedding_model) = (SELECT embedding, CASE WHEN embedding IS NULL THEN NULL \
             ELSE model END FROM staged_vectors WHERE block_id = blocks.id AND model = ?1) \
             WHERE EXISTS (SELECT 1 FROM staged_vectors WHERE block_id = blocks.id AND model = ?1)",
            [model],
        )
        .or_store_error()?;
    // Archived blocks are not searched. A vector of another model must not come back with them.
    connection
        .execute("UPDATE blocks SET embedding = NULL, embedding_model = NULL WHERE embedding_model <> ?1", [model])
        .or_store_error()?;
    clear_staged(connection, model)?;
    search::renew_vectors(connection)?;
    Ok(moved as u64)
}
