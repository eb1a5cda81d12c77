//! Reading blocks.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use elfmem_core::{Block, BlockId, BlockStatus};

use super::{BlockCounts, BlockOrder, BlockQuery, BlockState, BlockText, FadingQuery};
use crate::Internal;
use crate::rows::{RowKey, RowKind, RowQuery, get};
use crate::{BlockRow, ReadRows, Result, Row, Tombstone};

/// Reads blocks.
pub trait ReadBlocks: ReadRows {
    /// Reads one block by its whole id.
    fn get_block(&self, id: &BlockId) -> Result<Option<Block>> {
        Ok(get::<BlockRow>(self, &RowKey::Block(id.clone()))?.map(|row| row.block))
    }

    /// Returns whether a block of a scope that the view does not see has an id.
    fn is_taken_elsewhere(&self, id: &BlockId) -> Result<bool> {
        self.is_hidden(id, Internal(()))
    }

    /// Returns the id of a text in the own scope: that of the text, unless a block of a scope that the view does not see has it.
    /// What another scope holds does not keep a text from being stored.
    fn id_of_text(&self, content: &str) -> Result<BlockId> {
        let (id, in_scope) = (BlockId::for_content(content), BlockId::for_content_in(self.scope(), content));
        let is_other = !self.block_exists(&id)? && (self.block_exists(&in_scope)? || self.is_taken_elsewhere(&id)?);
        Ok(if is_other { in_scope } else { id })
    }

    /// Returns whether a block exists, whatever its status.
    fn block_exists(&self, id: &BlockId) -> Result<bool> {
        Ok(self.get_block(id)?.is_some())
    }

    /// Reads the status and the learned state of a block: cheaper than the whole block.
    fn get_block_state(&self, id: &BlockId) -> Result<Option<BlockState>> {
        Ok(self.get_block(id)?.as_ref().map(BlockState::of))
    }

    /// Reads the blocks among `ids` that exist, in the order asked for.
    fn get_blocks(&self, ids: &[BlockId]) -> Result<Vec<Block>> {
        let mut found = Vec::with_capacity(ids.len());
        visit_blocks(self, Some(ids), |block, _| found.push(block.clone()))?;
        Ok(found)
    }

    /// Reads the texts of the blocks among `ids` that exist, in no particular order: cheaper than whole blocks.
    fn get_texts(&self, ids: &[BlockId]) -> Result<Vec<BlockText>> {
        let mut found = Vec::with_capacity(ids.len());
        visit_blocks(self, Some(ids), |block, _| {
            let (id, content, category) = (block.id.clone(), block.content.clone(), block.category.clone());
            found.push(BlockText { id, content, category });
        })?;
        Ok(found)
    }

