//! The full-text index: our own terms, kept in step by the transaction that changes a block.

use elfmem_core::lexical::{Corpus, Fields};
use elfmem_core::text::Term;
use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::{StoreError, WordMatches};
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
    let scopes: Option<String> = connection
        .query_row(
            "SELECT '\u{1f}' || group_concat(scope, '\u{1f}') || '\u{1f}' FROM (SELECT DISTINCT scope FROM blocks)",
            [],
            |row| row.get(0),
        )
        .or_store_error()?;
    for block in crate::blocks::list(connection, &scopes.unwrap_or_default(), &elfmem_store::BlockQuery::default())? {
        reindex(connection, None, Some(&block))?;
    }
    Ok(())
}

/// Blocks with at least one of the words. Terms hold no quotes and no operators (a property of the tokenizer), so the
/// query below means what it says whatever a user typed.
pub(crate) fn matches(connection: &Connection, scopes: &str, words: &[String], limit: u32) -> Result<WordMatches> {
    let mut found = WordMatches { candidates: Vec::new(), corpus: corpus(connection, words)? };
    if words.is_empty() {
        return Ok(found);
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.replace('"', ""))).collect();
    let sql = "SELECT blocks.id FROM search_terms \
               JOIN search_documents ON search_documents.document = search_terms.rowid \
               JOIN blocks ON blocks.id = search_documents.block_id \
               WHERE search_terms MATCH ?1 AND instr(?2, '\u{1f}' || blocks.scope || '\u{1f}') \
               ORDER BY bm25(search_terms, 1.0, 1.0, 0.6), search_terms.rowid LIMIT ?3";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let ids = statement
        .query_map(params![quoted.join(" OR "), scopes, limit], |row| row.get::<_, String>(0))
        .or_store_error()?;
    for id in ids {
        found.candidates.push(BlockId::from_stored(&id.or_store_error()?));
    }
    Ok(found)
}

/// How many blocks there are, how long they are on average, and how many hold each word.
fn corpus(connection: &Connection, words: &[String]) -> Result<Corpus> {
    let (documents, length): (i64, i64) = connection
        .prepare_cached("SELECT documents, length FROM search_totals")
        .or_store_error()?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .or_store_error()?;
    let mut corpus = Corpus {
        blocks: documents.max(0) as u64,
        mean_length: length as f64 / documents.max(1) as f64,
        ..Corpus::default()
    };
    let mut statement =
        connection.prepare_cached("SELECT doc FROM search_vocabulary WHERE term = ?1").or_store_error()?;
    for word in words {
        let holding: Option<i64> = statement.query_row([word], |row| row.get(0)).optional().or_store_error()?;
        corpus.holding.insert(word.clone(), holding.unwrap_or(0).max(0) as u64);
    }
    Ok(corpus)
}
