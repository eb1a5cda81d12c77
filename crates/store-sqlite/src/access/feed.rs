//! The index feed.

use elfmem_core::BlockId;
use elfmem_store::{BlockChange, BlockFilter, IndexEdge, IndexFeed, IndexRow, RankingState};

use super::Result;
use crate::transaction::SqliteTransaction;
use crate::{feed, journal};

impl IndexFeed for SqliteTransaction<'_> {
    fn get_changes_after(&self, position: i64) -> Result<Vec<BlockChange>> {
        journal::blocks_changed_after(self.connection, position)
    }

    fn count_index_rows(&self) -> Result<u64> {
        feed::count_rows(self.connection)
    }

    fn visit_index_rows(
        &self,
        model: &str,
        ids: Option<&[BlockId]>,
        visit: &mut dyn FnMut(IndexRow<'_>),
    ) -> Result<()> {
        feed::visit_rows(self.connection, &self.scopes, model, ids, visit)
    }

    fn visit_ranking_states(
        &self,
        ids: Option<&[BlockId]>,
        visit: &mut dyn FnMut(&BlockId, RankingState),
    ) -> Result<()> {
        feed::visit_ranking_states(self.connection, &self.scopes, ids, visit)
    }

    fn get_postings(&self, term: &str) -> Result<Vec<(BlockId, [u32; 3])>> {
        feed::postings(self.connection, &self.scopes, term)
    }

    fn get_common_holders(&self, terms: &[String], most: usize, enough: usize) -> Result<Vec<BlockId>> {
        feed::common_holders(self.connection, &self.scopes, terms, most, enough)
    }

    fn get_terms(&self, prefix: &str) -> Result<Vec<String>> {
        feed::terms(self.connection, prefix)
    }

    fn filter_block_ids(&self, filter: &BlockFilter) -> Result<Vec<BlockId>> {
        feed::filtered(self.connection, &self.scopes, filter)
    }

    fn get_index_edges(&self, ids: &[BlockId]) -> Result<Vec<IndexEdge>> {
        feed::index_edges(self.connection, &self.scopes, ids)
    }
}
