//! What recall reads: the full-text index over our own terms, and one narrow row for every block that is searched. The
//! transaction that changes a block keeps both in step.

use elfmem_core::coarse::CoarseVector;
use elfmem_core::{Block, BlockId, BlockStatus, BroughtBy, SessionId};
use elfmem_store::StoreError;
use elfmem_text::bm25::TermFields;
use elfmem_text::terms::Term;
use rusqlite::{Connection, OptionalExtension, params};

use crate::errors::OrStoreError;
use crate::vectors;

type Result<T> = std::result::Result<T, StoreError>;

/// Whether a block is searched at all.
fn is_searched(block: &Block) -> bool {
    block.status != BlockStatus::Archived
}

/// Brings the index in step with a block that was `before` and is `after`.
pub(crate) fn reindex(connection: &Connection, before: Option<&Block>, after: Option<&Block>) -> Result<()> {
    let old = before.filter(|block| is_searched(block));
    let new = after.filter(|block| is_searched(block));
    if let (Some(old), Some(new)) = (old, new)
        && old.content == new.content
        && old.cue == new.cue
        && old.tags == new.tags
    {
        return if metadata_columns(old) == metadata_columns(new) { Ok(()) } else { update(connection, new) };
    }
    if let Some(old) = old {
        remove(connection, &old.id)?;
    }
    if let Some(new) = new {
        // Whoever edits a block does not edit its vector.
        add(connection, new, before.unwrap_or(new).embedding_model.as_deref())?;
    }
    Ok(())
}

/// Makes the entry of a block anew, whatever the index says of it; removes it where there is no block.
pub(crate) fn renew(connection: &Connection, id: &BlockId, block: Option<&Block>) -> Result<()> {
    remove(connection, id)?;
    reindex(connection, None, block)
}

/// Returns the columns of a search row that do not depend on its words: time, source, session and origin.
fn metadata_columns(block: &Block) -> (i64, &str, Option<&str>, String) {
    let happened_at = block.event_at.unwrap_or(block.created_at).as_second();
    let session = block.last_session_id.as_ref().map(SessionId::as_str);
    (happened_at, &block.source, session, block.brought_by.to_line())
}

fn is_asking(block: &Block) -> bool {
    block.content.trim_end().ends_with('?')
}

fn update(connection: &Connection, block: &Block) -> Result<()> {
    let (happened_at, source, session, origin) = metadata_columns(block);
    let sql =
        "UPDATE search_documents SET happened_at = ?2, source = ?3, session = ?4, origin = ?5 WHERE block_id = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute(params![block.id.as_str(), happened_at, source, session, origin]).or_store_error()?;
    Ok(())
}

