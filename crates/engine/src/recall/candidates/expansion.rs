//! Expansion: blocks that are linked to good candidates become candidates.

use std::collections::HashMap;

use crate::recall::candidates::scored::Candidate;

/// How many of the best candidates have their edges followed.
pub(crate) const SEEDS: usize = 8;
/// The share of the similarity that an edge of weight one passes on. Less than one, so that a neighbour never outranks its
/// seed.
const SHARE: f64 = 0.5;
/// Smallest weight of an edge that is followed.
const MIN_WEIGHT: f32 = 0.2;

/// An edge from one of the best candidates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SeedEdge {
    /// The position of the seed among the candidates.
    pub(crate) seed: usize,
    /// The block at the other end.
    pub(crate) to: u32,
    /// The weight of the edge, with what use has added.
    pub(crate) weight: f32,
}

/// Raises the similarity of candidates that the seeds are linked to, and adds those that were not found otherwise.
///
/// `make` creates a candidate, or returns none for a block that may not be one. A block gains from its best edge only.
pub(crate) fn expand(
    candidates: &mut Vec<Candidate>,
    edges: &[SeedEdge],
    mut make: impl FnMut(u32) -> Option<Candidate>,
) {
    let seeds: Vec<(u32, f64)> = candidates.iter().map(|candidate| (candidate.slot, candidate.similarity)).collect();
    let mut places: HashMap<u32, usize> =
        candidates.iter().enumerate().map(|(at, candidate)| (candidate.slot, at)).collect();
    for edge in edges.iter().filter(|edge| edge.weight >= MIN_WEIGHT) {
        let Some((seed, similarity)) = seeds.get(edge.seed).copied() else { continue };
        let handed = similarity * SHARE * f64::from(edge.weight.min(1.0));
        let at = match places.get(&edge.to) {
            Some(at) => *at,
            None => {
                let Some(candidate) = make(edge.to) else { continue };
                places.insert(edge.to, candidates.len());
                candidates.push(candidate);
                candidates.len() - 1
            }
        };
        let candidate = &mut candidates[at];
        if handed > candidate.similarity {
            candidate.similarity = handed;
            candidate.via = Some((seed, edge.weight));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(slot: u32, similarity: f64) -> Candidate {
        Candidate { slot, similarity, ..Candidate::default() }
    }

    #[test]
    fn a_linked_block_ranks_below_its_seed_and_names_the_edge() {
        let mut found = vec![candidate(1, 1.0), candidate(2, 0.1)];
        let edges = [SeedEdge { seed: 0, to: 2, weight: 0.8 }, SeedEdge { seed: 0, to: 3, weight: 0.5 }];
        expand(&mut found, &edges, |slot| Some(candidate(slot, 0.0)));
        assert!((found[1].similarity - 0.4).abs() < 1e-6);
        assert_eq!(found[1].via, Some((1, 0.8)));
        assert_eq!((found[2].slot, found[2].similarity), (3, 0.25));
    }

    #[test]
    fn weak_edges_and_rejected_blocks_add_nothing() {
        let mut found = vec![candidate(1, 1.0)];
        let edges = [SeedEdge { seed: 0, to: 2, weight: 0.1 }, SeedEdge { seed: 0, to: 3, weight: 0.9 }];
        expand(&mut found, &edges, |_| None);
        assert_eq!(found, [candidate(1, 1.0)]);
    }

    proptest! {
        #[test]
        fn nothing_is_lowered_and_nothing_outranks_the_best(
            scores in prop::collection::vec(0.0..1.0f64, 1..12), drawn in prop::collection::vec((0..12usize, 0..20u32, 0.0..2.0f32), 0..30),
        ) {
            let before: Vec<Candidate> = (0..).zip(&scores).map(|(slot, score)| candidate(slot, *score)).collect();
            let edges: Vec<SeedEdge> = drawn.iter().map(|(seed, to, weight)| SeedEdge { seed: *seed, to: *to, weight: *weight }).collect();
            let mut after = before.clone();
            expand(&mut after, &edges, |slot| Some(candidate(slot, 0.0)));
            let best = scores.iter().copied().fold(0.0, f64::max);
            prop_assert!(after.iter().all(|candidate| candidate.similarity <= best));
            prop_assert!(before.iter().zip(&after).all(|(was, is)| is.similarity >= was.similarity));
        }
    }
}
