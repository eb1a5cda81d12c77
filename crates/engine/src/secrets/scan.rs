//! `scan_secrets`: what is stored already. Another text is another block, and a secret must be gone from the file; so a block
//! with one is purged, and a block without it takes its place with everything that hung on the old one.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use crate::results::counted;
use elfmem_core::{Block, BlockId, BlockStatus, Edge, EdgeKey, OperationKind, OutcomeRecord};
use elfmem_store::{Contradiction, Row, Store, Tombstone, Transaction};
use elfmem_text::secrets::{Redactions, SecretsPolicy};
use serde::Serialize;

use super::Screen;
use super::request::ScanSecrets;
use crate::Result;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::supersede::inherit_labels;

/// A block with secrets in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SecretBlock {
    /// Which block.
    pub block_id: BlockId,
    /// Where it stands in its life.
    pub status: BlockStatus,
    /// What is in it.
    pub found: Redactions,
    /// The block without them that took its place.
    pub replaced_by: Option<BlockId>,
}

/// Result of `scan_secrets`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SecretsScan {
    /// Blocks that were looked at, archived ones too.
    pub scanned: u64,
    /// Those with secrets.
    pub blocks: Vec<SecretBlock>,
    /// What was found in all of them.
    pub found: Redactions,
    /// Whether they were taken out.
    pub redacted: bool,
    /// Whether the bytes are gone from the files too.
    pub erased: bool,
    /// What went wrong and what to do about it.
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

/// Stands for the whole of it in the journal.
struct Redacted(usize);

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redacted secrets in {}.", counted(self.0 as u64, "block"))
    }
}

impl<S: Store> Memory<S> {
    /// Looks for secrets in every block, and with `redact` takes them out: from the block, the full-text index, the journal and the
    /// bytes of the file. The block gets another id, because an id follows from the text; its tags, edges, belief and outcomes stay.
    /// See [`ScanSecrets`].
    pub fn scan_secrets(&self, request: impl Into<ScanSecrets>) -> Result<SecretsScan> {
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
                let (_, found) = cleaned(&row.block);
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
                // Another process may have removed it meanwhile.
                let Some(block) = transaction.get_block(id)? else { continue };
                let replaced = replace(transaction, moment, &block, &self.options.actor)?;
                renamed.insert(id.clone(), replaced);
            }
            Ok(Redacted(renamed.len()))
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
            Ok(false) => Some("another process still reads the memory".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        scan.erased = problem.is_none();
        scan.warnings.extend(problem.map(|problem| {
            format!("The bytes may still be in the file: {problem}. Run purge on one of the old ids later.")
        }));
        Ok(())
    }
}

/// A block without its secrets, and what they were.
fn cleaned(block: &Block) -> (Block, Redactions) {
    let mut screen = Screen::new(SecretsPolicy::Redact);
    let content = screen.pass(&block.content).into_owned();
    let cue = block.cue.as_deref().map(|cue| screen.pass(cue).into_owned());
    let summary = block.summary.as_deref().map(|summary| screen.pass(summary).into_owned());
    let id = if content == block.content { block.id.clone() } else { BlockId::for_content(&content) };
    (Block { id, content, cue, summary, ..block.clone() }, screen.found)
}

/// Purges a block and stores it again without its secrets; the block that holds its place now.
fn replace(transaction: &mut dyn Transaction, moment: &Moment, old: &Block, actor: &str) -> Result<BlockId> {
    let (mut clean, _) = cleaned(old);
    let id = clean.id.clone();
    let edges = transaction.get_edges_for_block(&old.id)?;
    let mut contradictions = transaction.get_contradictions_for_blocks(std::slice::from_ref(&old.id))?;
    contradictions.extend(transaction.get_settled_contradictions(&old.id)?);
    let outcomes = transaction.get_outcomes(&old.id)?;
    let kin = transaction.get_lineage(&old.id)?;
    let tombstone = Tombstone { block_id: old.id.clone(), purged_at: moment.at, actor: actor.to_owned() };
    transaction.purge_block(&tombstone)?;
    // Its vector told of the old text.
    clean.embedding_model = None;
    match transaction.get_block(&id)? {
        Some(_) => _ = transaction.update_block(&id, &mut |known| inherit_labels(known, &clean))?,
        None => {
            transaction.insert_block(&clean)?;
            for record in outcomes {
                transaction.put_outcome(&OutcomeRecord { block_id: id.clone(), ..record })?;
            }
        }
    }
    let own = |end: &BlockId| if *end == old.id { id.clone() } else { end.clone() };
    for edge in edges {
        let asserted_from = edge.asserted_from.as_ref().map(own);
        if let Some(key) = EdgeKey::canonical(&own(&edge.key.from_id), &own(&edge.key.to_id)) {
            transaction.insert_edge(&Edge { key, asserted_from, ..edge })?;
        }
    }
    for found in contradictions {
        let Contradiction { score, resolved, created_at, .. } = found;
        let moved = Contradiction::between(&own(&found.block_a_id), &own(&found.block_b_id), score, created_at);
        // Why they contradict each other may quote either of them.
        let (reason, note) = (found.reason.map(screened_text), found.note.map(screened_text));
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

fn screened_text(text: String) -> String {
    Screen::new(SecretsPolicy::Redact).pass(&text).into_owned()
}