/// Adds the row of a block. Its place is the block's position.
fn add(connection: &Connection, block: &Block, model: Option<&str>) -> Result<()> {
    let fields = TermFields::of(block);
    let coarse = match model {
        Some(_) => vectors::of_block(connection, &block.id)?.and_then(|vector| CoarseVector::encode(&vector)),
        None => None,
    };
    let model = model.filter(|_| coarse.is_some());
    let (happened_at, source, session, origin) = metadata_columns(block);
    let asking = is_asking(block);
    let mut statement = connection
        .prepare_cached(
            "INSERT INTO search_documents (block_id, length, scope, place, happened_at, asking, source, session, cue, \
             model, coarse, origin) \
             VALUES (?1, ?2, ?3, (SELECT position FROM blocks WHERE id = ?1), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )
        .or_store_error()?;
    let document = statement
        .insert(params![
            block.id.as_str(),
            fields.length(),
            block.scope.as_str(),
            happened_at,
            asking,
            source,
            session,
            block.cue,
            model,
            coarse,
            origin,
        ])
        .or_store_error()?;
    let mut statement = connection
        .prepare_cached("INSERT INTO search_terms (rowid, content, cue, tags) VALUES (?1, ?2, ?3, ?4)")
        .or_store_error()?;
    statement
        .execute(params![document, joined(&fields.content), joined(&fields.cue), joined(&fields.tags)])
        .or_store_error()?;
    Ok(())
}

/// Keeps the way a block came.
pub(crate) fn set_origin(connection: &Connection, id: &BlockId, brought_by: &BroughtBy) -> Result<()> {
    let sql = "UPDATE search_documents SET origin = ?2 WHERE block_id = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute(params![id.as_str(), brought_by.to_line()]).or_store_error()?;
    Ok(())
}

/// Keeps the coarse form of a vector that a block was given.
pub(crate) fn set_vector(connection: &Connection, id: &BlockId, model: &str, vector: &[f32]) -> Result<()> {
    let coarse = CoarseVector::encode(vector);
    let model = coarse.is_some().then_some(model);
    let sql = "UPDATE search_documents SET model = ?2, coarse = ?3 WHERE block_id = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute(params![id.as_str(), model, coarse]).or_store_error()?;
    Ok(())
}

/// Makes the coarse forms of all vectors anew.
pub(crate) fn renew_vectors(connection: &Connection) -> Result<()> {
    let mut statement = connection.prepare_cached("SELECT document FROM search_documents").or_store_error()?;
    let rows = statement.query_map([], |row| row.get(0)).or_store_error()?;
    let documents: Vec<i64> = rows.collect::<rusqlite::Result<_>>().or_store_error()?;
    let mut vector = connection
        .prepare_cached(
            "SELECT embedding_model, embedding FROM search_documents JOIN blocks ON blocks.id = block_id WHERE document = ?1",
        )
        .or_store_error()?;
    let mut renew = connection
        .prepare_cached("UPDATE search_documents SET model = ?2, coarse = ?3 WHERE document = ?1")
        .or_store_error()?;
    for document in documents {
        let (model, bytes): (Option<String>, Option<Vec<u8>>) =
            vector.query_row([document], |row| Ok((row.get(0)?, row.get(1)?))).or_store_error()?;
        let coarse = bytes.and_then(|bytes| CoarseVector::encode(&vectors::vector_from_bytes(&bytes)));
        renew.execute(params![document, model.filter(|_| coarse.is_some()), coarse]).or_store_error()?;
    }
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

/// Blocks whose narrow row does not say what their own row says.
pub(crate) fn rows_out_of_step(connection: &Connection) -> Result<Vec<BlockId>> {
    let sql = "SELECT block_id, embedding, model, coarse, embedding_model,
               documents.scope IS NOT blocks.scope OR place IS NOT blocks.position OR documents.source IS NOT blocks.source
               OR session IS NOT last_session_id OR documents.cue IS NOT blocks.cue
               FROM search_documents documents JOIN blocks ON blocks.id = block_id ORDER BY block_id";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        let bytes: Option<Vec<u8>> = row.get(1).or_store_error()?;
        let coarse = bytes.and_then(|bytes| CoarseVector::encode(&vectors::vector_from_bytes(&bytes)));
        let model: Option<String> = row.get(4).or_store_error()?;
        let expected = (model.filter(|_| coarse.is_some()), coarse);
        let kept: (Option<String>, Option<Vec<u8>>) = (row.get(2).or_store_error()?, row.get(3).or_store_error()?);
        let differs: bool = row.get(5).or_store_error()?;
        if differs || kept != expected {
            let id: String = row.get(0).or_store_error()?;
            found.push(BlockId::from_stored(&id));
        }
    }
    found.extend(rows_with_other_words(connection)?);
    found.sort();
    found.dedup();
    Ok(found)
}

/// Blocks whose narrow row does not say what follows from their words, their times and the way they came.
fn rows_with_other_words(connection: &Connection) -> Result<Vec<BlockId>> {
    let sql = "SELECT length, happened_at, asking, origin FROM search_documents WHERE block_id = ?1";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let mut found = Vec::new();
    for block in crate::blocks::list(connection, &all_scopes(connection)?, &elfmem_store::BlockQuery::default())? {
        let kept: Option<(i64, i64, bool, String)> = statement
            .query_row([block.id.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
            .optional()
            .or_store_error()?;
        let (happened_at, _, _, origin) = metadata_columns(&block);
        let expected = (i64::from(TermFields::of(&block).length()), happened_at, is_asking(&block), origin);
        if kept.is_some_and(|kept| kept != expected) {
            found.push(block.id);
        }
    }
    Ok(found)
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
