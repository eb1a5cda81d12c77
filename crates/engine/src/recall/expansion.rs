//! Expansion: what is linked to a good answer may be one.

use std::collections::HashMap;

use super::candidates::Candidate;

/// The best candidates, whose edges are followed.
pub(crate) const SEEDS: usize = 8;
/// What a full-strength edge hands on. Less than all, so that a neighbour never outranks what it was found by.
const SHARE: f64 = 0.5;
/// Edges weaker than this lead nowhere.
const WEAKEST: f32 = 0.2;

/// An edge from a seed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lead {
    /// The seed's place among the candidates.
    pub(crate) seed: usize,
    /// The block at the other end.
    pub(crate) to: u32,
    /// How strong the edge is, use included.
    pub(crate) weight: f32,
}

/// Lifts candidates that the seeds are linked to, and adds those that were not found otherwise; `make` looks at such a
/// block and says no to one that may not answer. A block gains from its best edge only.
pub(crate) fn expand(candidates: &mut Vec<Candidate>, leads: &[Lead], mut make: impl FnMut(u32) -> Option<Candidate>) {
    let seeds: Vec<(u32, f64)> = candidates.iter().map(|candidate| (candidate.slot, candidate.similarity)).collect();
    let mut places: HashMap<u32, usize> =
        candidates.iter().enumerate().map(|(at, candidate)| (candidate.slot, at)).collect();
    for lead in leads.iter().filter(|lead| lead.weight >= WEAKEST) {
        let Some((seed, similarity)) = seeds.get(lead.seed).copied() else { continue };
        let handed = similarity * SHARE * f64::from(lead.weight.min(1.0));
        let at = match places.get(&lead.to) {
            Some(at) => *at,
            None => {
                let Some(candidate) = make(lead.to) else { continue };
                places.insert(lead.to, candidates.len());
                candidates.push(candidate);
                candidates.len() - 1
            }
        };
        let candidate = &mut candidates[at];
        if handed > candidate.similarity {
            candidate.similarity = handed;
            candidate.via = Some((seed, lead.weight));
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
    fn a_linked_block_comes_in_below_its_seed_and_says_over_which_edge() {
        let mut found = vec![candidate(1, 1.0), candidate(2, 0.1)];
        let leads = [Lead { seed: 0, to: 2, weight: 0.8 }, Lead { seed: 0, to: 3, weight: 0.5 }];
        expand(&mut found, &leads, |slot| Some(candidate(slot, 0.0)));
        assert!((found[1].similarity - 0.4).abs() < 1e-6);
        assert_eq!(found[1].via, Some((1, 0.8)));
        assert_eq!((found[2].slot, found[2].similarity), (3, 0.25));
    }

    #[test]
    fn weak_edges_and_barred_blocks_add_nothing() {
        let mut found = vec![candidate(1, 1.0)];
        let leads = [Lead { seed: 0, to: 2, weight: 0.1 }, Lead { seed: 0, to: 3, weight: 0.9 }];
        expand(&mut found, &leads, |_| None);
        assert_eq!(found, [candidate(1, 1.0)]);
    }

    proptest! {
        #[test]
        fn nothing_is_lowered_and_nothing_outranks_the_best(
            scores in prop::collection::vec(0.0..1.0f64, 1..12), edges in prop::collection::vec((0..12usize, 0..20u32, 0.0..2.0f32), 0..30),
        ) {
            let before: Vec<Candidate> = (0..).zip(&scores).map(|(slot, score)| candidate(slot, *score)).collect();
            let leads: Vec<Lead> = edges.iter().map(|(seed, to, weight)| Lead { seed: *seed, to: *to, weight: *weight }).collect();
            let mut after = before.clone();
            expand(&mut after, &leads, |slot| Some(candidate(slot, 0.0)));
            let best = scores.iter().copied().fold(0.0, f64::max);
            prop_assert!(after.iter().all(|candidate| candidate.similarity <= best));
            prop_assert!(before.iter().zip(&after).all(|(was, is)| is.similarity >= was.similarity));
        }
    }
}