    /// Reads the status of each of `ids`; blocks that do not exist are left out.
    fn get_statuses(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, BlockStatus>> {
        let mut found = HashMap::with_capacity(ids.len());
        visit_blocks(self, Some(ids), |block, _| _ = found.insert(block.id.clone(), block.status))?;
        Ok(found)
    }

    /// Lists ids that begin with `prefix`, at most `limit`, in order.
    fn find_block_ids(&self, prefix: &str, limit: u32) -> Result<Vec<BlockId>> {
        let mut found = Vec::new();
        visit_blocks(self, None, |block, _| {
            if block.id.as_str().starts_with(prefix) {
                found.push(block.id.clone());
            }
        })?;
        found.sort();
        found.truncate(limit as usize);
        Ok(found)
    }

    /// Lists the blocks that meet every condition of a query.
    fn list_blocks(&self, query: &BlockQuery) -> Result<Vec<Block>> {
        let mut found: Vec<(i64, Block)> = Vec::new();
        visit_blocks(self, None, |block, position| {
            if query.matches(block) {
                found.push((position, block.clone()));
            }
        })?;
        let age = |(position, block): &(i64, Block)| (block.created_at, *position);
        match query.order {
            BlockOrder::OldestFirst => found.sort_by_key(age),
            BlockOrder::NewestFirst => found.sort_by_key(|found| std::cmp::Reverse(age(found))),
            BlockOrder::RecentlyUsedFirst => found.sort_by(|a, b| {
                let used = |found: &(i64, Block)| found.1.last_reinforced_at.get();
                used(b).total_cmp(&used(a)).then_with(|| age(b).cmp(&age(a)))
            }),
        }
        found.truncate(query.limit.map_or(usize::MAX, |limit| limit as usize));
        Ok(found.into_iter().map(|(_, block)| block).collect())
    }

    /// Counts the blocks that meet every condition of a query.
    fn count_blocks(&self, query: &BlockQuery) -> Result<u64> {
        Ok(self.list_blocks(query)?.len() as u64)
    }

    /// Lists active blocks, the oldest first.
    fn get_active_blocks(&self) -> Result<Vec<Block>> {
        self.list_blocks(&BlockQuery { status: Some(BlockStatus::Active), ..BlockQuery::default() })
    }

    /// Lists the ids of blocks that wait to be consolidated, in no particular order.
    fn get_inbox_ids(&self) -> Result<Vec<BlockId>> {
        let query = BlockQuery { status: Some(BlockStatus::Inbox), ..BlockQuery::default() };
        Ok(self.list_blocks(&query)?.into_iter().map(|block| block.id).collect())
    }

    /// Counts the blocks of each status.
    fn get_block_counts(&self) -> Result<BlockCounts> {
        let mut counts = BlockCounts::default();
        visit_blocks(self, None, |block, _| match block.status {
            BlockStatus::Inbox => counts.inbox += 1,
            BlockStatus::Active => counts.active += 1,
            BlockStatus::Archived => counts.archived += 1,
        })?;
        Ok(counts)
    }

    /// Counts the blocks that wait to be consolidated.
    fn get_inbox_count(&self) -> Result<u64> {
        Ok(self.get_block_counts()?.inbox)
    }

    /// Lists the blocks that a block superseded, directly or through others, and those that superseded it, in id order.
    fn get_lineage(&self, id: &BlockId) -> Result<Vec<BlockId>> {
        let mut superseded: Vec<(BlockId, BlockId)> = Vec::new();
        let mut visible = BTreeSet::new();
        visit_blocks(self, None, |block, _| {
            visible.insert(block.id.clone());
            superseded.extend(block.superseded_by.clone().map(|successor| (block.id.clone(), successor)));
        })?;
        let mut lineage = BTreeSet::from([id.clone()]);
        let mut open = vec![id.clone()];
        while let Some(id) = open.pop() {
            for (old, new) in &superseded {
                let related = if *old == id { new } else { old };
                if (*old == id || *new == id) && lineage.insert(related.clone()) {
                    open.push(related.clone());
                }
            }
        }
        lineage.remove(id);
        Ok(lineage.into_iter().filter(|id| visible.contains(id)).collect())
    }

    /// Lists active blocks, not pinned, whose recency has fallen into a band and that were used before, those closest to the lower end
    /// first.
    fn get_fading_blocks(&self, query: &FadingQuery) -> Result<Vec<Block>> {
        let mut found: Vec<(f64, Block)> = Vec::new();
        visit_blocks(self, None, |block, _| {
            if query.matches(block) {
                found.push((query.exponent(block), block.clone()));
            }
        })?;
        found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.id.cmp(&other.id)));
        found.truncate(query.limit as usize);
        Ok(found.into_iter().map(|(_, block)| block).collect())
    }

    /// Finds the tombstone of a purged block whose id is, or begins with, `prefix`.
    fn find_tombstone(&self, prefix: &str) -> Result<Option<Tombstone>> {
        let found = crate::rows::list(self, None, |stone: &Tombstone| stone.block_id.as_str().starts_with(prefix))?;
        Ok(found.into_iter().min_by(|a, b| a.block_id.cmp(&b.block_id)))
    }
}

/// Visits blocks with their positions: all, or those among `ids`.
pub(crate) fn visit_blocks(
    rows: &(impl ReadRows + ?Sized),
    ids: Option<&[BlockId]>,
    mut visit: impl FnMut(&Block, i64),
) -> Result<()> {
    let query = RowQuery { blocks: ids, ..RowQuery::all(RowKind::Block) };
    rows.scan_rows(query, &mut |row, position| {
        if let Row::Block(row) = row {
            visit(&row.block, position);
        }
        ControlFlow::Continue(())
    })
}

impl FadingQuery {
    /// Returns whether a block meets every condition.
    pub fn matches(&self, block: &Block) -> bool {
        // Recency is exp(-rate × hours), so the band is one of the exponent.
        let (least, most) = (-self.up_to.ln(), -self.above.ln());
        let exponent = self.exponent(block);
        let was_used = block.reinforcement_count >= self.least_uses
            || block.confidence.get() >= self.least_confidence && block.outcome_evidence.get() > 0.0;
        block.status == BlockStatus::Active && !block.pinned && exponent >= least && exponent < most && was_used
    }

    fn exponent(&self, block: &Block) -> f64 {
        block.decay_lambda.get() * (self.now.get() - block.last_reinforced_at.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::{ActiveHours, DecayTier, Timestamp};

    #[test]
    fn a_band_of_recency_is_open_below_and_closed_above() {
        let mut block = Block::new(BlockId::from_stored("a"), "a", "test", Timestamp::UNIX_EPOCH);
        (block.status, block.reinforcement_count) = (BlockStatus::Active, 5);
        block.decay_lambda = DecayTier::Standard.rate();
        let hours = |recency: f64| -recency.ln() / block.decay_lambda.get();
        let query = |hours: f64| FadingQuery {
            now: ActiveHours::new(hours),
            above: 0.1,
            up_to: 0.5,
            least_uses: 3,
            least_confidence: 0.9,
            limit: 5,
        };
        assert!(query(hours(0.5) + 1e-6).matches(&block) && !query(hours(0.6)).matches(&block));
        assert!(query(hours(0.11)).matches(&block) && !query(hours(0.1) + 1e-6).matches(&block));
        assert!(!query(hours(0.3)).matches(&Block { pinned: true, ..block.clone() }));
    }
}
