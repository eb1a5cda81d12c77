//! Whether the full-text index says what the blocks say.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use elfmem_core::{BlockId, BlockStatus};
use elfmem_store::{BlockQuery, Check, Finding, StoreError};
use elfmem_text::bm25::TermFields;
use elfmem_text::terms::Term;
use rusqlite::Connection;

use super::lens::{Lens, Mending, RowLocation};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// What the index finds when it looks itself through.
pub(super) fn damage(connection: &Connection) -> Option<Finding> {
    let checked = connection.execute("INSERT INTO search_terms (search_terms) VALUES ('integrity-check')", []);
    let problem = format!("the full-text index is damaged: {}", checked.err()?);
    Some(Finding { check: Check::Words, problem, places: Vec::new(), repairable: true })
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

    fn of(fields: &TermFields) -> Self {
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

pub(super) fn words(lens: &Lens<'_>) -> Result<Vec<Finding>> {
    let mut indexed = indexed_words(lens.connection)?;
    let (mut missing, mut differing) = (Vec::new(), Vec::new());
    for block in crate::blocks::list(lens.connection, &lens.all, &BlockQuery::default())? {
        if block.status == BlockStatus::Archived {
            continue;
        }
        match indexed.remove(&block.id) {
            None => missing.push(block.id),
            Some(words) if words != Words::of(&TermFields::of(&block)) => differing.push(block.id),
            Some(_) => {}
        }
    }
    let kinds = [
        ("is not in the full-text index", missing),
        ("stands in it with other words", differing),
        ("stands in it and should not", indexed.into_keys().collect()),
    ];
    let mut findings = Vec::new();
    for (what, ids) in kinds {
        let places = ids.into_iter().map(RowLocation::from);
        findings.extend(lens.findings(Check::Words, Mending::Anew, places, |named| format!("block {named} {what}"))?);
    }
    Ok(findings)
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
