//! `verify`: whether everything that is derived agrees with its source, and a sum that two equal memories share.

use std::fmt;

use elfmem_store::{Digest, Finding, Store};
use serde::Serialize;

use crate::Result;
use crate::dream::ProgressListener;
use crate::examine::Looked;
use crate::memory::Memory;

/// What to do beside comparing.
#[derive(Clone, Default)]
pub struct Verify {
    /// Make anew what is derived and does not fit.
    pub repair: bool,
    /// Sum up the memory.
    pub digest: bool,
    /// Who is told how far it has come.
    pub progress: Option<ProgressListener>,
}

impl fmt::Debug for Verify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verify").field("repair", &self.repair).field("digest", &self.digest).finish_non_exhaustive()
    }
}

/// What a memory looks like when everything in it is compared with what it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// Whether nothing is wrong.
    pub sound: bool,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What was wrong and is not any more.
    pub repaired: Vec<Finding>,
    /// Sums over the memory, if they were asked for.
    pub digest: Option<Digest>,
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mended = self.findings.iter().filter(|finding| finding.repairable).count();
        match (self.findings.len(), mended) {
            (0, _) => f.write_str("Everything agrees with what it comes from.")?,
            (1, 0) => f.write_str("1 finding that cannot be repaired.")?,
            (1, _) => f.write_str("1 finding that can be repaired.")?,
            (count, mended) => write!(f, "{count} findings, {mended} of which can be repaired.")?,
        }
        match self.repaired.len() {
            0 => Ok(()),
            1 => f.write_str(" 1 was repaired."),
            count => write!(f, " {count} were repaired."),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Compares everything that is derived with its source: the full-text index, what recall reads, vectors, edges, counts,
    /// contexts and links, the journal, and every belief.
    ///
    /// USE WHEN: you want proof that a memory is whole, or whether two hold the same. DON'T USE WHEN: something else may be
    /// wrong, such as settings and models; `elfmem doctor` looks at those too. COST: everything is read. RETURNS:
    /// [`Verification`]: each finding with what is wrong, where, and whether it can be repaired. With `repair`, what is derived is
    /// made anew, one transaction for each structure, in the journal where rows change. NEXT: a backup, where something is wrong
    /// that cannot be repaired.
    pub fn verify(&self, asked: &Verify) -> Result<Verification> {
        let Looked { before, after: findings, repaired } = self.look_through(asked.repair, asked.progress.as_ref())?;
        let gone = before.into_iter().filter(|finding| repaired && !findings.contains(finding));
        let repaired = gone.collect();
        let digest = if asked.digest { Some(self.store().digest()?) } else { None };
        Ok(Verification { sound: findings.is_empty(), findings, repaired, digest })
    }
}
