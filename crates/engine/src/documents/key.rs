//! The identity of a document: scope, name and source.

use std::collections::HashMap;

use elfmem_core::{ArchiveReason, Block, BlockStatus, DocumentPart};
use elfmem_store::{BlockQuery, DocumentQuery, Snapshot, Transaction};

use crate::Result;
use crate::links::remove_outgoing_links;
use crate::moment::Moment;

/// A document of the scope that is written to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct DocumentKey {
    pub(crate) name: String,
    pub(crate) source: String,
}

impl DocumentKey {
    /// Returns true if a place is in this document.
    pub(crate) fn contains(&self, part: &DocumentPart) -> bool {
        part.belongs_to(&self.name, &self.source)
    }

    /// Lists the blocks of the document in their order, archived ones too. What a peer sent under the same name is another
    /// document.
    pub(crate) fn blocks(&self, snapshot: &(impl Snapshot + ?Sized)) -> Result<Vec<Block>> {
        let query = BlockQuery { document: Some(DocumentQuery::Named(self.name.clone())), ..BlockQuery::default() };
        let mut blocks = snapshot.list_blocks(&query)?;
        blocks.retain(|block| is_learned_here(snapshot, block) && block.parts.iter().any(|part| self.contains(part)));
        self.sort(&mut blocks);
        Ok(blocks)
    }

    fn sort(&self, blocks: &mut [Block]) {
        blocks.sort_by_key(|block| block.parts.iter().find(|part| self.contains(part)).map(|part| part.position));
    }

    /// Returns true if somebody else says what a block of the document says: another document, or somebody outside of one.
    pub(crate) fn is_said_elsewhere(&self, block: &Block) -> bool {
        let brought_it = block.brought_by.document.as_deref() == Some(&self.name) && block.source == self.source;
        !brought_it || block.parts.iter().any(|part| !self.contains(part))
    }

    /// Takes a block out of the document. It stays where it is otherwise. If the document brought it, another document that
    /// contains it counts as having brought it.
    pub(crate) fn take_out(&self, transaction: &mut dyn Transaction, block: &Block) -> Result<()> {
        transaction.update_block(&block.id, &mut |block| {
            let brought_it = block.brought_by.document.as_deref() == Some(&self.name) && block.source == self.source;
            block.parts.retain(|part| !self.contains(part));
            if let Some(other) = block.parts.first().filter(|_| brought_it) {
                block.brought_by.document = Some(other.document.clone());
                block.source.clone_from(&other.source);
            }
        })?;
        Ok(())
    }
}

/// Lists the blocks of every document, as [`DocumentKey::blocks`] does for one.
pub(crate) fn blocks_by_document(snapshot: &(impl Snapshot + ?Sized)) -> Result<HashMap<DocumentKey, Vec<Block>>> {
    let query = BlockQuery { document: Some(DocumentQuery::Any), ..BlockQuery::default() };
    let mut found: HashMap<DocumentKey, Vec<Block>> = HashMap::new();
    for block in snapshot.list_blocks(&query)?.into_iter().filter(|block| is_learned_here(snapshot, block)) {
        for part in &block.parts {
            let key = DocumentKey { name: part.document.clone(), source: part.source.clone() };
            found.entry(key).or_default().push(block.clone());
        }
    }
    for (key, blocks) in &mut found {
        key.sort(blocks);
    }
    Ok(found)
}

/// Returns true if a block is in the scope that is written to, and no peer sent it.
fn is_learned_here(snapshot: &(impl Snapshot + ?Sized), block: &Block) -> bool {
    block.scope == *snapshot.scope() && block.brought_by.peer.is_none()
}

/// Archives a block that its document does not contain any more.
pub(crate) fn archive_part(transaction: &mut dyn Transaction, moment: &Moment, block: &Block) -> Result<()> {
    remove_outgoing_links(transaction, moment, &block.id)?;
    transaction.update_block_status(&block.id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))?;
    Ok(())
}
