//! Looking the database through: what SQLite itself finds, and whether what is derived says what its source says.

mod beliefs;
mod chain;
mod contexts;
mod counts;
mod edges;
mod integrity;
mod journal;
mod lens;
mod repair;
mod rows;
mod vectors;
mod words;

use elfmem_core::ScopeView;
use elfmem_store::{Check, CheckProgress, Finding, StoreError};
use rusqlite::{Connection, TransactionBehavior};

use crate::errors::OrStoreError;
use crate::position::PositionFile;
pub(crate) use edges::OVER_CAP;
use lens::Lens;
pub(crate) use repair::repair;
pub(crate) use vectors::unusable as unusable_vectors;

type Result<T> = std::result::Result<T, StoreError>;

/// Everything that is not as it should be.
pub(crate) fn examine(
    connection: &mut Connection,
    position: &PositionFile,
    view: &ScopeView,
    watch: CheckProgress<'_>,
) -> Result<Vec<Finding>> {
    watch(Check::Integrity);
    let mut findings = integrity::pages(connection)?;
    // What cannot be read as a database says nothing about its rows.
    if !findings.is_empty() {
        return Ok(findings);
    }
    // The index looks itself through by a statement that writes; all the rest is one look at one state.
    let damaged = words::damage(connection);
    // Read before the state that it is compared with, which others may extend meanwhile.
    let loss = position.find_loss(connection)?;
    let look = connection.transaction_with_behavior(TransactionBehavior::Deferred).or_store_error()?;
    let lens = Lens::of(&look, view)?;
    watch(Check::References);
    findings.extend(integrity::references(&look)?);
    watch(Check::Words);
    match damaged {
        Some(problem) => findings.push(problem),
        None => findings.extend(words::words(&lens)?),
    }
    watch(Check::Rows);
    findings.extend(rows::rows(&lens)?);
    watch(Check::Vectors);
    findings.extend(vectors::vectors(&lens)?);
    watch(Check::Edges);
    findings.extend(edges::edges(&lens)?);
    watch(Check::Counts);
    findings.extend(counts::counts(&lens)?);
    watch(Check::Contexts);
    findings.extend(contexts::contexts(&lens)?);
    watch(Check::Journal);
    findings.extend(chain::chain(&look, loss)?);
    let comparison = journal::JournalComparison::read(&lens)?;
    findings.extend(comparison.findings(&lens)?);
    watch(Check::Beliefs);
    findings.extend(beliefs::beliefs(&lens, &comparison)?);
    Ok(findings)
}
