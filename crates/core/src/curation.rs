//! Which blocks have faded, which deserve to be kept fresh, which edges have fallen out of use (seed 002).

use std::collections::HashMap;

use crate::decay::{DecayRate, edge_decay_rate};
use crate::edge::Edge;
use crate::id::BlockId;
use crate::score::{Components, Weights, normalised_reinforcement};
use crate::time::ActiveHours;
use crate::unit::Confidence;

/// Recency below which a block is archived.
pub const PRUNE_THRESHOLD: f64 = 0.05;
/// Weight below which an edge is pruned.
pub const EDGE_PRUNE_THRESHOLD: f64 = 0.10;
/// Blocks that are kept fresh.
pub const REINFORCE_TOP_N: usize = 5;
/// Active hours between two automatic runs.
pub const INTERVAL_HOURS: f64 = 40.0;
/// Of the blocks with edges, the share below the line from which a block counts as holding others together.
const BRIDGE_SHARE: f64 = 0.80;

/// What curation looks at in an active block.
#[derive(Debug, Clone, PartialEq)]
pub struct Vitals {
    /// Which block.
    pub id: BlockId,
    /// How much it is believed.
    pub confidence: Confidence,
    /// How fast it fades.
    pub decay_lambda: DecayRate,
    /// When it last was of use.
    pub last_reinforced_at: ActiveHours,
    /// How often it was of use.
    pub reinforcement_count: u32,
    /// Whether it must be left alone.
    pub pinned: bool,
    /// Whether it is part of the constitution.
    pub constitutional: bool,
}

impl Vitals {
    fn recency_at(&self, now: ActiveHours) -> f64 {
        self.decay_lambda.recency_after(now.since(self.last_reinforced_at))
    }
}

/// Blocks that have faded, by what becomes of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faded {
    /// To be archived.
    pub archived: Vec<BlockId>,
    /// Kept because they are pinned.
    pub pinned: Vec<BlockId>,
    /// Kept because they hold others together.
    pub bridges: Vec<BlockId>,
}

/// Blocks whose recency is strictly below the threshold. One with at least `bridge_line` of degree is kept; none keeps none.
pub fn faded(
    blocks: &[Vitals],
    now: ActiveHours,
    threshold: f64,
    degrees: &HashMap<BlockId, f64>,
    bridge_line: Option<f64>,
) -> Faded {
    let mut faded = Faded::default();
    for block in blocks.iter().filter(|block| block.recency_at(now) < threshold) {
        let degree = degrees.get(&block.id).copied().unwrap_or(0.0);
        let list = if block.pinned {
            &mut faded.pinned
        } else if bridge_line.is_some_and(|line| line > 0.0 && degree >= line) {
            &mut faded.bridges
        } else {
            &mut faded.archived
        };
        list.push(block.id.clone());
    }
    faded
}

/// The degree from which a block holds others together: the one that four of five blocks with edges stay below.
pub fn bridge_line(degrees: &HashMap<BlockId, f64>) -> f64 {
    let mut some: Vec<f64> = degrees.values().copied().filter(|degree| *degree > 0.0).collect();
    some.sort_by(f64::total_cmp);
    let at = ((some.len() as f64 * BRIDGE_SHARE) as usize).min(some.len().saturating_sub(1));
    some.get(at).copied().unwrap_or(0.0)
}

