//! Blocks.

use std::collections::HashMap;

use elfmem_core::{ArchiveReason, Block, BlockId, BlockStatus};
use elfmem_store::{
    BlockCounts, BlockQuery, BlockState, BlockText, Entity, FadingQuery, LearnedState, Provenance, ReadBlocks,
    StoreError, Tombstone, WriteBlocks, WriteGraph,
};

use super::Result;
use crate::transaction::SqliteTransaction;
use crate::{archive, blocks, connection, contradictions, edges, rows, search};

impl ReadBlocks for SqliteTransaction<'_> {
    fn get_block(&self, id: &BlockId) -> Result<Option<Block>> {
        blocks::get(self.connection, &self.scopes, id)
    }

    fn block_exists(&self, id: &BlockId) -> Result<bool> {
        blocks::exists(self.connection, &self.scopes, id)
    }

    fn get_block_state(&self, id: &BlockId) -> Result<Option<BlockState>> {
        blocks::state(self.connection, &self.scopes, id)
    }

    fn get_blocks(&self, ids: &[BlockId]) -> Result<Vec<Block>> {
        blocks::get_many(self.connection, &self.scopes, ids)
    }

    fn get_texts(&self, ids: &[BlockId]) -> Result<Vec<BlockText>> {
        blocks::texts(self.connection, &self.scopes, ids)
    }

    fn get_statuses(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, BlockStatus>> {
        blocks::statuses(self.connection, &self.scopes, ids)
    }

    fn find_block_ids(&self, prefix: &str, limit: u32) -> Result<Vec<BlockId>> {
        blocks::find_ids(self.connection, &self.scopes, prefix, limit)
    }

    fn list_blocks(&self, query: &BlockQuery) -> Result<Vec<Block>> {
        blocks::list(self.connection, &self.scopes, query)
    }

    fn count_blocks(&self, query: &BlockQuery) -> Result<u64> {
        blocks::count(self.connection, &self.scopes, query)
    }

    fn get_inbox_ids(&self) -> Result<Vec<BlockId>> {
        blocks::inbox_ids(self.connection, &self.scopes)
    }

    fn get_block_counts(&self) -> Result<BlockCounts> {
        blocks::counts(self.connection, self.sight()?)
    }

    fn get_lineage(&self, id: &BlockId) -> Result<Vec<BlockId>> {
        blocks::lineage(self.connection, &self.scopes, id)
    }

    fn get_fading_blocks(&self, query: &FadingQuery) -> Result<Vec<Block>> {
        blocks::fading(self.connection, &self.scopes, query)
    }

    fn find_tombstone(&self, prefix: &str) -> Result<Option<Tombstone>> {
        rows::tables::find_tombstone(self.connection, &self.scopes, prefix)
    }
}

impl WriteBlocks for SqliteTransaction<'_> {
    fn insert_block(&mut self, block: &Block) -> Result<()> {
        blocks::insert(self.connection, block)?;
        search::reindex(self.connection, None, Some(block))?;
        self.recorder.record_block(None, block);
        Ok(())
    }

    fn update_block(&mut self, id: &BlockId, edit: &mut dyn FnMut(&mut Block)) -> Result<Block> {
        let missing = || StoreError::Missing { what: "block", id: id.to_string() };
        let before = self.get_block(id)?.ok_or_else(missing)?;
        let mut after = before.clone();
        edit(&mut after);
        (after.id, after.scope) = (before.id.clone(), before.scope.clone());
        after.embedding_model.clone_from(&before.embedding_model);
        after.revision = before.revision;
        if after == before {
            return Ok(after);
        }
        after.revision += 1;
        blocks::update(self.connection, &before, &after)?;
        search::reindex(self.connection, Some(&before), Some(&after))?;
        self.recorder.record_block(Some(&before), &after);
        Ok(after)
    }

    fn set_provenance(&mut self, id: &BlockId, provenance: &Provenance) -> Result<()> {
        rows::set_provenance(self.connection, id, provenance)
    }

    fn archive_blocks(&mut self, ids: &[BlockId], reason: ArchiveReason) -> Result<()> {
        if ids.len() >= archive::MANY {
            self.has_large_cache = true;
            connection::set_cache_size(self.connection, connection::BULK_CACHE_KIB)?;
        }
        archive::mark(self.connection, &self.scopes, ids)?;
        for edge in edges::of_marked(self.connection, self.sight()?)? {
            self.remove_edge(&edge)?;
        }
        for contradiction in contradictions::of_marked(self.connection, &self.scopes)? {
            self.delete_contradiction(&contradiction)?;
        }
        for (id, before, after) in archive::archive_marked(self.connection, reason)? {
            self.recorder.record(Entity::Block, id, Some(&before), Some(&after));
        }
        Ok(())
    }

    fn update_learned_state(&mut self, id: &BlockId, before: &LearnedState, after: &LearnedState) -> Result<()> {
        if after != before {
            blocks::update_learned_state(self.connection, id, before, after)?;
            self.recorder.record(Entity::Block, id.to_string(), Some(before), Some(after));
        }
        Ok(())
    }
}
