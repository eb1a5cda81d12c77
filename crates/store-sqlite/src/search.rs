//! The full-text index: our own terms, kept in step by the transaction that changes a block.

use elfmem_core::lexical::Fields;
use elfmem_core::text::Term;
use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::StoreError;
use rusqlite::{Connection, OptionalExtension, params};

use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// Whether a block is searched at all.
fn is_searched(block: &Block) -> bool {
    block.status != BlockStatus::Archived
}

/// Brings the index in step with a block that was `before` and is `after`.
pub(crate) fn reindex(connection: &Connection, before: Option<&Block>, after: Option<&Block>) -> Result<()> {
    let old = before.filter(|block| is_searched(block));
    let new = after.filter(|block| is_searched(block));
    let same = match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => old.content == new.content && old.cue == new.cue && old.tags == new.tags,
        _ => false,
    };
    if same {
        return Ok(());
    }
    if let Some(old) = old {
        remove(connection, &old.id)?;
    }
    if let Some(new) = new {
        add(connection, new)?;
    }
    Ok(())
}

fn add(connection: &Connection, block: &Block) -> Result<()> {
    let fields = Fields::of(block);
    let mut statement = connection
        .prepare_cached("INSERT INTO search_documents (block_id, length) VALUES (?1, ?2)")
        .or_store_error()?;
    let document = statement.insert(params![block.id.as_str(), fields.length()]).or_store_error()?;
    let mut statement = connection
        .prepare_cached("INSERT INTO search_terms (rowid, content, cue, tags) VALUES (?1, ?2, ?3, ?4)")
        .or_store_error()?;
    statement
        .execute(params![document, joined(&fields.content), joined(&fields.cue), joined(&fields.tags)])
        .or_store_error()?;
    Ok(())
}

fn remove(connection: &Connection, id: &BlockId) -> Result<()> {
    let document: Option<i64> = connection
        .prepare_cached("DELETE FROM search_documents WHERE block_id = ?1 RETURNING document")
        .or_store_error()?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()
        .or_store_error()?;
    if let Some(document) = document {
        let mut statement = connection.prepare_cached("DELETE FROM search_terms WHERE rowid = ?1").or_store_error()?;
        statement.execute([document]).or_store_error()?;
    }
    Ok(())
}

fn joined(terms: &[Term]) -> String {
    let words: Vec<&str> = terms.iter().map(|term| term.text.as_str()).collect();
    words.join(" ")
}

/// Makes the index anew from the blocks.
pub(crate) fn rebuild(connection: &Connection) -> Result<()> {
    connection
        .execute_batch("DELETE FROM search_documents; INSERT INTO search_terms (search_terms) VALUES ('delete-all');")
        .or_store_error()?;
    for block in crate::blocks::list(connection, &all_scopes(connection)?, &elfmem_store::BlockQuery::default())? {
        reindex(connection, None, Some(&block))?;
    }
    Ok(())
}

/// Every scope there is, in the form that readings of blocks take.
pub(crate) fn all_scopes(connection: &Connection) -> Result<String> {
    let scopes: Option<String> = connection
        .query_row(
            "SELECT '\u{1f}' || group_concat(scope, '\u{1f}') || '\u{1f}' FROM (SELECT DISTINCT scope FROM blocks)",
            [],
            |row| row.get(0),
        )
        .or_store_error()?;
    Ok(scopes.unwrap_or_default())
}
