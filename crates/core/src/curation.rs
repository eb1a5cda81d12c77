//! Curation: which blocks to archive, which to reinforce, which edges to prune (seed 002).

use std::collections::HashSet;

use crate::decay::{DecayRate, edge_decay_rate};
use crate::edge::{EdgeKey, effective_weight};
use crate::id::BlockId;
use crate::score::{ScoreComponents, ScoreWeights, normalised_reinforcement};
use crate::time::ActiveHours;
use crate::unit::{Confidence, EdgeWeight};

/// Active hours between two automatic runs.
pub const INTERVAL_HOURS: f64 = 40.0;
/// Quantile of the degrees from which a block is a bridge.
const BRIDGE_SHARE: f64 = 0.80;

/// Options of curate, with the defaults of the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct CurationRules {
    /// Active blocks with a lower recency are archived.
    pub prune_threshold: f64,
    /// Edges with a lower weight are removed.
    pub edge_prune_threshold: f64,
    /// Number of top blocks that are reinforced.
    pub reinforce_top_n: usize,
    /// Whether bridge blocks are kept, even if faded.
    pub protect_bridges: bool,
    /// Whether all constitutional blocks are reinforced.
    pub reinforce_constitutional: bool,
}

impl Default for CurationRules {
    fn default() -> Self {
        Self {
            prune_threshold: 0.05,
            edge_prune_threshold: 0.10,
            reinforce_top_n: 5,
            protect_bridges: false,
            reinforce_constitutional: false,
        }
    }
}

/// The fields of an active block that curation reads.
#[derive(Debug, Clone, PartialEq)]
pub struct CurationBlock {
    /// The id.
    pub id: BlockId,
    /// The confidence.
    pub confidence: Confidence,
    /// The decay rate.
    pub decay_lambda: DecayRate,
    /// When the block was last reinforced.
    pub last_reinforced_at: ActiveHours,
    /// Number of reinforcements.
    pub reinforcement_count: u32,
    /// Whether the block is pinned.
    pub pinned: bool,
    /// Whether the block is constitutional.
    pub constitutional: bool,
}

impl CurationBlock {
    /// Returns the recency at an hour of use.
    pub fn recency_at(&self, now: ActiveHours) -> f64 {
        self.decay_lambda.recency_after(now.since(self.last_reinforced_at))
    }
}

/// An edge between two active blocks, given by their indices in the block list.
#[derive(Debug, Clone, PartialEq)]
pub struct CurationEdge {
    /// Index of one end.
    pub from: u32,
    /// Index of the other end.
    pub to: u32,
    /// The weight.
    pub weight: EdgeWeight,
    /// Number of reinforcements.
    pub reinforcement_count: u32,
    /// When the edge was last active. `None` if never.
    pub last_active_hours: Option<ActiveHours>,
    /// Whether the edge is a contradiction, which does not add to centrality.
    pub contradicts: bool,
    /// Whether the edge was created automatically, by similarity or co-retrieval.
    pub machine_made: bool,
}

/// The active blocks in order of their ids, and the edges between them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CurationGraph {
    /// The blocks.
    pub blocks: Vec<CurationBlock>,
    /// The edges.
    pub edges: Vec<CurationEdge>,
}

/// Faded blocks, grouped by what happens to them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FadedBlocks {
    /// Blocks to archive.
    pub archived: Vec<BlockId>,
    /// Blocks kept because they are pinned.
    pub pinned: Vec<BlockId>,
    /// Blocks kept because they are bridges.
    pub bridges: Vec<BlockId>,
}

impl CurationGraph {
    /// Returns the blocks with a recency strictly below the threshold.
    pub fn faded(&self, now: ActiveHours, rules: &CurationRules) -> FadedBlocks {
        let degrees = if rules.protect_bridges { self.degrees() } else { Vec::new() };
        let line = bridge_threshold(&degrees);
        let mut faded = FadedBlocks::default();
        for (place, block) in self.blocks.iter().enumerate() {
            // Tags that say permanent hold, whatever rate the row carries.
            if block.constitutional || block.recency_at(now) >= rules.prune_threshold {
                continue;
            }
            let is_bridge = line > 0.0 && degrees.get(place).is_some_and(|degree| *degree >= line);
            let list = match (block.pinned, is_bridge) {
                (true, _) => &mut faded.pinned,
                (false, true) => &mut faded.bridges,
                (false, false) => &mut faded.archived,
            };
            list.push(block.id.clone());
        }
        faded
    }

