//! Suppression: of blocks that contradict each other, the strongest compete for the answer. The others come below
//! them, marked, where places are left, and are named with their text where none is (seed 004: never removed).
//!
//! Trusted candidates are visited first, then the others, each from the strongest to the weakest. One is kept unless a block that was kept before it
//! contradicts it. So a suppressed block suppresses nothing, every suppressed block lost to one that is still there,
//! and the result does not depend on the order in which contradictions are listed.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::recall::ranking::composite::RankedCandidate;

/// A block that lost, and the kept block it lost to. One that the frame guarantees lost too, and keeps its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Suppressed {
    /// The block, with the score it had by itself.
    pub(crate) ranked: RankedCandidate,
    pub(crate) by: u32,
    /// Whether it lost because its source is not trusted, and that of the other is.
    pub(crate) for_trust: bool,
}

impl Suppressed {
    pub(crate) fn slot(&self) -> u32 {
        self.ranked.candidate.slot
    }
}

/// A block that keeps its place although a stronger one contradicts it: the question asks for it, or the other one does not
/// compete. It is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Contested {
    pub(crate) weaker: u32,
    pub(crate) by: u32,
}

/// How much more of the question's words one of two contradicting blocks must hold for the question to be about that one.
const DECISIVE_WORDS: f64 = 0.1;

/// Divides contradicting pairs into those that compete for the answer, and those of which both keep their place.
///
/// Where only one of the two was at the time that the question names, the question has decided between them; so have its
/// words, such as "over 25 kg", between two that are believed alike, or a later value of what is asked about. Nothing of
/// this decides between a trusted source and another.
/// Of the blocks `outside`, which the answer does not hold, none competes.
pub(crate) fn divide(
    ranked: &[RankedCandidate],
    outside: &[RankedCandidate],
    pairs: &[(u32, u32)],
    order: impl Fn(u32, u32) -> Ordering,
    is_trusted: impl Fn(u32) -> bool,
) -> (Vec<(u32, u32)>, Vec<Contested>) {
    if pairs.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let by_slot = |all: &'_ [RankedCandidate]| -> HashMap<u32, usize> {
        all.iter().enumerate().map(|(at, ranked)| (ranked.candidate.slot, at)).collect()
    };
    let (inside, beyond) = (by_slot(ranked), by_slot(outside));
    let (mut competing, mut contested) = (Vec::new(), Vec::new());
    for (a, b) in pairs.iter().filter(|(a, b)| a != b) {
        let find = |slot: &u32| {
            let here = inside.get(slot).map(|at| &ranked[*at]);
            here.or_else(|| beyond.get(slot).map(|at| &outside[*at]))
        };
        let (Some(one), Some(other)) = (find(a), find(b)) else { continue };
        let both_compete = inside.contains_key(a) && inside.contains_key(b);
        if both_compete && (is_trusted(*a) != is_trusted(*b) || !is_decided(one, other)) {
            competing.push((*a, *b));
            continue;
        }
        let strength = |one: &RankedCandidate| strength(one, is_trusted(one.candidate.slot));
        let stronger = strength(one).partial_cmp(&strength(other)).unwrap_or(Ordering::Equal);
        let (weaker, by) = match stronger.then_with(|| order(*b, *a)) {
            _ if is_outdated(one, other) => (*a, *b),
            _ if is_outdated(other, one) => (*b, *a),
            Ordering::Greater => (*b, *a),
            _ => (*a, *b),
        };
        contested.push(Contested { weaker, by });
    }
    (competing, contested)
}

/// Whether the question asks for one of two blocks rather than for the other.
fn is_decided(one: &RankedCandidate, other: &RankedCandidate) -> bool {
    let is_within = |ranked: &RankedCandidate| ranked.candidate.time.is_some_and(|fit| fit >= 1.0);
    let believed_alike = one.components.confidence.total_cmp(&other.components.confidence).is_eq();
    let words = (one.candidate.words - other.candidate.words).abs();
    let is_ordered = is_outdated(one, other) || is_outdated(other, one);
    is_within(one) != is_within(other) || believed_alike && (is_ordered || words >= DECISIVE_WORDS)
}

/// Whether a block was found to be out of date because of another one.
fn is_outdated(block: &RankedCandidate, by: &RankedCandidate) -> bool {
    block.newer == Some(by.candidate.slot)
}

