//! Whether every vector is one of the model it is said to come from.

use std::collections::HashMap;

use elfmem_core::BlockId;
use elfmem_store::{Check, Finding, StoreError};
use rusqlite::Connection;

use super::lens::{Lens, Mending, RowLocation};
use crate::errors::OrStoreError;
use crate::vectors::vector_from_bytes;

type Result<T> = std::result::Result<T, StoreError>;

pub(super) fn vectors(lens: &Lens<'_>) -> Result<Vec<Finding>> {
    let places = unusable(lens.connection)?.into_iter().map(RowLocation::from);
    lens.findings(Check::Vectors, Mending::Row, places, |named| {
        format!("the vector of block {named} is not one of its model")
    })
}

/// How long the vectors of each model are: as most of them.
fn lengths(connection: &Connection) -> Result<HashMap<String, i64>> {
    let sql = "SELECT coalesce(embedding_model, ''), length(embedding), count(*) FROM blocks \
               WHERE embedding IS NOT NULL GROUP BY 1, 2 ORDER BY 3, 2";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).or_store_error()?;
    // The last of a model is the most frequent one.
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Blocks whose vector has another length than those of its model, holds what is no number, or is missing where a model is named.
pub(crate) fn unusable(connection: &Connection) -> Result<Vec<BlockId>> {
    let lengths = lengths(connection)?;
    let sql = "SELECT id, embedding_model, embedding FROM blocks \
               WHERE embedding IS NOT NULL OR embedding_model IS NOT NULL ORDER BY id";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        let model: Option<String> = row.get(1).or_store_error()?;
        let bytes = row.get_ref(2).or_store_error()?.as_blob_or_null().map_err(StoreError::driver)?;
        let usable = bytes.is_some_and(|bytes| {
            let expected = lengths.get(model.as_deref().unwrap_or_default());
            !bytes.is_empty()
                && bytes.len().is_multiple_of(size_of::<f32>())
                && expected == Some(&(bytes.len() as i64))
                && vector_from_bytes(bytes).iter().all(|value| value.is_finite())
        });
        if !usable {
            found.push(BlockId::from_stored(&row.get::<_, String>(0).or_store_error()?));
        }
    }
    Ok(found)
}