    /// Removes blocks, given in order of their ids, and edges below a weight.
    #[must_use]
    pub fn without(self, gone: &[BlockId], edge_threshold: EdgeWeight) -> Self {
        let mut going = gone.iter().peekable();
        let mut places = Vec::with_capacity(self.blocks.len());
        let mut blocks = Vec::with_capacity(self.blocks.len().saturating_sub(gone.len()));
        for block in self.blocks {
            if going.next_if(|id| **id == block.id).is_some() {
                places.push(None);
            } else {
                places.push(u32::try_from(blocks.len()).ok());
                blocks.push(block);
            }
        }
        let place = |old: u32| places.get(old as usize).copied().flatten();
        let left = self.edges.into_iter().filter(|edge| edge.weight >= edge_threshold);
        let edges = left.filter_map(|edge| Some(CurationEdge { from: place(edge.from)?, to: place(edge.to)?, ..edge }));
        Self { edges: edges.collect(), blocks }
    }

    /// Removes automatic edges whose decayed weight is strictly below `threshold`. Returns their
    /// keys.
    pub fn drop_unused(&mut self, now: ActiveHours, threshold: EdgeWeight) -> Vec<EdgeKey> {
        let Self { blocks, edges } = self;
        let mut dropped = Vec::new();
        edges.retain(|edge| {
            let (Some(a), Some(b)) = (blocks.get(edge.from as usize), blocks.get(edge.to as usize)) else {
                return true;
            };
            let unused = edge.machine_made && edge.weight_at(now, a.decay_lambda, b.decay_lambda) < threshold.get();
            if unused {
                dropped.extend(EdgeKey::canonical(&a.id, &b.id));
            }
            !unused
        });
        dropped
    }

    /// Removes edges by key.
    pub fn drop_edges(&mut self, keys: &[EdgeKey]) {
        let place = |id: &BlockId| self.blocks.binary_search_by(|block| block.id.cmp(id)).ok();
        let gone: HashSet<(usize, usize)> =
            keys.iter().filter_map(|key| Some((place(&key.from_id)?, place(&key.to_id)?))).collect();
        if !gone.is_empty() {
            self.edges.retain(|edge| !gone.contains(&(edge.from as usize, edge.to as usize)));
        }
    }

    /// Returns the `count` best blocks that satisfy `wanted`, best first, scored without a query.
    /// Ties are ordered by id.
    pub fn best(
        &self,
        now: ActiveHours,
        weights: ScoreWeights,
        count: usize,
        wanted: impl Fn(&CurationBlock) -> bool,
    ) -> Vec<BlockId> {
        let degrees = self.degrees();
        let highest = degrees.iter().copied().fold(0.0, f64::max);
        let most_used = self.blocks.iter().map(|block| block.reinforcement_count).max().unwrap_or(0);
        let candidates = self.blocks.iter().zip(&degrees).filter(|(block, _)| wanted(block));
        let mut scored: Vec<(f64, &BlockId)> = candidates
            .map(|(block, degree)| {
                let parts = ScoreComponents {
                    similarity: 0.0,
                    confidence: block.confidence.get(),
                    recency: block.recency_at(now),
                    centrality: if highest > 0.0 { degree / highest } else { 0.0 },
                    reinforcement: normalised_reinforcement(block.reinforcement_count, most_used),
                };
                (weights.score(parts), &block.id)
            })
            .collect();
        let order = |a: &(f64, &BlockId), b: &(f64, &BlockId)| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1));
        if count > 0 && count < scored.len() {
            scored.select_nth_unstable_by(count - 1, order);
        }
        scored.truncate(count);
        scored.sort_by(order);
        scored.into_iter().map(|(_, id)| id.clone()).collect()
    }

    /// Returns the weighted degree of each block. Contradictions do not count.
    fn degrees(&self) -> Vec<f64> {
        let mut degrees = vec![0.0; self.blocks.len()];
        for edge in self.edges.iter().filter(|edge| !edge.contradicts) {
            let weight = effective_weight(edge.weight.get(), edge.reinforcement_count);
            for end in [edge.from, edge.to] {
                if let Some(degree) = degrees.get_mut(end as usize) {
                    *degree += weight;
                }
            }
        }
        degrees
    }
}

/// Returns the degree from which a block is a bridge: the 80 % quantile of the non-zero degrees.
fn bridge_threshold(degrees: &[f64]) -> f64 {
    let mut some: Vec<f64> = degrees.iter().copied().filter(|degree| *degree > 0.0).collect();
    some.sort_by(f64::total_cmp);
    let at = ((some.len() as f64 * BRIDGE_SHARE) as usize).min(some.len().saturating_sub(1));
    some.get(at).copied().unwrap_or(0.0)
}

