//! Loading parts of the index on demand. What is loaded stays for later questions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use elfmem_core::BlockId;
use elfmem_index::{AdjacencyList, AdjacentEdge, AdjacentEdgeKind, PreparedQuery, VectorQuery, WordQuery};
use elfmem_store::{RankingState, Snapshot};
use elfmem_text::temporal::parse_time_query;

use super::{AllRankingStates, Flag, LinkLists, MemoryIndex};
use crate::Result;

/// The full vectors of some blocks, loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FullVectors<'a>(&'a MemoryIndex);

impl FullVectors<'_> {
    /// Returns the exact cosine of a query and a block; none for a block without a vector.
    pub(crate) fn cosine_to(&self, query: &VectorQuery, slot: u32) -> Option<f64> {
        self.0.vectors.matrix().cosine_of(query, slot).map(f64::from)
    }

    /// Returns the cosine of two blocks; none unless both have a vector.
    pub(crate) fn cosine_between(&self, a: u32, b: u32) -> Option<f64> {
        self.0.vectors.matrix().cosine_between(a, b).map(f64::from)
    }
}

impl MemoryIndex {
    /// Looks up the posting lists of a query.
    pub(crate) fn prepare_words(&self, snapshot: &dyn Snapshot, query: &WordQuery) -> Result<PreparedQuery> {
        let slots = self.vectors.slots();
        self.words.prepare(query, |word| {
            let holders = snapshot.get_postings(word)?;
            Ok(holders.into_iter().filter_map(|(id, counts)| Some((slots.get(&id)?, counts))).collect())
        })
    }

    /// Returns the terms of the memory that begin with a prefix. There may be terms that no block holds.
    pub(crate) fn terms(&self, snapshot: &dyn Snapshot, prefix: &str) -> Result<Arc<Vec<String>>> {
        self.vocabulary.terms(snapshot, prefix)
    }

    /// Returns the ranking states of some blocks, in the order of their slots.
    pub(crate) fn ranking_states(&self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<Vec<Option<RankingState>>> {
        self.ranking_states.load(snapshot, self.vectors.slots(), slots)
    }

    /// Returns the ranking states of all blocks.
    pub(crate) fn all_ranking_states(&self, snapshot: &dyn Snapshot) -> Result<AllRankingStates<'_>> {
        self.ranking_states.load_all(snapshot, self.vectors.slots())
    }

    /// Returns the full vectors of some blocks, so that their cosines are exact.
    pub(crate) fn full_vectors(
        &self,
        snapshot: &dyn Snapshot,
        slots: impl IntoIterator<Item = u32>,
    ) -> Result<FullVectors<'_>> {
        let missing = slots.into_iter().filter(|slot| self.vectors.matrix().lacks_exact(*slot));
        let missing: Vec<BlockId> = missing.filter_map(|slot| self.id(slot).cloned()).collect();
        if let Some(model) = self.model.as_ref().filter(|_| !missing.is_empty()) {
            for stored in snapshot.get_vectors(&model.name, Some(&missing))? {
                self.vectors.add_exact(&stored.id, &stored.vector)?;
            }
        }
        Ok(FullVectors(self))
    }

    /// Returns the links of some blocks.
    pub(crate) fn links(&self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<LinkLists<'_>> {
        let missing = slots.iter().filter(|slot| self.contains(**slot) && self.links.get(**slot).is_none());
        let missing: Vec<u32> = missing.copied().collect();
        if !missing.is_empty() {
            self.load_links(snapshot, &missing)?;
        }
        Ok(slots.iter().filter_map(|slot| Some((*slot, self.links.get(*slot)?))).collect())
    }

    fn load_links(&self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<()> {
        let ids: Vec<BlockId> = slots.iter().filter_map(|slot| self.id(*slot).cloned()).collect();
        let mut lists: HashMap<u32, Vec<AdjacentEdge>> = slots.iter().map(|slot| (*slot, Vec::new())).collect();
        for row in snapshot.get_index_edges(&ids)? {
            let ends = self.slot(&row.key.from_id).zip(self.slot(&row.key.to_id));
            let Some((from, to)) = ends.filter(|(from, to)| from != to) else { continue };
            let kind = if row.contradicts { AdjacentEdgeKind::Contradicts } else { AdjacentEdgeKind::Associates };
            for (end, neighbour) in [(from, to), (to, from)] {
                if let Some(links) = lists.get_mut(&end) {
                    links.push(AdjacentEdge { neighbour, weight: row.weight as f32, kind });
                }
            }
        }
        lists.into_iter().for_each(|(slot, links)| self.links.add(slot, AdjacencyList::new(links)));
        Ok(())
    }

    /// Returns those of some blocks whose text states a date.
    pub(crate) fn dated(&self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<HashSet<u32>> {
        let unknown = slots.iter().filter(|slot| !self.flags.has(**slot, Flag::DateKnown));
        let unknown: Vec<BlockId> = unknown.filter_map(|slot| self.id(*slot).cloned()).collect();
        if !unknown.is_empty() {
            for block in snapshot.get_blocks(&unknown)? {
                let said_at = block.event_at.unwrap_or(block.created_at);
                let dated = parse_time_query(&block.content, said_at).is_some_and(|time| time.span.is_some());
                if let Some(slot) = self.slot(&block.id) {
                    let found: &[Flag] = if dated { &[Flag::DateKnown, Flag::Dated] } else { &[Flag::DateKnown] };
                    self.flags.add(slot, found);
                }
            }
        }
        Ok(slots.iter().copied().filter(|slot| self.flags.has(*slot, Flag::Dated)).collect())
    }
}
