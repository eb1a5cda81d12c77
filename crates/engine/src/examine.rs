//! Checks a memory for inconsistencies and repairs derived data.

use elfmem_core::{BlockStatus, OperationKind};
use std::fmt;

use elfmem_store::{Check, Finding, JournalHeader, Store};
use serde::Serialize;

use crate::Result;
use crate::memory::Memory;
use crate::migrate::{MigrationProgress, migration_progress};
use crate::models::locked_model;
use crate::progress::{Progress, ProgressListener};
use crate::verify::Verify;

/// The result of checking a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Examination {
    /// The inconsistencies found in the store.
    pub findings: Vec<Finding>,
    /// The model of the stored vectors, if it differs from the one in use.
    pub other_model: Option<String>,
    /// How far the memory has moved from that model to the one in use, if it moves on its own.
    pub migration: Option<MigrationProgress>,
    /// Number of active blocks without a vector of the stored model.
    pub without_vector: u64,
    /// Whether derived data was rebuilt.
    pub repaired: bool,
}

impl Examination {
    /// Returns true if no problem was found.
    pub fn is_sound(&self) -> bool {
        let own_model = self.other_model.is_none() || self.migration.is_some();
        self.findings.is_empty() && own_model && self.without_vector == 0
    }
}

impl fmt::Display for Examination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repaired = if self.repaired { " Derived data was rebuilt." } else { "" };
        match self.findings.len() {
            0 => write!(f, "The store is sound.{repaired}"),
            1 => write!(f, "1 finding in the store.{repaired}"),
            count => write!(f, "{count} findings in the store.{repaired}"),
        }
    }
}

/// The setting with the first problem of the store, shown by `status`. Empty if there is none.
pub(crate) const LAST_FINDING: &str = "last_finding";

/// Findings before and after the repair of a store.
pub(crate) struct StoreCheck {
    pub(crate) before: Vec<Finding>,
    pub(crate) after: Vec<Finding>,
    pub(crate) repaired: bool,
}

impl<S: Store> Memory<S> {
    /// Stores the first finding for `status`, or clears it. Write errors are ignored: a store that
    /// cannot be written reports that itself.
    fn record_finding(&self, finding: Option<&Finding>) {
        let problem = finding.map(|finding| finding.problem.clone()).unwrap_or_default();
        let _ = self.store().write(&self.options.view, |transaction| -> Result<()> {
            if transaction.get_config(LAST_FINDING)?.unwrap_or_default() != problem {
                transaction.set_config(LAST_FINDING, &problem)?;
            }
            Ok(())
        });
    }

    /// Checks the store. With `repair`, rebuilds derived data that is inconsistent and checks
    /// again.
    pub(crate) fn check_store(&self, repair: bool, progress: Option<&ProgressListener>) -> Result<StoreCheck> {
        let check = || -> Result<Vec<Finding>> {
            let mut completed = 0;
            let report = |event| progress.iter().for_each(|listener| listener.report(event));
            report(Progress::Stage("verify", Check::ALL.len()));
            let mut on_check = |_: Check| {
                report(Progress::Done(completed));
                completed += 1;
            };
            let findings = self.store().examine(&self.options.view, &mut on_check)?;
            report(Progress::Done(Check::ALL.len()));
            Ok(findings)
        };
        let before = check()?;
        let repaired = repair && before.iter().any(|finding| finding.repairable);
        let after = if repaired {
            self.repair()?;
            check()?
        } else {
            before.clone()
        };
        self.record_finding(after.first());
        Ok(StoreCheck { before, after, repaired })
    }

    fn repair(&self) -> Result<()> {
        let active_hours = self.read(|snapshot| Ok(snapshot.get_total_active_hours()?))?;
        let header = JournalHeader {
            at: self.options.clock.now(),
            active_hours,
            session: None,
            actor: self.options.actor.clone(),
            operation: OperationKind::Repair,
            summary: String::new(),
        };
        self.store().repair(&self.options.view, &header)?;
        // The in-memory index was built from the inconsistent data.
        self.index.reset();
        Ok(())
    }

    /// Looks the whole memory through: the files, the references, everything that is derived, the vectors.
    /// See [`Verify`].
    pub fn examine(&self, request: impl Into<Verify>) -> Result<Examination> {
        let Verify { repair, progress, .. } = request.into();
        let StoreCheck { after: findings, repaired, .. } = self.check_store(repair, progress.as_ref())?;
        self.read(|snapshot| {
            let locked = locked_model(snapshot)?;
            let active = snapshot.get_block_counts()?.active;
            let embedded = match &locked {
                Some(model) => {
                    let all = snapshot.get_vectors(model, None)?;
                    all.iter().filter(|stored| stored.status == BlockStatus::Active).count() as u64
                }
                None => active,
            };
            let current = self.options.models.embedder.name();
            let other_model = locked.filter(|locked| locked != current);
            let without_vector = active.saturating_sub(embedded);
            let migration = migration_progress(snapshot, &self.options.models.embedder)?;
            Ok(Examination { findings: findings.clone(), other_model, migration, without_vector, repaired })
        })
    }
}
