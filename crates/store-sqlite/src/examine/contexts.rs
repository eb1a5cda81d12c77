//! Whether contexts, enrolments and links name what is there. A link may wait for the context that is its target.

use elfmem_core::BlockId;
use elfmem_store::{Check, Finding, StoreError};
use rusqlite::Row;

use super::lens::{Lens, Mending, RowLocation};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// What is wrong, and the query that finds it: a name, and up to two blocks that the row belongs to.
const WRONG: [(&str, &str); 3] = [
    (
        "belongs to a context that is not there",
        "SELECT block_id || '|' || context_id, block_id, NULL FROM enrolments \
         WHERE NOT EXISTS (SELECT 1 FROM contexts WHERE contexts.id = context_id)",
    ),
    (
        "has an end that is not there",
        "SELECT from_end || '|' || to_end || '|' || link_type, iif(instr(from_end, ':'), NULL, from_end), \
         iif(instr(to_end, ':'), NULL, to_end) FROM links \
         WHERE NOT instr(from_end, ':') AND NOT EXISTS (SELECT 1 FROM blocks WHERE id = from_end) \
         OR NOT instr(to_end, ':') AND NOT EXISTS (SELECT 1 FROM blocks WHERE id = to_end)",
    ),
    (
        "has an effect on record and is not there",
        "SELECT from_end || '|' || to_end || '|' || link_type, block_id, NULL FROM link_effects effects \
         WHERE NOT EXISTS (SELECT 1 FROM links WHERE links.from_end = effects.from_end \
         AND links.link_type = effects.link_type AND links.to_end = effects.to_end)",
    ),
];

pub(super) fn contexts(lens: &Lens<'_>) -> Result<Vec<Finding>> {
    let read = |row: &Row<'_>| {
        let name: String = row.get(0)?;
        let ends: [Option<String>; 2] = [row.get(1)?, row.get(2)?];
        let blocks = ends.iter().flatten().map(|id| BlockId::from_stored(id)).collect();
        Ok(RowLocation { short: name.replace('|', " "), name, blocks })
    };
    let mut findings = Vec::new();
    for (what, (problem, sql)) in ["block", "link", "link"].into_iter().zip(WRONG) {
        let mut statement = lens.connection.prepare(sql).or_store_error()?;
        let places = statement.query_map([], read).or_store_error()?;
        let places: Vec<RowLocation> = places.collect::<rusqlite::Result<_>>().or_store_error()?;
        findings.extend(
            lens.findings(Check::Contexts, Mending::None, places, |named| format!("{what} {named} {problem}"))?,
        );
    }
    Ok(findings)
}