/// Returns what decides which of two blocks is the stronger: trust, then confidence, then recency.
fn strength(ranked: &RankedCandidate, is_trusted: bool) -> (bool, f64, f64) {
    (is_trusted, ranked.components.confidence, ranked.components.recency)
}

/// Removes candidates that a stronger kept candidate contradicts, and returns them strongest first.
///
/// Strength is trust, then confidence, then recency, then the smaller id by `order`: an untrusted block suppresses no
/// trusted one. A suppressed block passes its score and its relevance on to the strongest block it lost to, if they are higher and both or
/// neither are trusted. Blocks that the frame guarantees are returned and kept all the same.
pub(crate) fn suppress(
    ranked: &mut Vec<RankedCandidate>,
    pairs: &[(u32, u32)],
    order: impl Fn(u32, u32) -> Ordering,
    is_trusted: impl Fn(u32) -> bool,
) -> Vec<Suppressed> {
    let opponents = opponents(ranked, pairs);
    if opponents.is_empty() {
        return Vec::new();
    }
    let trusted = |at: usize| is_trusted(ranked[at].candidate.slot);
    let strength = |at: usize| strength(&ranked[at], trusted(at));
    let mut strongest_first: Vec<usize> = opponents.keys().copied().collect();
    strongest_first.sort_by(|a, b| {
        let stronger = strength(*b).partial_cmp(&strength(*a)).unwrap_or(Ordering::Equal);
        stronger.then_with(|| order(ranked[*a].candidate.slot, ranked[*b].candidate.slot))
    });
    // The place of each kept candidate in the order of strength; candidates without one are not decided or suppressed.
    let mut kept: HashMap<usize, usize> = HashMap::new();
    let mut suppressed = Vec::new();
    for (rank, at) in strongest_first.into_iter().enumerate() {
        let slot = ranked[at].candidate.slot;
        let stronger = opponents[&at].iter().filter(|other| kept.contains_key(other));
        // A guaranteed block is kept whatever contradicts it, and must not hide what is more trusted.
        let stronger = stronger.filter(|other| is_trusted(ranked[**other].candidate.slot) || !is_trusted(slot));
        let winner = stronger.min_by_key(|other| kept[other]).copied();
        if let Some(winner) = winner {
            let (lost, by) = (ranked[at].clone(), ranked[winner].candidate.slot);
            let for_trust = is_trusted(by) != is_trusted(slot);
            if !for_trust && !lost.guaranteed {
                let winner = &mut ranked[winner];
                winner.score = winner.score.max(lost.score);
                // What answers in place of another is as relevant as that one was.
                winner.candidate.relevance = winner.candidate.relevance.max(lost.candidate.relevance);
            }
            suppressed.push(Suppressed { ranked: lost, by, for_trust });
        }
        if winner.is_none() || ranked[at].guaranteed {
            kept.insert(at, rank);
        }
    }
    ranked.retain(|ranked| ranked.guaranteed || !suppressed.iter().any(|lost| lost.slot() == ranked.candidate.slot));
    suppressed
}

