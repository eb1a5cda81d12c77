//! `scan_secrets`: finds and redacts secrets in stored blocks.
//!
//! The id of a block depends on its text, and the secret must be erased from the file. So a block
//! with a secret is purged and replaced with a redacted block, which gets its edges, contradictions
//! and outcomes.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use crate::results::counted;
use elfmem_core::{Block, BlockId, BlockStatus, Edge, EdgeKey, OperationKind, OutcomeRecord};
use elfmem_store::{Contradiction, Row, Store, Tombstone, Transaction};
use elfmem_text::secrets::{Redactions, SecretsPolicy};
use serde::Serialize;

use super::request::ScanSecrets;
use super::{Screen, screen_block};
use crate::Result;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::supersede::inherit_labels;
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
                    let Block { id: block_id, status, .. } = row.block;
                    scan.blocks.push(SecretBlock { block_id, status, found, replaced_by: None });
                }
                ControlFlow::Continue(())
            })?;
            Ok(())
        })?;
        if redact && !scan.blocks.is_empty() {
            self.redact_blocks(&mut scan)?;
        }
        Ok(scan)
    }

    fn redact_blocks(&self, scan: &mut SecretsScan) -> Result<()> {
        let ids: Vec<BlockId> = scan.blocks.iter().map(|found| found.block_id.clone()).collect();
        let mut renamed: HashMap<BlockId, BlockId> = HashMap::new();
        self.change(OperationKind::RedactSecrets, |transaction, moment| {
            renamed.clear();
            for id in &ids {
                // Another process may have removed the block in the meantime.
                let Some(block) = transaction.get_block(id)? else { continue };
                let replaced = replace(transaction, moment, &block, &self.options.actor)?;
                renamed.insert(id.clone(), replaced);
            }
            Ok(RedactionSummary(renamed.len()))
        })?;
        self.running().breadcrumbs.remove(&ids);
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

/// Returns a block with its secrets redacted, and their counts.
fn redact_block(block: &Block) -> (Block, Redactions) {
    let mut screen = Screen::new(SecretsPolicy::Redact);
    let mut redacted = screen_block(block, &mut screen);
    if redacted.content != block.content {
        redacted.id = BlockId::for_content(&redacted.content);
    }
    (redacted, screen.found)
}

/// Purges a block, stores it again with its secrets redacted, and returns the id of the new block.
fn replace(transaction: &mut dyn Transaction, moment: &Moment, old: &Block, actor: &str) -> Result<BlockId> {
    let (mut redacted, _) = redact_block(old);
    let id = redacted.id.clone();
    let edges = transaction.get_edges_for_block(&old.id)?;
    let mut contradictions = transaction.get_contradictions_for_blocks(std::slice::from_ref(&old.id))?;
    contradictions.extend(transaction.get_settled_contradictions(&old.id)?);
    let outcomes = transaction.get_outcomes(&old.id)?;
    let kin = transaction.get_lineage(&old.id)?;
    let tombstone = Tombstone { block_id: old.id.clone(), purged_at: moment.at, actor: actor.to_owned() };
    transaction.purge_block(&tombstone)?;
    // The vector was made from the old text.
    redacted.embedding_model = None;
    match transaction.get_block(&id)? {
        Some(_) => _ = transaction.update_block(&id, &mut |known| inherit_labels(known, &redacted))?,
        None => {
            transaction.insert_block(&redacted)?;
            for record in outcomes {
                transaction.put_outcome(&OutcomeRecord { block_id: id.clone(), ..record })?;
            }
        }
    }
    let new_end = |end: &BlockId| if *end == old.id { id.clone() } else { end.clone() };
    for edge in edges {
        let asserted_from = edge.asserted_from.as_ref().map(new_end);
        if let Some(key) = EdgeKey::canonical(&new_end(&edge.key.from_id), &new_end(&edge.key.to_id)) {
            transaction.insert_edge(&Edge { key, asserted_from, ..edge })?;
        }
    }
    for found in contradictions {
        let Contradiction { score, resolved, created_at, .. } = found;
        let moved = Contradiction::between(&new_end(&found.block_a_id), &new_end(&found.block_b_id), score, created_at);
        // Reason and note may quote the text of either block.
        let (reason, note) = (found.reason.map(redact_text), found.note.map(redact_text));
        if let Some(moved) = moved {
            transaction.insert_contradiction(&Contradiction { resolved, reason, note, ..moved })?;
        }
    }
    for relative in kin {
        transaction.update_block(&relative, &mut |block| {
            if block.superseded_by.as_ref() == Some(&old.id) {
                block.superseded_by = Some(id.clone());
            }
        })?;
    }
    Ok(id)
}

fn redact_text(text: String) -> String {
    Screen::new(SecretsPolicy::Redact).pass(&text).into_owned()
}
