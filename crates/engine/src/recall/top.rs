//! The best few of many, in one pass.

/// Keeps the highest scores that it is offered. Equal scores at the very edge are settled by the smaller number, so the
/// answer does not depend on the order of the offers.
#[derive(Debug)]
pub(crate) struct Top {
    count: usize,
    kept: Vec<(f32, u32)>,
    threshold: f32,
}

impl Top {
    /// Room for the best `count`.
    pub(crate) fn new(count: usize) -> Self {
        Self { count, kept: Vec::with_capacity(count.saturating_mul(2).min(4096)), threshold: f32::NEG_INFINITY }
    }

    /// Whether a score has a chance: worth asking before more expensive questions.
    #[inline(always)]
    pub(crate) fn wants(&self, score: f32) -> bool {
        score >= self.threshold
    }

    /// Offers a score.
    pub(crate) fn offer(&mut self, score: f32, number: u32) {
        if self.count == 0 || !self.wants(score) {
            return;
        }
        self.kept.push((score, number));
        if self.kept.len() >= self.count * 2 {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.kept.len() <= self.count {
            return;
        }
        self.kept.select_nth_unstable_by(self.count - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.kept.truncate(self.count);
        self.threshold = self.kept[self.count - 1].0;
    }

    /// What was kept, highest first.
    pub(crate) fn into_sorted(mut self) -> Vec<(f32, u32)> {
        self.cut();
        self.kept.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_are_those_of_a_sorted_list(scores in prop::collection::vec(0..40u8, 0..200), count in 0..30usize) {
            let mut top = Top::new(count);
            for (number, score) in (0..).zip(&scores) {
                top.offer(f32::from(*score), number);
            }
            let mut sorted: Vec<(f32, u32)> = (0..).zip(&scores).map(|(number, score)| (f32::from(*score), number)).collect();
            sorted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            sorted.truncate(count);
            prop_assert_eq!(top.into_sorted(), sorted);
        }
    }
}
