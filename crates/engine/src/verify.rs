//! `verify`: compares derived data with its source, and computes a digest that equal memories
//! share.

mod request;

use std::fmt;

use elfmem_store::{Digest, Finding, Store};
use serde::Serialize;

use crate::Result;
use crate::examine::StoreCheck;
use crate::memory::Memory;
use crate::trace;
use crate::undo_window::{UndoWindow, undo_window};

pub use request::Verify;

/// Result of `verify`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verification {
    /// Whether there are no findings.
    pub sound: bool,
    /// The inconsistencies found.
    pub findings: Vec<Finding>,
    /// The inconsistencies that were repaired.
    pub repaired: Vec<Finding>,
    /// Digests of the memory, if requested.
    pub digest: Option<Digest>,
    /// Where the undo window begins. Rows that changed last before it are not compared with the journal.
    pub undo_window: Option<UndoWindow>,
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repairable = self.findings.iter().filter(|finding| finding.repairable).count();
        match (self.findings.len(), repairable) {
            (0, _) => f.write_str("The memory is consistent.")?,
            (1, 0) => f.write_str("1 finding that cannot be repaired.")?,
            (1, _) => f.write_str("1 finding that can be repaired.")?,
            (count, repairable) => write!(f, "{count} findings, {repairable} of which can be repaired.")?,
        }
        match self.repaired.len() {
            0 => {}
            1 => f.write_str(" 1 was repaired.")?,
            count => write!(f, " {count} were repaired.")?,
        }
        self.undo_window.as_ref().map_or(Ok(()), |window| write!(f, " {window}"))
    }
}

impl<S: Store> Memory<S> {
    /// Compares everything that is derived with its source: the full-text index, what recall reads, vectors, edges, counts,
    /// contexts and links, the journal, and every belief. See [`Verify`].
    pub fn verify(&self, request: impl Into<Verify>) -> Result<Verification> {
        let _span = trace::verb("verify");
        let asked = request.into();
        let StoreCheck { before, after: findings, repaired } =
            self.check_store(asked.repair, asked.progress.as_ref())?;
        let gone = before.into_iter().filter(|finding| repaired && !findings.contains(finding));
        let repaired = gone.collect();
        let digest = if asked.digest { Some(self.store().digest()?) } else { None };
        let undo_window = self.read(undo_window)?;
        Ok(Verification { sound: findings.is_empty(), findings, repaired, digest, undo_window })
    }
}