/// The `count` best blocks, best first, scored without a query; equal scores in the order of their ids.
pub fn best<'a>(
    blocks: impl IntoIterator<Item = &'a Vitals>,
    now: ActiveHours,
    weights: Weights,
    degrees: &HashMap<BlockId, f64>,
    count: usize,
) -> Vec<BlockId> {
    let blocks: Vec<&Vitals> = blocks.into_iter().collect();
    let most_used = blocks.iter().map(|block| block.reinforcement_count).max().unwrap_or(0);
    let degree = |block: &Vitals| degrees.get(&block.id).copied().unwrap_or(0.0);
    let highest = blocks.iter().map(|block| degree(block)).fold(0.0, f64::max);
    let mut scored: Vec<(f64, &BlockId)> = blocks
        .iter()
        .map(|block| {
            let parts = Components {
                similarity: 0.0,
                confidence: block.confidence.get(),
                recency: block.recency_at(now),
                centrality: if highest > 0.0 { degree(block) / highest } else { 0.0 },
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

/// An edge and how fast its ends fade.
#[derive(Debug, Clone, PartialEq)]
pub struct FadingEdge {
    /// The edge.
    pub edge: Edge,
    /// The rate of its first end.
    pub from_rate: DecayRate,
    /// The rate of its second end.
    pub to_rate: DecayRate,
}

impl FadingEdge {
    /// What disuse has left of the edge's weight; all of it where it never mattered yet.
    pub fn weight_at(&self, now: ActiveHours) -> f64 {
        let rate = edge_decay_rate(self.from_rate, self.to_rate, self.edge.reinforcement_count);
        let unused = self.edge.last_active_hours.map_or(ActiveHours::ZERO, |since| now.since(since));
        self.edge.weight.get() * rate.recency_after(unused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decay::DecayTier;
    use crate::edge::{EdgeKey, Origin, Relation};
    use crate::frame::builtin_frames;
    use crate::time::Timestamp;
    use crate::unit::EdgeWeight;
    use proptest::prelude::*;

    fn block(id: &str, tier: DecayTier, used_at: f64) -> Vitals {
        Vitals {
            id: BlockId::from_stored(id),
            confidence: Confidence::default(),
            decay_lambda: tier.rate(),
            last_reinforced_at: ActiveHours::new(used_at),
            reinforcement_count: 0,
            pinned: false,
            constitutional: false,
        }
    }

    fn ids(ids: &[BlockId]) -> Vec<&str> {
        ids.iter().map(BlockId::as_str).collect()
    }

    /// The corpus of the reference, with the one difference that a penalised block really fades faster.
    #[test]
    fn four_hundred_hours_archive_what_the_reference_archives_and_what_was_penalised() {
        let penalised = Vitals { decay_lambda: DecayRate::CEILING, ..block("penalised", DecayTier::Standard, 300.0) };
        let blocks = [
            block("std_old", DecayTier::Standard, 0.0),
            block("std_new", DecayTier::Standard, 350.0),
            block("eph_61", DecayTier::Ephemeral, 339.0),
            block("eph_59", DecayTier::Ephemeral, 341.0),
            block("dur", DecayTier::Durable, 0.0),
            block("perm", DecayTier::Permanent, 0.0),
            Vitals { pinned: true, ..block("pinned", DecayTier::Standard, 0.0) },
            penalised,
        ];
        let found = faded(&blocks, ActiveHours::new(400.0), PRUNE_THRESHOLD, &HashMap::new(), None);
        assert_eq!(ids(&found.archived), ["std_old", "eph_61", "penalised"]);
        assert_eq!((ids(&found.pinned), found.bridges.len()), (vec!["pinned"], 0));
    }

    #[test]
    fn bridges_are_kept_where_that_is_asked_for() {
        let blocks: Vec<Vitals> = (0..10).map(|n| block(&format!("b{n}"), DecayTier::Standard, 0.0)).collect();
        let degrees: HashMap<BlockId, f64> =
            blocks.iter().enumerate().map(|(n, block)| (block.id.clone(), n as f64)).collect();
        let line = bridge_line(&degrees);
        assert_eq!(line, 8.0, "nine blocks have edges; the one at seven of them");
        let now = ActiveHours::new(400.0);
        let found = faded(&blocks, now, PRUNE_THRESHOLD, &degrees, Some(line));
        assert_eq!(ids(&found.bridges), ["b8", "b9"]);
        assert_eq!(faded(&blocks, now, PRUNE_THRESHOLD, &degrees, None).archived.len(), 10);
        assert_eq!(bridge_line(&HashMap::new()), 0.0);
    }

    #[test]
    fn the_best_blocks_are_scored_by_confidence_recency_centrality_and_use() {
        let self_weights = builtin_frames()[0].weights.queryless().unwrap();
        let now = ActiveHours::new(100.0);
        let blocks = [
            Vitals { confidence: Confidence::saturating(1.0), ..block("sure", DecayTier::Standard, 100.0) },
            Vitals { reinforcement_count: 9, ..block("used", DecayTier::Standard, 100.0) },
            block("hub", DecayTier::Standard, 0.0),
            block("plain", DecayTier::Standard, 0.0),
        ];
        let degrees = HashMap::from([(BlockId::from_stored("hub"), 2.0)]);
        // sure 1/3 + .0556; used 1/6 + .0556 + 1/3; hub 1/6 + .0204 + .2778; plain 1/6 + .0204
        assert_eq!(ids(&best(&blocks, now, self_weights, &degrees, 2)), ["used", "hub"]);
        assert_eq!(ids(&best(&blocks, now, self_weights, &degrees, 99)), ["used", "hub", "sure", "plain"]);
        assert!(best(&blocks, now, self_weights, &degrees, 0).is_empty());
        assert!(best(&[], now, self_weights, &degrees, 5).is_empty());
    }

    fn edge(weight: f64, count: u32, last: Option<f64>) -> FadingEdge {
        let key = EdgeKey::canonical(&BlockId::from_stored("a"), &BlockId::from_stored("b")).unwrap();
        let mut edge = Edge::new(key, Relation::CO_OCCURS, Origin::CO_RETRIEVAL, Timestamp::UNIX_EPOCH);
        edge.weight = EdgeWeight::saturating(weight);
        edge.reinforcement_count = count;
        edge.last_active_hours = last.map(ActiveHours::new);
        let rate = DecayTier::Standard.rate();
        FadingEdge { edge, from_rate: rate, to_rate: rate }
    }

    #[test]
    fn an_unused_edge_lasts_as_long_as_the_reference_lets_it_and_twice_as_long_once_established() {
        let left = |edge: &FadingEdge, hours: f64| edge.weight_at(ActiveHours::new(hours)) >= EDGE_PRUNE_THRESHOLD;
        let young = edge(0.55, 0, Some(0.0));
        assert!(left(&young, 340.0) && !left(&young, 341.0));
        let established = edge(0.55, 10, Some(0.0));
        assert!(left(&established, 681.0) && !left(&established, 682.0));
        assert!(left(&edge(0.55, 0, None), 1e6), "what never mattered does not fall out of use");
    }

    proptest! {
        #[test]
        fn the_best_are_the_same_whether_picked_or_sorted(
            parts in prop::collection::vec((0.0..1.0f64, 0.0..100.0f64, 0u32..5), 0..40), count in 0usize..45,
        ) {
            let blocks: Vec<Vitals> = parts
                .iter()
                .enumerate()
                .map(|(n, (confidence, used, reinforcement_count))| Vitals {
                    confidence: Confidence::saturating(*confidence),
                    reinforcement_count: *reinforcement_count,
                    ..block(&format!("b{n:02}"), DecayTier::Standard, *used)
                })
                .collect();
            let weights = builtin_frames()[0].weights.queryless().unwrap();
            let now = ActiveHours::new(100.0);
            let all = best(&blocks, now, weights, &HashMap::new(), blocks.len());
            let some = best(&blocks, now, weights, &HashMap::new(), count);
            prop_assert_eq!(&some[..], &all[..count.min(blocks.len())]);
        }
    }
}
