//! Archiving many blocks at once. What one statement can do for all of them is not done block by block.

use std::collections::HashMap;

use elfmem_core::{ArchiveReason, BlockId, BlockStatus, Tag};
use elfmem_store::StoreError;
use rusqlite::{Connection, params};
use serde::Serialize;

use crate::blocks::json;
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// From so many blocks on, what they leave behind touches more pages than a connection usually keeps, and each would be written
/// out and read again many times.
pub(crate) const MANY: usize = 500;

/// What archiving changes in a block, by the names the journal knows.
#[derive(Debug, Serialize)]
pub(crate) struct ArchiveState {
    status: BlockStatus,
    archive_reason: Option<ArchiveReason>,
    tags: Vec<Tag>,
}

/// Marks the blocks that are meant, in a table of this connection alone.
pub(crate) fn mark(connection: &Connection, scopes: &str, ids: &[BlockId]) -> Result<()> {
    connection
        .execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS marked (id TEXT PRIMARY KEY) WITHOUT ROWID; DELETE FROM temp.marked;",
        )
        .or_store_error()?;
    let mut statement = connection
        .prepare_cached(
            "INSERT OR IGNORE INTO temp.marked SELECT blocks.id FROM json_each(?1) CROSS JOIN blocks \
             ON blocks.id = json_each.value WHERE instr(?2, '\u{1f}' || scope || '\u{1f}')",
        )
        .or_store_error()?;
    statement.execute(params![json(ids), scopes]).or_store_error()?;
    let mut statement = connection
        .prepare_cached("SELECT value FROM json_each(?1) WHERE value NOT IN temp.marked LIMIT 1")
        .or_store_error()?;
    let mut rows = statement.query([json(ids)]).or_store_error()?;
    match rows.next().or_store_error()? {
        Some(row) => Err(StoreError::Missing { what: "block", id: row.get(0).or_store_error()? }),
        None => Ok(()),
    }
}

/// Archives the marked blocks, takes their tags and takes them out of the word index; what each was and is.
pub(crate) fn archive_marked(
    connection: &Connection,
    reason: ArchiveReason,
) -> Result<Vec<(String, ArchiveState, ArchiveState)>> {
    let mut tags = tags_of_marked(connection)?;
    let mut statement = connection
        .prepare_cached("SELECT id, status, archive_reason FROM blocks WHERE id IN temp.marked ORDER BY id")
        .or_store_error()?;
    let rows = statement
        .query_map([], |row| {
            let (status, before): (String, Option<String>) = (row.get(1)?, row.get(2)?);
            Ok((row.get::<_, String>(0)?, status, before))
        })
        .or_store_error()?;
    let mut changed = Vec::new();
    for row in rows {
        let (id, status, before) = row.or_store_error()?;
        let before = ArchiveState {
            status: BlockStatus::from_name(&status).unwrap_or(BlockStatus::Active),
            archive_reason: before.as_deref().and_then(ArchiveReason::from_name),
            tags: tags.remove(&id).unwrap_or_default(),
        };
        let after = ArchiveState { status: BlockStatus::Archived, archive_reason: Some(reason), tags: Vec::new() };
        changed.push((id, before, after));
    }
    connection
        .execute_batch(
            "DELETE FROM block_tags WHERE block_id IN temp.marked;
             DELETE FROM search_terms WHERE rowid IN
                 (SELECT document FROM search_documents WHERE block_id IN temp.marked);
             DELETE FROM search_documents WHERE block_id IN temp.marked;",
        )
        .or_store_error()?;
    // Archived blocks that stay as they are keep their revision too.
    connection
        .execute(
            "UPDATE blocks SET status = 'archived', archive_reason = ?1, revision = revision + 1 \
             WHERE id IN temp.marked AND NOT (status = 'archived' AND archive_reason IS ?1)",
            [reason.as_str()],
        )
        .or_store_error()?;
    Ok(changed)
}

fn tags_of_marked(connection: &Connection) -> Result<HashMap<String, Vec<Tag>>> {
    let mut statement = connection
        .prepare_cached("SELECT block_id, tag FROM block_tags WHERE block_id IN temp.marked ORDER BY block_id, tag")
        .or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut tags: HashMap<String, Vec<Tag>> = HashMap::new();
    while let Some(row) = rows.next().or_store_error()? {
        let tag: String = row.get(1).or_store_error()?;
        tags.entry(row.get(0).or_store_error()?).or_default().push(Tag::from_stored(&tag));
    }
    Ok(tags)
}
