//! Of two blocks that contradict each other, one speaks.

use std::collections::HashMap;

use super::composite::Ranked;

/// A block that was held back, and the one that speaks instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Suppressed {
    pub(crate) slot: u32,
    pub(crate) by: u32,
}

/// Holds back the less believed of each contradicting pair, then the less present, then the larger slot's block as told by
/// `order`. The other takes over the higher of their scores: it speaks in the place of both. What the frame guarantees
/// is never held back.
pub(crate) fn suppress(
    ranked: &mut Vec<Ranked>,
    pairs: &[(u32, u32)],
    order: impl Fn(u32, u32) -> std::cmp::Ordering,
) -> Vec<Suppressed> {
    let mut places: HashMap<u32, usize> =
        ranked.iter().enumerate().map(|(at, ranked)| (ranked.candidate.slot, at)).collect();
    let mut held_back: Vec<Suppressed> = Vec::new();
    for (a, b) in pairs {
        let (Some(one), Some(other)) = (places.get(a).copied(), places.get(b).copied()) else { continue };
        let standing = |at: usize| (ranked[at].components.confidence, ranked[at].components.recency);
        let believed = standing(one).partial_cmp(&standing(other)).unwrap_or(std::cmp::Ordering::Equal);
        let first_wins = believed.then_with(|| order(*b, *a)).is_gt();
        let (winner, loser) = if first_wins { (one, other) } else { (other, one) };
        if ranked[loser].guaranteed {
            continue;
        }
        ranked[winner].score = ranked[winner].score.max(ranked[loser].score);
        let (by, slot) = (ranked[winner].candidate.slot, ranked[loser].candidate.slot);
        places.remove(&slot);
        held_back.push(Suppressed { slot, by });
    }
    ranked.retain(|ranked| !held_back.iter().any(|suppressed| suppressed.slot == ranked.candidate.slot));
    held_back
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::candidates::Candidate;
    use elfmem_core::Components;

    fn ranked(slot: u32, confidence: f64, recency: f64, score: f64) -> Ranked {
        let components = Components { confidence, recency, ..Components::default() };
        Ranked { candidate: Candidate { slot, ..Candidate::default() }, components, score, guaranteed: false }
    }

    fn slots(ranked: &[Ranked]) -> Vec<u32> {
        ranked.iter().map(|ranked| ranked.candidate.slot).collect()
    }

    #[test]
    fn the_more_believed_speaks_with_the_higher_score_of_both() {
        let mut found = vec![ranked(1, 0.4, 1.0, 0.9), ranked(2, 0.8, 0.1, 0.3), ranked(3, 0.5, 0.5, 0.5)];
        let held_back = suppress(&mut found, &[(1, 2)], |a, b| a.cmp(&b));
        assert_eq!(slots(&found), [2, 3]);
        assert_eq!(found[0].score, 0.9);
        assert_eq!(held_back, [Suppressed { slot: 1, by: 2 }]);
    }

    #[test]
    fn equally_believed_the_more_present_speaks() {
        let mut found = vec![ranked(1, 0.5, 0.2, 0.9), ranked(2, 0.5, 0.7, 0.3)];
        suppress(&mut found, &[(1, 2)], |a, b| a.cmp(&b));
        assert_eq!(slots(&found), [2]);
    }

    #[test]
    fn a_pair_of_which_one_was_not_found_and_a_guaranteed_block_are_left_alone() {
        let mut found = vec![ranked(1, 0.1, 0.2, 0.9), Ranked { guaranteed: true, ..ranked(2, 0.2, 0.7, 0.3) }];
        assert!(suppress(&mut found, &[(1, 9)], |a, b| a.cmp(&b)).is_empty());
        found[0].components.confidence = 0.9;
        assert!(suppress(&mut found, &[(1, 2)], |a, b| a.cmp(&b)).is_empty());
        assert_eq!(slots(&found), [1, 2]);
    }
}
