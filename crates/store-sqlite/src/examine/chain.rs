//! Whether every operation of the journal follows from the one before it, and the newest one that was acknowledged is there.

use elfmem_core::ScopeView;
use elfmem_store::{Check, Finding, ReadJournal, StoreError};
use rusqlite::Connection;

use crate::chain::broken_links;
use crate::position::LostOperations;
use crate::transaction::SqliteTransaction;

pub(super) fn chain(connection: &Connection, loss: Option<LostOperations>) -> Result<Vec<Finding>, StoreError> {
    let finding = |problem, places| Finding { check: Check::Journal, problem, places, repairable: false };
    let mut findings: Vec<Finding> = loss.iter().map(|loss| finding(loss.to_string(), Vec::new())).collect();
    let folded = SqliteTransaction::new(connection, &ScopeView::default()).get_folded_journal()?.through;
    let broken = broken_links(connection, folded)?;
    if let Some(first) = broken.first() {
        let problem = format!(
            "operation {first} does not follow from the one before it: operations between them are missing, or the \
             description of one was changed"
        );
        findings.push(finding(problem, broken.iter().map(ToString::to_string).collect()));
    }
    Ok(findings)
}
