//! Whether every belief is what outcomes and links add up to.
//!
//! A block's belief is what the last operation that moved it left; each outcome and each effect of a link says what was believed
//! before and after it, and the one follows from the other.

use elfmem_core::{BeliefUpdate, BlockId};
use elfmem_store::{Check, Entity, Finding, StoreError};

use super::journal::{Differing, JournalComparison};
use super::lens::{Lens, Mending, RowLocation};
use crate::errors::OrStoreError;
use crate::{links, outcomes};

type Result<T> = std::result::Result<T, StoreError>;

pub(super) fn beliefs(lens: &Lens<'_>, comparison: &JournalComparison) -> Result<Vec<Finding>> {
    let places = |is_one: fn(&Differing) -> bool| {
        let wrong = comparison.differing.iter().filter(move |row| row.is_belief() && is_one(row));
        wrong.map(|row| RowLocation::from(row.block())).collect::<Vec<_>>()
    };
    let mut findings =
        lens.findings(Check::Beliefs, Mending::Row, places(|row| row.entity == Entity::Block), |named| {
            format!("block {named} is not believed as what moved its belief left it")
        })?;
    findings.extend(lens.findings(
        Check::Beliefs,
        Mending::Row,
        places(|row| row.entity != Entity::Block),
        |named| format!("what moved the belief in block {named} is not what was put on record"),
    )?);
    let unfounded: Vec<RowLocation> = {
        let mended: Vec<BlockId> =
            comparison.differing.iter().filter(|row| row.is_belief()).map(Differing::block).collect();
        unfounded(lens)?.into_iter().filter(|id| !mended.contains(id)).map(RowLocation::from).collect()
    };
    findings.extend(lens.findings(Check::Beliefs, Mending::None, unfounded, |named| {
        format!("what moved the belief in block {named} does not add up")
    })?);
    Ok(findings)
}

impl Differing {
    /// The block whose belief it is about.
    pub(super) fn block(&self) -> BlockId {
        let end = self.id.find([':', '|']).unwrap_or(self.id.len());
        BlockId::from_stored(&self.id[..end])
    }
}

/// Blocks with an outcome or an effect whose result does not follow from what it started with.
fn unfounded(lens: &Lens<'_>) -> Result<Vec<BlockId>> {
    let mut found = Vec::new();
    let mut take = |block: &BlockId, update: BeliefUpdate| {
        if update.reapplied_to(update.before()) != update {
            found.push(block.clone());
        }
    };
    let sql = format!(
        "SELECT {} FROM block_outcomes WHERE outcome_id IS NOT NULL AND evidence_before IS NOT NULL",
        outcomes::COLUMNS
    );
    let mut statement = lens.connection.prepare(&sql).or_store_error()?;
    for record in statement.query_map([], outcomes::from_row).or_store_error()? {
        let record = record.or_store_error()?;
        if record.is_history() {
            continue;
        }
        take(&record.block_id.clone(), BeliefUpdate::Outcome(record));
    }
    let sql = format!("SELECT {} FROM link_effects", links::EFFECT_COLUMNS);
    let mut statement = lens.connection.prepare(&sql).or_store_error()?;
    for effect in statement.query_map([], links::effect_from_row).or_store_error()? {
        let effect = effect.or_store_error()?;
        take(&effect.block_id.clone(), BeliefUpdate::Link(effect));
    }
    found.sort();
    found.dedup();
    Ok(found)
}
