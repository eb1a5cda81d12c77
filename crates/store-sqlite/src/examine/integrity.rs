//! What SQLite itself finds.

use elfmem_store::{Check, Finding, StoreError};
use rusqlite::Connection;

use super::lens::MAX_NAMED;
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// Tables whose rows say nothing once what they refer to is gone.
pub(super) const WORTHLESS_ALONE: [&str; 5] =
    ["co_retrieval_staging", "contradictions", "edges", "search_documents", "staged_vectors"];

pub(super) fn pages(connection: &Connection) -> Result<Vec<Finding>> {
    let mut statement = connection.prepare(&format!("PRAGMA integrity_check({MAX_NAMED})")).or_store_error()?;
    let told = statement.query_map([], |row| row.get::<_, String>(0)).or_store_error()?;
    let told = told.collect::<rusqlite::Result<Vec<String>>>().or_store_error()?;
    let wrong = told.into_iter().filter(|verdict| verdict != "ok");
    let finding = |problem| Finding { check: Check::Integrity, problem, places: Vec::new(), repairable: false };
    Ok(wrong.map(finding).collect())
}

pub(super) fn references(connection: &Connection) -> Result<Vec<Finding>> {
    let mut statement = connection
        .prepare("SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2")
        .or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut findings = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        let (table, parent, count): (String, String, i64) = row.try_into().or_store_error()?;
        let problem = format!("{count} rows of {table} refer to rows of {parent} that are not there");
        let repairable = WORTHLESS_ALONE.contains(&table.as_str());
        findings.push(Finding { check: Check::References, problem, places: vec![table], repairable });
    }
    Ok(findings)
}
