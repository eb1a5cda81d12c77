//! Relevance that agrees with an order: no block is shown as more relevant than one that stands before it.
//!
//! The order knows more than the relevance of single blocks: times, neighbours, edges, belief. Where the two disagree, the
//! blocks concerned get the mean of their relevances (isotonic regression), so the numbers stay probabilities.

use std::cmp::Ordering;

use crate::recall::candidates::scored::Candidate;

/// Something with a candidate in it.
pub(in crate::recall) trait Ranked {
    fn candidate(&mut self) -> &mut Candidate;
}

impl Ranked for Candidate {
    fn candidate(&mut self) -> &mut Candidate {
        self
    }
}

/// Makes relevance agree with the order by `score`, highest first; equal scores are ordered by `order`. Trusted blocks and
/// others are ordered separately: no untrusted block changes the relevance of a trusted one.
pub(in crate::recall) fn agree_by<R: Ranked>(
    ranked: &mut [R],
    score: impl Fn(&R) -> f64,
    is_trusted: impl Fn(u32) -> bool,
    order: impl Fn(u32, u32) -> Ordering,
) {
    for trusted in [true, false] {
        let mut places: Vec<(f64, u32, usize)> = Vec::with_capacity(ranked.len());
        for (at, one) in ranked.iter_mut().enumerate() {
            let (score, slot) = (score(one), one.candidate().slot);
            if is_trusted(slot) == trusted {
                places.push((score, slot, at));
            }
        }
        places.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| order(a.1, b.1)));
        let relevances: Vec<f64> = places.iter().map(|(_, _, at)| ranked[*at].candidate().relevance).collect();
        for ((_, _, at), relevance) in places.iter().zip(not_increasing(&relevances)) {
            ranked[*at].candidate().relevance = relevance;
        }
    }
}

/// Returns the nearest sequence of numbers that never increases: runs that do are replaced by their means.
fn not_increasing(values: &[f64]) -> Vec<f64> {
    let mut runs: Vec<(f64, usize)> = Vec::with_capacity(values.len());
    for value in values {
        let mut run = (*value, 1);
        while let Some((mean, count)) = runs.pop() {
            if mean >= run.0 {
                runs.push((mean, count));
                break;
            }
            let all = count + run.1;
            run = ((mean * count as f64 + run.0 * run.1 as f64) / all as f64, all);
        }
        runs.push(run);
    }
    runs.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_that_disagree_with_the_order_share_their_mean() {
        assert_eq!(not_increasing(&[0.9, 0.25, 0.5, 0.1]), [0.9, 0.375, 0.375, 0.1]);
        assert_eq!(not_increasing(&[0.5, 0.4]), [0.5, 0.4]);
        assert!(not_increasing(&[]).is_empty());
    }

    #[test]
    fn an_untrusted_block_changes_no_number_of_a_trusted_one() {
        let block = |slot: u32, similarity: f64, relevance: f64| Candidate {
            slot,
            similarity,
            relevance,
            ..Candidate::default()
        };
        let mut all = [block(1, 0.9, 0.3), block(2, 0.8, 0.9), block(3, 0.7, 0.2)];
        agree_by(&mut all, |one| one.similarity, |slot| slot != 2, |a, b| a.cmp(&b));
        assert_eq!(all.map(|one| one.relevance), [0.3, 0.9, 0.2]);
        let mut all = [block(1, 0.7, 0.4), block(2, 0.8, 0.2)];
        agree_by(&mut all, |one| one.similarity, |_| true, |a, b| a.cmp(&b));
        assert!(all.iter().all(|one| (one.relevance - 0.3).abs() < 1e-9), "{all:?}");
    }

    proptest! {
        #[test]
        fn the_result_never_increases_and_keeps_the_sum(values in prop::collection::vec(0.0..1.0f64, 0..40)) {
            let found = not_increasing(&values);
            prop_assert_eq!(found.len(), values.len());
            prop_assert!(found.windows(2).all(|pair| pair[0] >= pair[1]));
            prop_assert!((found.iter().sum::<f64>() - values.iter().sum::<f64>()).abs() < 1e-9);
        }
    }
}
