//! Block rows, with what is derived from them: the full-text index and what recall reads.

use elfmem_core::{Block, BlockId, BroughtBy};
use elfmem_store::{BlockRow, Provenance, Row as MemoryRow, RowKind, RowQuery, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::scan;
use crate::errors::OrStoreError;
use crate::{blocks, search, vectors};

type Result<T> = std::result::Result<T, StoreError>;

/// Reads a block with its provenance and its vector.
pub(super) fn get(connection: &Connection, scopes: &str, id: &BlockId) -> Result<Option<BlockRow>> {
    let ids = std::slice::from_ref(id);
    let query = RowQuery::of(RowKind::Block, ids).with_vectors();
    let mut found = None;
    scan(connection, scopes, query, &mut |row, _, _| {
        if let MemoryRow::Block(row) = row {
            found = Some((**row).clone());
        }
        std::ops::ControlFlow::Break(())
    })?;
    Ok(found)
}

/// Stores a block unless its id is taken; whether it was stored.
pub(super) fn insert(connection: &Connection, row: &BlockRow) -> Result<bool> {
    match blocks::insert(connection, &row.block) {
        Ok(()) => {}
        Err(StoreError::Duplicate { .. }) => return Ok(false),
        Err(error) => return Err(error),
    }
    search::reindex(connection, None, Some(&row.block))?;
    if row.provenance != Provenance::default() {
        set_provenance(connection, &row.block.id, &row.provenance)?;
    }
    write_vector(connection, &row.block, row.vector.as_deref())?;
    Ok(true)
}

/// Replaces a block, its provenance and its vector where they differ.
pub(super) fn replace(connection: &Connection, before: &BlockRow, after: &BlockRow) -> Result<()> {
    if before.block != after.block {
        blocks::update(connection, &before.block, &after.block)?;
        search::reindex(connection, Some(&before.block), Some(&after.block))?;
    }
    if before.provenance != after.provenance {
        set_provenance(connection, &after.block.id, &after.provenance)?;
    }
    if before.vector != after.vector || before.block.embedding_model != after.block.embedding_model {
        match &after.vector {
            Some(_) => write_vector(connection, &after.block, after.vector.as_deref())?,
            None => vectors::clear_embedding(connection, &after.block.id)?,
        }
    }
    Ok(())
}

fn write_vector(connection: &Connection, block: &Block, vector: Option<&[f32]>) -> Result<()> {
    match (&block.embedding_model, vector) {
        (Some(model), Some(vector)) => vectors::set_embedding(connection, &block.id, model, vector),
        _ => Ok(()),
    }
}

/// Removes a block. Foreign keys remove nearly everything attached to it; links have none, because an end may be a context.
pub(super) fn remove(connection: &Connection, block: &Block) -> Result<()> {
    search::reindex(connection, Some(block), None)?;
    blocks::delete(connection, &block.id)?;
    crate::links::delete_at(connection, &block.id)
}

/// Stores where a block came from.
pub(crate) fn set_provenance(connection: &Connection, id: &BlockId, provenance: &Provenance) -> Result<()> {
    let sql = "UPDATE blocks SET source_peer = ?2, share = ?3, envelope_json = ?4 WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let share = provenance.share.as_deref().unwrap_or("private");
    statement
        .execute(params![id.as_str(), provenance.source_peer, share, provenance.envelope_json])
        .or_store_error()?;
    let origin = "SELECT surface, client, document_name, source_peer FROM blocks WHERE id = ?1";
    let mut statement = connection.prepare_cached(origin).or_store_error()?;
    let read = |row: &Row<'_>| {
        Ok(BroughtBy { surface: row.get(0)?, client: row.get(1)?, document: row.get(2)?, peer: row.get(3)? })
    };
    if let Some(brought_by) = statement.query_row([id.as_str()], read).optional().or_store_error()? {
        search::set_origin(connection, id, &brought_by)?;
    }
    Ok(())
}
