//! Whether what is counted or named beside rows follows from them.

use elfmem_store::{Check, Finding, StoreError};
use rusqlite::{Connection, Row};

use super::lens::{Lens, Mending, RowLocation};
use crate::errors::OrStoreError;
use crate::proposals;

type Result<T> = std::result::Result<T, StoreError>;

/// Sessions stand one a line, with a line break before the first.
pub(super) const COUNTED_SESSIONS: &str = "length(sessions) - length(replace(sessions, char(10), '')) - 1";

pub(super) fn counts(lens: &Lens<'_>) -> Result<Vec<Finding>> {
    let pairs = miscounted_pairs(lens.connection)?;
    let mut findings = lens.findings(Check::Counts, Mending::Anew, pairs, |named| {
        format!("pair {named} came up together in more sessions than it counts")
    })?;
    let proposals = misnamed_proposals(lens.connection)?.into_iter().map(|(number, _)| RowLocation::operation(number));
    findings.extend(lens.findings(Check::Counts, Mending::Anew, proposals, |named| {
        format!("proposal {named} is filed under another subject")
    })?);
    Ok(findings)
}

/// Pairs that count fewer sessions than they name. More is possible: older memories counted without naming.
fn miscounted_pairs(connection: &Connection) -> Result<Vec<RowLocation>> {
    let sql = format!(
        "SELECT from_id, to_id FROM co_retrieval_staging WHERE sessions IS NOT NULL AND count < {COUNTED_SESSIONS}"
    );
    let mut statement = connection.prepare(&sql).or_store_error()?;
    let read = |row: &Row<'_>| Ok(RowLocation::pair(&row.get::<_, String>(0)?, &row.get::<_, String>(1)?));
    let pairs = statement.query_map([], read).or_store_error()?;
    pairs.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Proposals whose subject is not what they are about, with what it is.
pub(super) fn misnamed_proposals(connection: &Connection) -> Result<Vec<(i64, String)>> {
    let sql = format!("SELECT {}, subject FROM proposals ORDER BY number", proposals::COLUMNS);
    let mut statement = connection.prepare(&sql).or_store_error()?;
    let read = |row: &Row<'_>| Ok((proposals::from_row(row)?, row.get::<_, String>(11)?));
    let mut misnamed = Vec::new();
    for row in statement.query_map([], read).or_store_error()? {
        let (proposal, subject) = row.or_store_error()?;
        if proposal.subject() != subject {
            misnamed.push((proposal.number, proposal.subject()));
        }
    }
    Ok(misnamed)
}
