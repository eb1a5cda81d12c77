//! The index feed: what a process reads to build a search index of its own and to keep it up to date.

mod changes;
mod filter;
mod index_row;

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use elfmem_core::coarse::CoarseVector;
use elfmem_core::{Block, BlockId, BlockStatus, Edge, Relation};
use elfmem_text::bm25::TermFields;

pub use changes::changed_blocks;
pub use filter::BlockFilter;
pub use index_row::{Aspect, BlockChange, IndexEdge, IndexRow, RankingState};

use crate::blocks::visit_blocks;
use crate::rows::{RowKind, RowQuery, list};
use crate::{Internal, JournalRecord, ReadEvents, ReadGraph, ReadJournal, ReadVectors, Result, Row};

/// Reads what search indexes need. Only inbox and active blocks are searched.
pub trait IndexFeed: ReadGraph + ReadEvents + ReadJournal + ReadVectors {
    /// Lists the blocks that operations after `position` changed, in id order: each once with its largest aspect, edges and
    /// contradictions listed beside it. Blocks of other scopes may be named; reading them shows nothing.
    fn get_changes_after(&self, position: i64) -> Result<Vec<BlockChange>> {
        let mut changes = Vec::new();
        let visit = &mut |record: &JournalRecord| {
            changes.extend(record.changes.iter().cloned());
            ControlFlow::Continue(())
        };
        self.scan_journal(position, visit, Internal(()))?;
        Ok(changed_blocks(&changes))
    }

    /// Estimates the number of searched blocks, to allocate for them. Blocks of other scopes may be counted.
    fn count_index_rows(&self) -> Result<u64> {
        let counts = self.get_block_counts()?;
        Ok(counts.inbox + counts.active)
    }

    /// Visits searched blocks as an index stores them, with their vectors of `model`: all, or those of `ids`.
    fn visit_index_rows(
        &self,
        model: &str,
        ids: Option<&[BlockId]>,
        visit: &mut dyn FnMut(IndexRow<'_>),
    ) -> Result<()> {
        let query = RowQuery { blocks: ids, ..RowQuery::all(RowKind::Block) }.with_vectors();
        self.scan_rows(query, &mut |row, position| {
            if let Row::Block(row) = row
                && is_searched(&row.block)
            {
                let coarse = row.vector.as_deref().and_then(CoarseVector::encode);
                let coarse = coarse.filter(|_| row.block.embedding_model.as_deref() == Some(model));
                let origin = row.block.brought_by.to_line();
                visit(IndexRow {
                    id: row.block.id.clone(),
                    length: TermFields::of(&row.block).length(),
                    happened_at: row.block.event_at.unwrap_or(row.block.created_at).as_second(),
                    source: &row.block.source,
                    origin: &origin,
                    session: row.block.last_session_id.as_ref().map(|session| session.as_str()),
                    order: position,
                    asking: row.block.content.trim_end().ends_with('?'),
                    cue: row.block.cue.as_deref().filter(|cue| !cue.is_empty()),
                    vector: coarse.as_deref().and_then(CoarseVector::decode),
                });
            }
            ControlFlow::Continue(())
        })
    }

    /// Visits the ranking states of searched blocks: all, or those of `ids`.
    fn visit_ranking_states(
        &self,
        ids: Option<&[BlockId]>,
        visit: &mut dyn FnMut(&BlockId, RankingState),
    ) -> Result<()> {
        visit_blocks(self, ids, |block, _| {
            if is_searched(block) {
                visit(&block.id, RankingState::of(block));
            }
        })
    }

    /// Lists the searched blocks that hold a term (see [`elfmem_text::terms`]), with the number of times in the text, the cue and the
    /// tags.
    fn get_postings(&self, term: &str) -> Result<Vec<(BlockId, [u32; 3])>> {
        let mut postings = Vec::new();
        visit_blocks(self, None, |block, _| {
            if is_searched(block) {
                let counts = term_counts(&TermFields::of(block), term);
                postings.extend(counts.map(|counts| (block.id.clone(), counts)));
            }
        })?;
        Ok(postings)
    }

    /// Lists the searched blocks whose text holds the terms, in id order. Terms that more than `most` blocks hold are passed over,
    /// and so are those that follow once no more than `enough` blocks hold all before them. A store may count the blocks of other
    /// scopes among the holders.
    fn get_common_holders(&self, terms: &[String], most: usize, enough: usize) -> Result<Vec<BlockId>> {
        let mut common: Option<BTreeSet<BlockId>> = None;
        for term in terms {
            let holders = self.get_postings(term)?.into_iter().filter(|(_, counts)| counts[0] > 0).map(|(id, _)| id);
            let holders: BTreeSet<BlockId> = holders.collect();
            if holders.len() > most {
                continue;
            }
            let both = common.map_or_else(|| holders.clone(), |common| &common & &holders);
            let is_enough = both.len() <= enough;
            common = Some(both);
            if is_enough {
                break;
            }
        }
        Ok(common.unwrap_or_default().into_iter().collect())
    }

    /// Lists the terms of searched blocks that begin with a prefix, sorted. There may be terms that no block of the view
    /// holds; [`get_postings`](Self::get_postings) tells.
    fn get_terms(&self, prefix: &str) -> Result<Vec<String>> {
        let mut terms = BTreeSet::new();
        visit_blocks(self, None, |block, _| {
            if is_searched(block) {
                let TermFields { content, cue, tags } = TermFields::of(block);
                let all = content.into_iter().chain(cue).chain(tags).map(|term| term.text);
                terms.extend(all.filter(|term| term.starts_with(prefix)));
            }
        })?;
        Ok(terms.into_iter().collect())
    }

    /// Lists the searched blocks that a filter admits, in id order.
    fn filter_block_ids(&self, filter: &BlockFilter) -> Result<Vec<BlockId>> {
        let enrolled = filter::enrolled_blocks(self, filter)?;
        let reported = filter::reported_blocks(self, filter)?;
        let mut found = Vec::new();
        visit_blocks(self, None, |block, _| {
            let among = |ids: &Option<HashSet<BlockId>>| ids.as_ref().is_none_or(|ids| ids.contains(&block.id));
            if is_searched(block) && filter.matches(block) && among(&enrolled) && among(&reported) {
                found.push(block.id.clone());
            }
        })?;
        found.sort();
        Ok(found)
    }

    /// Lists the edges of each of `ids`, which must be visible; an edge between two of them comes twice.
    fn get_index_edges(&self, ids: &[BlockId]) -> Result<Vec<IndexEdge>> {
        let mut found = Vec::new();
        for id in ids {
            let edges: Vec<Edge> = list(self, Some(std::slice::from_ref(id)), |_| true)?;
            found.extend(edges.into_iter().map(|edge| IndexEdge {
                weight: edge.effective_weight(),
                contradicts: edge.relation_type == Relation::CONTRADICTS,
                key: edge.key,
            }));
        }
        Ok(found)
    }
}

/// Whether a block is searched at all.
fn is_searched(block: &Block) -> bool {
    block.status != BlockStatus::Archived
}

/// Counts a term in the text, the cue and the tags of a block; none when it is in none of them.
pub fn term_counts(fields: &TermFields, term: &str) -> Option<[u32; 3]> {
    let count = |terms: &[elfmem_text::terms::Term]| terms.iter().filter(|found| found.text == term).count() as u32;
    let counts = [count(&fields.content), count(&fields.cue), count(&fields.tags)];
    counts.iter().any(|count| *count > 0).then_some(counts)
}
