//! `scan_secrets`: finds and redacts secrets in stored blocks.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use crate::results::counted;
use elfmem_core::{Block, BlockId, BlockStatus, OperationKind};
use elfmem_store::{Row, Store};
use elfmem_text::secrets::Redactions;
use serde::Serialize;

use super::replace::{redact_block, replace};
use super::request::ScanSecrets;
use crate::Result;
use crate::memory::Memory;
use crate::trace;

/// A block with secrets in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SecretBlock {
    /// The block id.
    pub block_id: BlockId,
    /// The status.
    pub status: BlockStatus,
    /// The secrets in it, by kind.
    pub found: Redactions,
    /// The redacted block that replaced it.
    pub replaced_by: Option<BlockId>,
}

/// Result of `scan_secrets`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SecretsScan {
    /// Number of scanned blocks, including archived ones.
    pub scanned: u64,
    /// The blocks with secrets.
    pub blocks: Vec<SecretBlock>,
    /// The secrets in all of them, by kind.
    pub found: Redactions,
    /// Whether they were redacted.
    pub redacted: bool,
    /// Whether the secrets are also erased from the database file.
    pub erased: bool,
    /// Problems that did not stop the operation, with what to do about them.
    pub warnings: Vec<String>,
}

impl fmt::Display for SecretsScan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scanned = counted(self.scanned, "block");
        if self.blocks.is_empty() {
            return write!(f, "Scanned {scanned}: no secrets found.");
        }
        let with = counted(self.blocks.len() as u64, "block");
        match self.redacted {
            false => write!(f, "Scanned {scanned}: secrets in {with} ({}). Take them out with redact.", self.found)?,
            true => write!(f, "Scanned {scanned}: redacted {with} ({}).", self.found)?,
        }
        if self.erased {
            f.write_str(" Their words are gone from the file.")?;
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}

/// The journal summary of a redaction: the number of blocks.
struct RedactionSummary(usize);

impl fmt::Display for RedactionSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redacted secrets in {}.", counted(self.0 as u64, "block"))
    }
}

impl<S: Store> Memory<S> {
    /// Looks for secrets in every block, and with `redact` takes them out: from the block, the full-text index, the journal and the
    /// bytes of the file. The block gets another id, because an id follows from the text; its tags, edges, belief and outcomes stay.
    /// See [`ScanSecrets`].
    pub fn scan_secrets(&self, request: impl Into<ScanSecrets>) -> Result<SecretsScan> {
        let _span = trace::verb("scan_secrets");
        let ScanSecrets { redact } = request.into();
        // Blocks of inherited scopes are redacted in their own.
        let (mut own, mut inherited) = (Vec::new(), 0);
        let mut scan = SecretsScan {
            scanned: 0,
            blocks: Vec::new(),
            found: Redactions::default(),
            redacted: false,
            erased: false,
            warnings: Vec::new(),
        };
        self.read(|snapshot| {
            snapshot.visit_rows(elfmem_store::Vectors::Skip, &mut |row| {
                let Row::Block(row) = row else { return ControlFlow::Break(()) };
                scan.scanned += 1;
                let (_, found) = redact_block(&row.block);
                if !found.is_empty() {
                    scan.found.merge(&found);
                    let Block { id: block_id, status, scope, .. } = row.block;
                    if scope == *self.options.view.own() {
                        own.push(block_id.clone());
                    } else {
                        inherited += 1;
                    }
                    scan.blocks.push(SecretBlock { block_id, status, found, replaced_by: None });
                }
                ControlFlow::Continue(())
            })?;
            Ok(())
        })?;
        if redact && !own.is_empty() {
            self.redact_blocks(&mut scan, &own)?;
        }
        if redact && inherited > 0 {
            let blocks = counted(inherited, "block");
            scan.warnings.push(format!("Not redacted: {blocks} of inherited scopes. Redact them in their own scope."));
        }
        Ok(scan)
    }

    fn redact_blocks(&self, scan: &mut SecretsScan, ids: &[BlockId]) -> Result<()> {
        let mut renamed: HashMap<BlockId, BlockId> = HashMap::new();
        self.change(OperationKind::RedactSecrets, |transaction, moment| {
            renamed.clear();
            for id in ids {
                // Another process may have removed the block in the meantime.
                let Some(block) = transaction.get_block(id)? else { continue };
                let replaced = replace(transaction, moment, &block, &self.options.actor)?;
                renamed.insert(id.clone(), replaced);
            }
            Ok(RedactionSummary(renamed.len()))
        })?;
        self.running().breadcrumbs.remove(ids);
        for found in &mut scan.blocks {
            found.replaced_by = renamed.get(&found.block_id).cloned();
        }
        scan.redacted = true;
        let active: Vec<BlockId> = renamed.into_values().collect();
        scan.warnings.extend(self.embed_active(&active));
        let problem = match self.store().scrub() {
            Ok(true) => None,
            Ok(false) => Some("another process is reading the memory".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        scan.erased = problem.is_none();
        scan.warnings.extend(problem.map(|problem| {
            format!("The secrets may still be in the file: {problem}. Run purge on one of the old ids later.")
        }));
        Ok(())
    }
}
