//! Looking a memory through, and mending what can be mended.

use elfmem_core::OperationKind;
use std::fmt;

use elfmem_store::{Check, Finding, JournalHeader, Store};
use serde::Serialize;

use crate::Result;
use crate::dream::{Progress, ProgressListener};
use crate::memory::Memory;
use crate::models::locked_model;

/// What was found when a memory was looked through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Examination {
    /// What is not as it should be in the store.
    pub findings: Vec<Finding>,
    /// The model that filled the memory, where it is another than the one in use.
    pub other_model: Option<String>,
    /// Active blocks that have no vector of the model that filled the memory.
    pub without_vector: u64,
    /// Whether what is derived was made anew.
    pub repaired: bool,
}

impl Examination {
    /// Whether nothing was found.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty() && self.other_model.is_none() && self.without_vector == 0
    }
}

impl fmt::Display for Examination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repaired = if self.repaired { " What is derived was made anew." } else { "" };
        match self.findings.len() {
            0 => write!(f, "The store is sound.{repaired}"),
            1 => write!(f, "1 finding in the store.{repaired}"),
            count => write!(f, "{count} findings in the store.{repaired}"),
        }
    }
}

/// Where the first thing that is wrong with the store is kept, for the status; empty once nothing is.
pub(crate) const LAST_FINDING: &str = "last_finding";

/// What was found before and after what is derived was made anew.
pub(crate) struct Looked {
    pub(crate) before: Vec<Finding>,
    pub(crate) after: Vec<Finding>,
    pub(crate) repaired: bool,
}

impl<S: Store> Memory<S> {
    /// Keeps what was found until nothing is found any more. A store that is too damaged to be written to says so itself.
    fn note_finding(&self, finding: Option<&Finding>) {
        let told = finding.map(|finding| finding.problem.clone()).unwrap_or_default();
        let _ = self.store().write(&self.options.view, |transaction| -> Result<()> {
            if transaction.get_config(LAST_FINDING)?.unwrap_or_default() != told {
                transaction.set_config(LAST_FINDING, &told)?;
            }
            Ok(())
        });
    }

    /// Looks the store through, and with `repair` makes anew what is derived and does not fit.
    pub(crate) fn look_through(&self, repair: bool, progress: Option<&ProgressListener>) -> Result<Looked> {
        let look = || -> Result<Vec<Finding>> {
            let mut made = 0;
            let tell = |told| progress.iter().for_each(|listener| listener(told));
            tell(Progress::Stage("verify", Check::ALL.len()));
            let mut watch = |_: Check| {
                tell(Progress::Done(made));
                made += 1;
            };
            let findings = self.store().examine(&self.options.view, &mut watch)?;
            tell(Progress::Done(Check::ALL.len()));
            Ok(findings)
        };
        let before = look()?;
        let repaired = repair && before.iter().any(|finding| finding.repairable);
        let after = if repaired {
            self.repair()?;
            look()?
        } else {
            before.clone()
        };
        self.note_finding(after.first());
        Ok(Looked { before, after, repaired })
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
        // What this process knows was read from what was wrong.
        *self.index() = None;
        Ok(())
    }

    /// Looks the whole memory through: the files, the references, everything that is derived, the vectors.
    ///
    /// USE WHEN: something looks wrong, or before you rely on a copy. COST: everything is read. With `repair`, what is derived
    /// and does not fit is made anew, and what is left is what could not be mended.
    pub fn examine(&self, repair: bool) -> Result<Examination> {
        let Looked { after: findings, repaired, .. } = self.look_through(repair, None)?;
        self.read(|snapshot| {
            let locked = locked_model(snapshot)?;
            let active = snapshot.get_block_counts()?.active;
            let embedded = match &locked {
                Some(_) => snapshot.get_active_blocks_with_embeddings(None)?.len() as u64,
                None => active,
            };
            let current = self.options.models.embedder.name();
            let other_model = locked.filter(|locked| locked != current);
            let without_vector = active.saturating_sub(embedded);
            Ok(Examination { findings: findings.clone(), other_model, without_vector, repaired })
        })
    }
}
