//! Looking the database through: what SQLite itself finds, and whether the full-text index says what the blocks say.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use elfmem_core::lexical::Fields;
use elfmem_core::text::Term;
use elfmem_core::{BlockId, BlockStatus};
use elfmem_store::{BlockQuery, Check, Finding, StoreError};
use rusqlite::Connection;

use crate::errors::OrStoreError;
use crate::search::{all_scopes, rows_out_of_step};

type Result<T> = std::result::Result<T, StoreError>;

/// Findings of a kind that are told one by one.
const TOLD: usize = 5;

pub(crate) fn examine(connection: &Connection) -> Result<Vec<Finding>> {
    let mut findings = integrity(connection)?;
    // What cannot be read as a database says nothing about its rows.
    if findings.is_empty() {
        findings.extend(references(connection)?);
        findings.extend(words(connection)?);
        findings.extend(rows(connection)?);
    }
    Ok(findings)
}

fn integrity(connection: &Connection) -> Result<Vec<Finding>> {
    let mut statement = connection.prepare(&format!("PRAGMA integrity_check({TOLD})")).or_store_error()?;
    let told = statement.query_map([], |row| row.get::<_, String>(0)).or_store_error()?;
    let told = told.collect::<rusqlite::Result<Vec<String>>>().or_store_error()?;
    let wrong = told.into_iter().filter(|verdict| verdict != "ok");
    Ok(wrong.map(|problem| Finding { check: Check::Integrity, problem, repairable: false }).collect())
}

fn references(connection: &Connection) -> Result<Vec<Finding>> {
    let mut statement = connection
        .prepare("SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2")
        .or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut findings = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        let (table, parent, count): (String, String, i64) = row.try_into().or_store_error()?;
        let problem = format!("{count} rows of {table} refer to rows of {parent} that are not there");
        findings.push(Finding { check: Check::References, problem, repairable: false });
    }
    Ok(findings)
}

/// The words of a block as the index has them: a sum over words, so that no order matters.
#[derive(Debug, Default, PartialEq, Eq)]
struct Words {
    count: u32,
    sum: u64,
}

impl Words {
    fn add(&mut self, column: &str, word: &str) {
        let mut hasher = DefaultHasher::new();
        (column, word).hash(&mut hasher);
        self.count += 1;
        self.sum = self.sum.wrapping_add(hasher.finish());
    }

    fn of(fields: &Fields) -> Self {
        let mut words = Self::default();
        let columns: [(&str, &[Term]); 3] =
            [("content", &fields.content), ("cue", &fields.cue), ("tags", &fields.tags)];
        for (column, terms) in columns {
            for term in terms {
                words.add(column, &term.text);
            }
        }
        words
    }
}

fn words(connection: &Connection) -> Result<Vec<Finding>> {
    let finding = |problem: String| Finding { check: Check::Words, problem, repairable: true };
    if let Err(error) = connection.execute("INSERT INTO search_terms (search_terms) VALUES ('integrity-check')", []) {
        return Ok(vec![finding(format!("the full-text index is damaged: {error}"))]);
    }
    let mut indexed = indexed_words(connection)?;
    let (mut missing, mut differing) = (Vec::new(), Vec::new());
    for block in crate::blocks::list(connection, &all_scopes(connection)?, &BlockQuery::default())? {
        if block.status == BlockStatus::Archived {
            continue;
        }
        match indexed.remove(&block.id) {
            None => missing.push(block.id),
            Some(words) if words != Words::of(&Fields::of(&block)) => differing.push(block.id),
            Some(_) => {}
        }
    }
    let mut left: Vec<BlockId> = indexed.into_keys().collect();
    left.sort();
    let kinds = [
        ("is not in the full-text index", missing),
        ("stands in it with other words", differing),
        ("stands in it and should not", left),
    ];
    let findings = kinds.into_iter().filter(|(_, ids)| !ids.is_empty());
    Ok(findings.map(|(what, ids)| finding(format!("block {} {what}", in_short(&ids)))).collect())
}

fn rows(connection: &Connection) -> Result<Option<Finding>> {
    let ids = rows_out_of_step(connection)?;
    let problem = || format!("what recall reads of block {} is not what the block says", in_short(&ids));
    Ok((!ids.is_empty()).then(|| Finding { check: Check::Rows, problem: problem(), repairable: true }))
}

/// The first of many ids.
fn in_short(ids: &[BlockId]) -> String {
    let named: Vec<&str> = ids.iter().take(TOLD).map(BlockId::short).collect();
    match ids.len().saturating_sub(TOLD) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn indexed_words(connection: &Connection) -> Result<HashMap<BlockId, Words>> {
    let mut documents: HashMap<i64, (BlockId, Words)> = HashMap::new();
    let mut statement = connection.prepare("SELECT document, block_id FROM search_documents").or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        let id: String = row.get(1).or_store_error()?;
        documents.insert(row.get(0).or_store_error()?, (BlockId::from_stored(&id), Words::default()));
    }
    let mut statement = connection.prepare("SELECT doc, col, term FROM search_instances").or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        if let Some((_, words)) = documents.get_mut(&row.get(0).or_store_error()?) {
            let column: String = row.get(1).or_store_error()?;
            let word: String = row.get(2).or_store_error()?;
            words.add(&column, &word);
        }
    }
    Ok(documents.into_values().collect())
}
