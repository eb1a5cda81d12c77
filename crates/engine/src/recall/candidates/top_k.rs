//! The highest scores of many, in one pass.

use std::cmp::Ordering;

/// Keeps the highest scores. Equal scores are ordered by `order`, so the result depends neither on the order of insertion
/// nor on how blocks are numbered.
#[derive(Debug)]
pub(crate) struct TopK<O> {
    count: usize,
    kept: Vec<(f32, u32)>,
    threshold: f32,
    order: O,
}

impl<O: Fn(u32, u32) -> Ordering> TopK<O> {
    /// Creates an empty selection of the best `count`.
    pub(crate) fn new(count: usize, order: O) -> Self {
        let kept = Vec::with_capacity(count.saturating_mul(2).min(4096));
        Self { count, kept, threshold: f32::NEG_INFINITY, order }
    }

    /// Returns whether a score may be among the best: cheap to check before anything more expensive.
    #[inline(always)]
    pub(crate) fn may_enter(&self, score: f32) -> bool {
        score >= self.threshold
    }

    /// Adds a score.
    pub(crate) fn push(&mut self, score: f32, number: u32) {
        if self.count == 0 || !self.may_enter(score) {
            return;
        }
        self.kept.push((score, number));
        if self.kept.len() >= self.count.saturating_mul(2) {
            self.truncate();
        }
    }

    fn truncate(&mut self) {
        if self.kept.len() <= self.count {
            return;
        }
        let order = &self.order;
        self.kept.select_nth_unstable_by(self.count - 1, |a, b| b.0.total_cmp(&a.0).then_with(|| order(a.1, b.1)));
        self.kept.truncate(self.count);
        self.threshold = self.kept[self.count - 1].0;
    }

    /// Returns the best, highest first.
    pub(crate) fn into_sorted(mut self) -> Vec<(f32, u32)> {
        self.truncate();
        let order = &self.order;
        self.kept.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| order(a.1, b.1)));
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn any_number_of_the_best_can_be_kept() {
        let mut top = TopK::new(usize::MAX, |a: u32, b: u32| b.cmp(&a));
        [1.0, 3.0, 2.0].into_iter().zip(0..).for_each(|(score, number)| top.push(score, number));
        assert_eq!(top.into_sorted(), [(3.0, 1), (2.0, 2), (1.0, 0)]);
    }

    proptest! {
        #[test]
        fn the_best_are_those_of_a_sorted_list(scores in prop::collection::vec(0..40u8, 0..200), count in 0..30usize) {
            let mut top = TopK::new(count, |a: u32, b: u32| b.cmp(&a));
            for (number, score) in (0..).zip(&scores) {
                top.push(f32::from(*score), number);
            }
            let mut sorted: Vec<(f32, u32)> = (0..).zip(&scores).map(|(number, score)| (f32::from(*score), number)).collect();
            sorted.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
            sorted.truncate(count);
            prop_assert_eq!(top.into_sorted(), sorted);
        }
    }
}