impl CurationEdge {
    /// Returns the decayed weight for the given decay rates of the ends. An edge that was never
    /// active has not decayed.
    fn weight_at(&self, now: ActiveHours, a: DecayRate, b: DecayRate) -> f64 {
        let rate = edge_decay_rate(a, b, self.reinforcement_count);
        let unused = self.last_active_hours.map_or(ActiveHours::ZERO, |since| now.since(since));
        self.weight.get() * rate.recency_after(unused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decay::DecayTier;
    use crate::frame::builtin_frames;
    use proptest::prelude::*;

    fn block(id: &str, tier: DecayTier, used_at: f64) -> CurationBlock {
        CurationBlock {
            id: BlockId::from_stored(id),
            confidence: Confidence::default(),
            decay_lambda: tier.rate(),
            last_reinforced_at: ActiveHours::new(used_at),
            reinforcement_count: 0,
            pinned: false,
            constitutional: false,
        }
    }

    fn edge(from: u32, to: u32, weight: f64) -> CurationEdge {
        CurationEdge {
            from,
            to,
            weight: EdgeWeight::saturating(weight),
            reinforcement_count: 0,
            last_active_hours: None,
            contradicts: false,
            machine_made: true,
        }
    }

    fn graph(blocks: impl IntoIterator<Item = CurationBlock>, edges: Vec<CurationEdge>) -> CurationGraph {
        CurationGraph { blocks: blocks.into_iter().collect(), edges }
    }

    fn ids(ids: &[BlockId]) -> Vec<&str> {
        ids.iter().map(BlockId::as_str).collect()
    }

    fn self_weights() -> ScoreWeights {
        builtin_frames()[0].weights.queryless().unwrap()
    }

    #[test]
    fn tags_that_say_permanent_hold_whatever_rate_the_row_carries() {
        let kept = CurationBlock { constitutional: true, ..block("kept", DecayTier::Ephemeral, 0.0) };
        let found = graph([kept], vec![]).faded(ActiveHours::new(1e5), &CurationRules::default());
        assert_eq!(found, FadedBlocks::default());
    }

    /// The corpus of the reference. One difference: a penalised block really decays faster.
    #[test]
    fn four_hundred_hours_archive_the_expected_blocks() {
        let blocks = [
            block("std_old", DecayTier::Standard, 0.0),
            block("std_new", DecayTier::Standard, 350.0),
            block("eph_61", DecayTier::Ephemeral, 339.0),
            block("eph_59", DecayTier::Ephemeral, 341.0),
            block("dur", DecayTier::Durable, 0.0),
            block("perm", DecayTier::Permanent, 0.0),
            CurationBlock { pinned: true, ..block("pinned", DecayTier::Standard, 0.0) },
            CurationBlock { decay_lambda: DecayRate::CEILING, ..block("penalised", DecayTier::Standard, 300.0) },
        ];
        let found = graph(blocks, vec![]).faded(ActiveHours::new(400.0), &CurationRules::default());
        assert_eq!(ids(&found.archived), ["std_old", "eph_61", "penalised"]);
        assert_eq!((ids(&found.pinned), found.bridges.len()), (vec!["pinned"], 0));
    }

    #[test]
    fn bridges_are_kept_if_protected() {
        let blocks = (0..6).map(|n| block(&format!("b{n}"), DecayTier::Standard, 0.0));
        // b0 has three edges, b1 two, b2 to b4 one each, b5 none: 80 % of the blocks with edges are
        // below b0.
        let edges = vec![edge(0, 1, 0.5), edge(0, 2, 0.5), edge(0, 3, 0.5), edge(1, 4, 0.5)];
        let graph = graph(blocks, edges);
        let now = ActiveHours::new(400.0);
        let bridges = CurationRules { protect_bridges: true, ..CurationRules::default() };
        assert_eq!(ids(&graph.faded(now, &bridges).bridges), ["b0"]);
        assert_eq!(graph.faded(now, &CurationRules::default()).archived.len(), 6);
        assert_eq!(bridge_threshold(&[]), 0.0);
    }

    #[test]
    fn edges_are_removed_by_key() {
        let blocks = (0..4).map(|n| block(&format!("b{n}"), DecayTier::Standard, 0.0));
        let mut graph = graph(blocks, vec![edge(0, 1, 0.5), edge(0, 2, 0.5), edge(1, 2, 0.5)]);
        let key = |a: &str, b: &str| EdgeKey::canonical(&BlockId::from_stored(a), &BlockId::from_stored(b)).unwrap();
        graph.drop_edges(&[key("b2", "b0"), key("b0", "b3"), key("b0", "gone")]);
        assert_eq!(graph.edges, [edge(0, 1, 0.5), edge(1, 2, 0.5)]);
    }

    #[test]
    fn the_best_blocks_are_scored_by_confidence_recency_centrality_and_use() {
        let now = ActiveHours::new(100.0);
        let blocks = [
            block("hub", DecayTier::Standard, 0.0),
            block("plain", DecayTier::Standard, 0.0),
            CurationBlock { confidence: Confidence::saturating(1.0), ..block("sure", DecayTier::Standard, 100.0) },
            CurationBlock { reinforcement_count: 9, ..block("used", DecayTier::Standard, 100.0) },
        ];
        let conflict = CurationEdge { contradicts: true, ..edge(1, 2, 1.0) };
        let graph = graph(blocks, vec![edge(0, 0, 0.5), conflict]);
        let best = |count| graph.best(now, self_weights(), count, |_| true);
        // used 1/6 + .0556 + 1/3; hub 1/6 + .0204 + .2778; sure 1/3 + .0556; plain 1/6 + .0204
        assert_eq!(ids(&best(2)), ["used", "hub"]);
        assert_eq!(ids(&best(99)), ["used", "hub", "sure", "plain"]);
        assert_eq!(ids(&graph.best(now, self_weights(), 1, |block| block.id.as_str() != "used")), ["hub"]);
        assert!(best(0).is_empty());
        assert!(CurationGraph::default().best(now, self_weights(), 5, |_| true).is_empty());
    }

    #[test]
    fn removing_blocks_removes_their_edges_and_reindexes() {
        let blocks = (0..4).map(|n| block(&format!("b{n}"), DecayTier::Standard, 0.0));
        let edges = vec![edge(0, 1, 0.5), edge(1, 3, 0.5), edge(0, 3, 0.6), edge(2, 3, 0.05)];
        let gone = [BlockId::from_stored("b1")];
        let left = graph(blocks, edges).without(&gone, EdgeWeight::saturating(0.10));
        assert_eq!(left.blocks.iter().map(|block| block.id.as_str()).collect::<Vec<_>>(), ["b0", "b2", "b3"]);
        assert_eq!(left.edges, [edge(0, 2, 0.6)]);
    }

    #[test]
    fn established_edges_last_twice_as_long() {
        let dropped = |edge: CurationEdge, hours: f64| {
            let blocks = ["a", "b"].map(|id| block(id, DecayTier::Standard, 0.0));
            let mut graph = graph(blocks, vec![edge]);
            let dropped = graph.drop_unused(ActiveHours::new(hours), EdgeWeight::saturating(0.10)).len();
            assert_eq!(graph.edges.len() + dropped, 1);
            dropped == 1
        };
        let young = CurationEdge { last_active_hours: Some(ActiveHours::ZERO), ..edge(0, 1, 0.55) };
        assert!(!dropped(young.clone(), 340.0) && dropped(young.clone(), 341.0));
        let established = CurationEdge { reinforcement_count: 10, ..young.clone() };
        assert!(!dropped(established.clone(), 681.0) && dropped(established, 682.0));
        assert!(!dropped(edge(0, 1, 0.55), 1e6), "what never mattered does not fall out of use");
        assert!(!dropped(CurationEdge { machine_made: false, ..young }, 1e6), "what was asserted does not fade");
    }

    proptest! {
        #[test]
        fn partial_selection_equals_a_full_sort(
            parts in prop::collection::vec((0.0..1.0f64, 0.0..100.0f64, 0u32..5), 0..40), count in 0usize..45,
        ) {
            let blocks = parts.iter().enumerate().map(|(n, (confidence, used, reinforcement_count))| CurationBlock {
                confidence: Confidence::saturating(*confidence),
                reinforcement_count: *reinforcement_count,
                ..block(&format!("b{n:02}"), DecayTier::Standard, *used)
            });
            let graph = graph(blocks, vec![]);
            let best = |count| graph.best(ActiveHours::new(100.0), self_weights(), count, |_| true);
            prop_assert_eq!(&best(count)[..], &best(parts.len())[..count.min(parts.len())]);
        }
    }
}
