//! Scores the `similar` edges of a plan, by cosine or by the composite score.

use std::collections::HashMap;

use elfmem_core::edge_score::{COMPOSITE_COSINE_GUARD, COMPOSITE_EDGE_THRESHOLD, EdgeEnd, composite_edge_score};
use elfmem_core::{ActiveHours, Block, BlockId, Category, EdgeScoring, Tag};
use elfmem_models::SimilarityProfile;
use elfmem_store::Snapshot;

use super::plan::Planned;
use crate::Result;

/// Which pairs get an edge, and with which weight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeRule {
    scoring: EdgeScoring,
    min_cosine: f64,
    /// Most edges of a block.
    cap: usize,
}

/// The properties of a block that the composite score compares.
struct ScoredEnd {
    tags: Vec<Tag>,
    category: Category,
    hours: ActiveHours,
}

impl ScoredEnd {
    /// `hours` is when the block was last used.
    fn new(block: &Block, tags: Vec<Tag>, hours: ActiveHours) -> Self {
        Self { tags, category: block.category.clone(), hours }
    }

    fn as_edge_end(&self) -> EdgeEnd<'_> {
        EdgeEnd { tags: &self.tags, category: &self.category, hours: self.hours }
    }
}

impl EdgeRule {
    pub(crate) fn new(scoring: EdgeScoring, profile: SimilarityProfile, cap: usize) -> Self {
        let min_cosine = match scoring {
            EdgeScoring::Cosine => profile.edge,
            EdgeScoring::Composite => COMPOSITE_COSINE_GUARD,
        };
        Self { scoring, min_cosine, cap }
    }

    /// Returns the cosine below which no pair gets an edge.
    pub(super) fn min_cosine(self) -> f64 {
        self.min_cosine
    }

    /// Returns true if a pair is a candidate for an edge, given the number of candidates so far. The composite score
    /// can change the order of the pairs, so it needs all of them.
    pub(super) fn allows(self, cosine: f64, candidates: usize) -> bool {
        cosine >= self.min_cosine && (self.scoring == EdgeScoring::Composite || candidates < self.cap)
    }

    /// Replaces the cosine of each planned edge by its score, drops edges below the threshold and keeps the best
    /// of each block. With cosine scoring, the plan is already complete. Planned blocks are in use now, however long they
    /// waited in the inbox.
    ///
    /// Runs after the analysis, because an analyst may add tags.
    pub(super) fn score(self, snapshot: &dyn Snapshot, blocks: &mut [Planned], now: ActiveHours) -> Result<()> {
        if self.scoring == EdgeScoring::Cosine {
            return Ok(());
        }
        let ends = ends(snapshot, blocks, now)?;
        for planned in blocks {
            let Some(own) = ends.get(&planned.block.id) else { continue };
            let score = |(id, cosine): (BlockId, f64)| {
                let score = composite_edge_score(cosine, own.as_edge_end(), ends.get(&id)?.as_edge_end());
                (score >= COMPOSITE_EDGE_THRESHOLD).then_some((id, score))
            };
            let mut edges: Vec<(BlockId, f64)> =
                std::mem::take(&mut planned.edges).into_iter().filter_map(score).collect();
            edges.sort_by(|a, b| b.1.total_cmp(&a.1));
            edges.truncate(self.cap);
            planned.edges = edges;
        }
        Ok(())
    }
}

/// Returns the properties of all blocks of the plan and of the blocks their edges lead to.
fn ends(snapshot: &dyn Snapshot, blocks: &[Planned], now: ActiveHours) -> Result<HashMap<BlockId, ScoredEnd>> {
    let mut ends: HashMap<BlockId, ScoredEnd> = blocks
        .iter()
        .map(|planned| (planned.block.id.clone(), ScoredEnd::new(&planned.block, planned.tags(), now)))
        .collect();
    let mut others: Vec<BlockId> =
        blocks.iter().flat_map(|planned| planned.edges.iter().map(|(id, _)| id.clone())).collect();
    others.retain(|id| !ends.contains_key(id));
    others.sort();
    others.dedup();
    for block in snapshot.get_blocks(&others)? {
        let tags = block.tags.clone();
        ends.insert(block.id.clone(), ScoredEnd::new(&block, tags, block.last_reinforced_at));
    }
    Ok(ends)
}
