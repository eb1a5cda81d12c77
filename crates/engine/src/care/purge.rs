//! `purge`: erases a block and its text from all tables, indexes, the journal and the database
//! file.

use std::fmt;

use elfmem_core::{BlockId, LinkEnd, OperationKind, Trust};
use elfmem_store::{LinkQuery, Snapshot, Store, Tombstone};
use serde::Serialize;

use super::request::Purge;
use crate::links::withdraw_links;
use crate::memory::{Memory, resolve_exactly};
use crate::results::one_line;
use crate::trace;
use crate::{Error, Result};

/// Result of `purge`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PurgeResult {
    /// The purged block.
    pub block_id: BlockId,
    /// Whether the text is also erased from the database file.
    pub erased: bool,
    /// Whether the block was purged before, so that only the file was rewritten.
    pub already_purged: bool,
    /// Predecessors, successors and quoting blocks, whose text may contain the same words.
    pub kin: Vec<BlockId>,
    /// Problems that did not stop the operation, with what to do about them.
    pub warnings: Vec<String>,
}

impl fmt::Display for PurgeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Purged block {}.", self.block_id.short())?;
        if self.erased {
            f.write_str(" Its words are gone from the file.")?;
        }
        if !self.kin.is_empty() {
            let ids: Vec<&str> = self.kin.iter().map(BlockId::short).collect();
            write!(f, " Older or newer wordings, or blocks that quote it, are still stored: {}.", ids.join(", "))?;
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}

/// Returns the blocks that link to `block`, directly or through others, and contain its whole text.
/// Example: a pattern that quotes a mistake.
fn quoting(snapshot: &dyn Snapshot, block: &BlockId) -> Result<Vec<BlockId>> {
    let Some(quoted) = snapshot.get_block(block)? else { return Ok(Vec::new()) };
    let mut found: Vec<BlockId> = Vec::new();
    let mut layer = vec![LinkEnd::from(block.clone())];
    while !layer.is_empty() {
        let links = snapshot.list_links(&LinkQuery { to: Some(layer), ..LinkQuery::default() })?;
        layer = Vec::new();
        for from in links.iter().filter_map(|link| link.key.from.block()) {
            let quotes = snapshot.get_block(from)?.is_some_and(|other| other.content.contains(&quoted.content));
            if quotes && from != block && !found.contains(from) {
                found.push(from.clone());
                layer.push(LinkEnd::from(from.clone()));
            }
        }
    }
    Ok(found)
}

impl<S: Store> Memory<S> {
    /// Removes a block and every trace of its text: table, full-text index, vector, journal, and the bytes of the file. A tombstone
    /// says that there was one. It cannot be undone. See [`Purge`].
    ///
    /// # Errors
    /// An id that no block has, a confirmation that is not its text, and a client that is not trusted.
    pub fn purge(&self, request: impl Into<Purge>) -> Result<PurgeResult> {
        let _span = trace::verb("purge");
        let Purge { block_id: block, confirm } = request.into();
        let named = self.read(|snapshot| {
            let id = resolve_exactly(snapshot, &block)?;
            match (&confirm, snapshot.get_block(&id)?) {
                (Some(confirm), Some(stored)) if one_line(confirm) != one_line(&stored.content) => {
                    Err(super::CareError::NotConfirmed { id }.into())
                }
                _ => Ok(id),
            }
        });
        let (block_id, already_purged) = match named {
            Ok(id) => (id, false),
            Err(Error::Care(super::CareError::Purged { id, .. })) => (id, true),
            Err(error) => return Err(error),
        };
        let mut kin = Vec::new();
        if !already_purged {
            // Nothing of the row is left by which its owner could be told.
            if self.options.speaker() == Trust::Untrusted {
                return Err(super::CareError::UntrustedPurge { id: block_id }.into());
            }
            self.change(OperationKind::Purge, |transaction, moment| {
                kin = transaction.get_lineage(&block_id)?;
                kin.extend(quoting(&*transaction, &block_id)?);
                withdraw_links(transaction, moment, &block_id)?;
                let (purged_at, actor) = (moment.at, self.options.actor.clone());
                transaction.purge_block(&Tombstone { block_id: block_id.clone(), purged_at, actor })?;
                Ok(format!("Purged block {}.", block_id.short()))
            })?;
            self.running().breadcrumbs.remove(std::slice::from_ref(&block_id));
        }
        let (erased, problem) = match self.store().scrub() {
            Ok(true) => (true, None),
            Ok(false) => (false, Some("another process is reading the memory".to_owned())),
            Err(error) => (false, Some(error.to_string())),
        };
        let warning = |problem| {
            let id = block_id.short();
            format!("The block is deleted, but its text may still be in the file: {problem}. Repeat purge {id} later.")
        };
        let warnings = problem.map(warning).into_iter().collect();
        Ok(PurgeResult { block_id: block_id.clone(), erased, already_purged, kin, warnings })
    }
}