/// The places of the candidates that contradict each candidate, for those that have any.
fn opponents(ranked: &[RankedCandidate], pairs: &[(u32, u32)]) -> HashMap<usize, Vec<usize>> {
    let places: HashMap<u32, usize> = match pairs.is_empty() {
        true => HashMap::new(),
        false => ranked.iter().enumerate().map(|(at, ranked)| (ranked.candidate.slot, at)).collect(),
    };
    let mut opponents: HashMap<usize, Vec<usize>> = HashMap::new();
    for (a, b) in pairs {
        if let (Some(a), Some(b)) = (places.get(a), places.get(b))
            && a != b
        {
            opponents.entry(*a).or_default().push(*b);
            opponents.entry(*b).or_default().push(*a);
        }
    }
    opponents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::candidates::scored::Candidate;
    use elfmem_core::ScoreComponents;
    use proptest::prelude::*;

    fn ranked(slot: u32, confidence: f64, recency: f64, score: f64) -> RankedCandidate {
        let components = ScoreComponents { confidence, recency, ..ScoreComponents::default() };
        RankedCandidate {
            candidate: Candidate { slot, ..Candidate::default() },
            components,
            score,
            guaranteed: false,
            newer: None,
            placed_by_time: false,
        }
    }

    fn slots(ranked: &[RankedCandidate]) -> Vec<u32> {
        ranked.iter().map(|ranked| ranked.candidate.slot).collect()
    }

    fn suppress_all(ranked: &mut Vec<RankedCandidate>, pairs: &[(u32, u32)]) -> Vec<Suppressed> {
        suppress(ranked, pairs, |a, b| a.cmp(&b), |_| true)
    }

    #[test]
    fn the_more_believed_is_kept_with_the_higher_score_of_both() {
        let mut found = vec![ranked(1, 0.4, 1.0, 0.9), ranked(2, 0.8, 0.1, 0.3), ranked(3, 0.5, 0.5, 0.5)];
        let suppressed = suppress_all(&mut found, &[(1, 2)]);
        assert_eq!(slots(&found), [2, 3]);
        assert_eq!(found[0].score, 0.9);
        assert_eq!(suppressed, [Suppressed { ranked: ranked(1, 0.4, 1.0, 0.9), by: 2, for_trust: false }]);
    }

    #[test]
    fn of_equally_believed_blocks_the_more_recent_is_kept_and_then_the_smaller_id() {
        let mut found = vec![ranked(1, 0.5, 0.2, 0.9), ranked(2, 0.5, 0.7, 0.3)];
        suppress_all(&mut found, &[(1, 2)]);
        assert_eq!(slots(&found), [2]);
        let mut found = vec![ranked(2, 0.5, 0.2, 0.9), ranked(1, 0.5, 0.2, 0.3)];
        suppress_all(&mut found, &[(1, 2)]);
        assert_eq!(slots(&found), [1]);
    }

    #[test]
    fn a_suppressed_block_suppresses_nothing() {
        for pairs in [[(1, 2), (2, 3)], [(2, 3), (1, 2)], [(3, 2), (2, 1)]] {
            let mut found = vec![ranked(1, 0.2, 1.0, 0.9), ranked(2, 0.5, 1.0, 0.5), ranked(3, 0.8, 1.0, 0.3)];
            let suppressed = suppress_all(&mut found, &pairs);
            assert_eq!(slots(&found), [1, 3], "{pairs:?}");
            assert_eq!(suppressed, [Suppressed { ranked: ranked(2, 0.5, 1.0, 0.5), by: 3, for_trust: false }]);
            assert_eq!((found[0].score, found[1].score), (0.9, 0.5));
        }
    }

    #[test]
    fn a_pair_of_which_one_was_not_found_is_left_alone_and_a_guaranteed_block_keeps_its_place() {
        let mut found =
            vec![ranked(1, 0.1, 0.2, 0.9), RankedCandidate { guaranteed: true, ..ranked(2, 0.2, 0.7, 0.3) }];
        assert!(suppress_all(&mut found, &[(1, 9)]).is_empty());
        found[0].components.confidence = 0.9;
        let lost = suppress_all(&mut found, &[(1, 2)]);
        assert_eq!(lost.iter().map(|lost| (lost.slot(), lost.by)).collect::<Vec<_>>(), [(2, 1)]);
        assert_eq!((slots(&found), found[0].score), (vec![1, 2], 0.9));
    }

    #[test]
    fn an_untrusted_block_suppresses_no_trusted_one_and_passes_no_score_on() {
        for guaranteed in [false, true] {
            let attacker = RankedCandidate { guaranteed, ..ranked(2, 1.0, 1.0, 0.9) };
            let mut found = vec![ranked(1, 0.1, 0.1, 0.3), attacker];
            let suppressed = suppress(&mut found, &[(1, 2)], |a, b| a.cmp(&b), |slot| slot != 2);
            assert_eq!(found[0], ranked(1, 0.1, 0.1, 0.3));
            assert_eq!(found.len(), if guaranteed { 2 } else { 1 });
            let attacker = RankedCandidate { guaranteed, ..ranked(2, 1.0, 1.0, 0.9) };
            assert_eq!(suppressed, [Suppressed { ranked: attacker, by: 1, for_trust: true }]);
        }
    }

    #[test]
    fn words_decide_only_between_blocks_that_are_believed_alike_and_a_stated_time_always_and_the_weaker_is_marked() {
        let fitting = |slot: u32, confidence: f64, recency: f64, words: f64, time: Option<f64>| {
            let mut ranked = ranked(slot, confidence, recency, 0.5);
            (ranked.candidate.words, ranked.candidate.time) = (words, time);
            ranked
        };
        let divided = |found: &[RankedCandidate], outside: &[RankedCandidate]| {
            divide(found, outside, &[(1, 2)], |a, b| a.cmp(&b), |_| true)
        };
        let marked = |weaker, by| (Vec::new(), vec![Contested { weaker, by }]);
        let alike = [fitting(1, 0.5, 0.2, 0.9, None), fitting(2, 0.5, 0.7, 0.3, None)];
        assert_eq!(divided(&alike, &[]), marked(1, 2));
        let weaker = [fitting(1, 0.4, 0.2, 0.9, None), fitting(2, 0.5, 0.7, 0.3, None)];
        assert_eq!(divided(&weaker, &[]), (vec![(1, 2)], Vec::new()), "words do not decide against belief");
        let then = [fitting(1, 0.4, 0.2, 0.9, Some(1.0)), fitting(2, 0.5, 0.7, 0.9, Some(0.0))];
        assert_eq!(divided(&then, &[]), marked(1, 2));
        assert_eq!(divided(&weaker[..1], &weaker[1..]), marked(1, 2), "the other does not compete");
        assert_eq!(divided(&weaker[..1], &[]), (Vec::new(), Vec::new()));
        let trusted_first = divide(&alike, &[], &[(1, 2)], |a, b| a.cmp(&b), |slot| slot == 1);
        assert_eq!(trusted_first, (vec![(1, 2)], Vec::new()));
    }

    /// Confidence, recency and score in tenths, and whether the block is guaranteed.
    type DrawnBlock = (u8, u8, u8, bool);

    fn contradictions() -> impl Strategy<Value = (Vec<DrawnBlock>, Vec<(u32, u32)>, u64)> {
        let blocks = prop::collection::vec((0..4u8, 0..3u8, 0..10u8, prop::bool::weighted(0.2)), 1..12);
        (blocks, prop::collection::vec((0..12u32, 0..12u32), 0..20), any::<u64>())
    }

    proptest! {
        #[test]
        fn what_is_kept_does_not_depend_on_the_order_of_the_pairs_and_every_loss_has_a_kept_winner(
            (blocks, pairs, seed) in contradictions(),
        ) {
            let before: Vec<RankedCandidate> = (0..)
                .zip(&blocks)
                .map(|(slot, (confidence, recency, score, guaranteed))| {
                    let [confidence, recency, score] = [confidence, recency, score].map(|part| f64::from(*part) / 10.0);
                    RankedCandidate { guaranteed: *guaranteed, ..ranked(slot, confidence, recency, score) }
                })
                .collect();
            let strength = |slot: u32| {
                let components = before[slot as usize].components;
                (components.confidence, components.recency, std::cmp::Reverse(slot))
            };
            let mut kept = before.clone();
            let suppressed = suppress_all(&mut kept, &pairs);

            let mut shuffled: Vec<(u32, u32)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
            fastrand::Rng::with_seed(seed).shuffle(&mut shuffled);
            let mut again = before.clone();
            prop_assert_eq!(&suppress_all(&mut again, &shuffled), &suppressed);
            prop_assert_eq!(&again, &kept);

            let removed = suppressed.iter().filter(|lost| !lost.ranked.guaranteed).count();
            prop_assert_eq!(kept.len() + removed, before.len());
            let is_kept = |slot: u32| kept.iter().any(|ranked| ranked.candidate.slot == slot);
            let contradict = |a: u32, b: u32| pairs.contains(&(a, b)) || pairs.contains(&(b, a));
            for lost in &suppressed {
                prop_assert!(is_kept(lost.by) && is_kept(lost.slot()) == lost.ranked.guaranteed);
                prop_assert!(contradict(lost.slot(), lost.by) && strength(lost.by) > strength(lost.slot()));
            }
            for a in &kept {
                for b in kept.iter().filter(|b| contradict(a.candidate.slot, b.candidate.slot)) {
                    let weaker = if strength(a.candidate.slot) < strength(b.candidate.slot) { a } else { b };
                    prop_assert!(a == b || weaker.guaranteed);
                }
                let slot = a.candidate.slot;
                let lost_to_it = suppressed.iter().filter(|lost| lost.by == slot && !lost.ranked.guaranteed);
                let taken_over = lost_to_it.map(|lost| lost.ranked.score);
                prop_assert_eq!(a.score, taken_over.fold(before[slot as usize].score, f64::max));
            }
        }
    }
}
