//! Changing blocks.

use elfmem_core::{ActiveHours, ArchiveReason, Block, BlockId, BlockStatus, Tag};

use super::LearnedState;
use crate::rows::{RowKey, get, insert_unrecorded, missing};
use crate::{BlockRow, Internal, Provenance, Result, Row, StoreError, Tombstone, WriteEvents, WriteGraph};

/// Changes blocks. Every change is journaled unless a method says otherwise.
pub trait WriteBlocks: WriteGraph + WriteEvents {
    /// Stores a new block with its tags. The scope of the block must be the view's own.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] when the id is taken, in whatever scope.
    fn insert_block(&mut self, block: &Block) -> Result<()> {
        let row = BlockRow { block: block.clone(), provenance: Provenance::default(), vector: None };
        if !insert_unrecorded(self, &Row::Block(Box::new(row)))? {
            return Err(StoreError::Duplicate { id: block.id.clone() });
        }
        self.recorder(Internal(())).record_block(None, block);
        Ok(())
    }

    /// Reads a block, lets `edit` change it, and stores it with the next revision. Its id and scope stay, and so does the model of its
    /// vector.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn update_block(&mut self, id: &BlockId, edit: &mut dyn FnMut(&mut Block)) -> Result<Block> {
        let mut row: BlockRow = get(self, &RowKey::Block(id.clone()))?.ok_or_else(|| missing("block", id))?;
        let before = row.block.clone();
        edit(&mut row.block);
        (row.block.id, row.block.scope) = (before.id.clone(), before.scope.clone());
        row.block.embedding_model.clone_from(&before.embedding_model);
        row.block.revision = before.revision;
        if row.block == before {
            return Ok(before);
        }
        row.block.revision += 1;
        row.provenance.source_peer = row.block.brought_by.peer.clone();
        let after = row.block.clone();
        self.update_row(&Row::Block(Box::new(row)), Internal(()))?;
        self.recorder(Internal(())).record_block(Some(&before), &after);
        Ok(after)
    }

    /// Removes a block with everything attached to it. The journal keeps it complete, its vector too.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn delete_block(&mut self, id: &BlockId) -> Result<()> {
        super::attached::delete(self, id)
    }

    /// Removes a block with everything attached to it and every word of it that the memory holds elsewhere, and leaves a tombstone. The
    /// bytes may stay in the store's files until [`Store::scrub`](crate::Store::scrub) has run.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn purge_block(&mut self, tombstone: &Tombstone) -> Result<()> {
        super::purge::purge(self, tombstone)
    }

    /// Stores where a block that was just added came from. This is part of the block and not journaled.
    fn set_provenance(&mut self, id: &BlockId, provenance: &Provenance) -> Result<()> {
        let Some(mut row) = get::<BlockRow>(self, &RowKey::Block(id.clone()))? else { return Ok(()) };
        row.block.brought_by.peer = provenance.source_peer.clone();
        row.provenance = provenance.clone();
        self.update_row(&Row::Block(Box::new(row)), Internal(())).map(drop)
    }

    /// Stores the tombstone of a block that another memory purged, unless there is one. Purges cannot be undone, so this is not
    /// journaled.
    fn put_tombstone(&mut self, tombstone: &Tombstone) -> Result<()> {
        insert_unrecorded(self, &Row::Tombstone(tombstone.clone())).map(drop)
    }

    /// Moves a block to another status. Archiving removes its tags, edges and contradictions. Leaving the archive clears the reason,
    /// the pointer to a successor and the replacement.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn update_block_status(
        &mut self,
        id: &BlockId,
        status: BlockStatus,
        reason: Option<ArchiveReason>,
    ) -> Result<Block> {
        if status == BlockStatus::Archived {
            super::attached::detach_from_graph(self, id)?;
        }
        self.update_block(id, &mut |block| {
            block.status = status;
            if status == BlockStatus::Archived {
                block.archive_reason = reason;
                block.tags.clear();
            } else {
                block.archive_reason = None;
                block.superseded_by = None;
                block.replacement = None;
            }
        })
    }

    /// Archives many blocks, as [`update_block_status`](Self::update_block_status) archives one.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when one of them does not exist.
    fn archive_blocks(&mut self, ids: &[BlockId], reason: ArchiveReason) -> Result<()> {
        for id in ids {
            self.update_block_status(id, BlockStatus::Archived, Some(reason))?;
        }
        Ok(())
    }

    /// Replaces the learned state of a block, `before` being the one that was read in this transaction. Raises the revision when the two
    /// differ.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn update_learned_state(&mut self, id: &BlockId, before: &LearnedState, after: &LearnedState) -> Result<()> {
        if after == before {
            return Ok(());
        }
        self.update_block(id, &mut |block| after.apply_to(block)).map(drop)
    }

    /// Counts one use of each block and sets its time of last use to `now`, which never moves backwards.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when one of them does not exist.
    fn reinforce_blocks(&mut self, ids: &[BlockId], now: ActiveHours) -> Result<()> {
        for id in ids {
            let before = self.get_block_state(id)?.ok_or_else(|| missing("block", id))?.learned;
            let mut after = before;
            after.record_use(now);
            self.update_learned_state(id, &before, &after)?;
        }
        Ok(())
    }

    /// Adds tags that the block does not have yet.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn add_tags(&mut self, id: &BlockId, tags: &[Tag]) -> Result<Block> {
        self.update_block(id, &mut |block| {
            block.tags.extend(tags.iter().cloned());
            block.tags.sort();
            block.tags.dedup();
        })
    }

    /// Removes tags from a block.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn remove_tags(&mut self, id: &BlockId, tags: &[Tag]) -> Result<Block> {
        self.update_block(id, &mut |block| block.tags.retain(|tag| !tags.contains(tag)))
    }
}
