//! The rows that may be among the `k` nearest, when each product is only known within an error.
//!
//! Each row comes with a coarse product and the largest error of it, its slack. The `k` best lower bounds so far are a
//! floor: a row whose upper bound lies below it cannot be among the best `k`. All others are kept for the caller to
//! multiply exactly, so the result is exact. On real vectors that is one or two dozen rows.

/// Smallest number of rows that are collected before the floor is raised.
const MIN_LIMIT: usize = 64;

/// Collects the rows that may be among the `k` nearest to a query.
#[derive(Debug)]
pub(crate) struct NearestRows {
    k: usize,
    /// The part of every slack that comes from the query.
    query_slack: f32,
    /// Rows that are not ruled out so far.
    kept: Vec<VectorRow>,
    /// No row whose upper bound is less can win.
    floor: f32,
    /// How many rows are kept before the floor is raised. A heap would raise it with every row; raising it now and
    /// then is faster by half and keeps a few more rows.
    limit: usize,
}

#[derive(Debug, Clone, Copy)]
struct VectorRow {
    slot: u32,
    lower: f32,
    upper: f32,
}

impl NearestRows {
    pub(crate) fn new(k: usize, query_slack: f32) -> Self {
        let floor = if k == 0 { f32::INFINITY } else { f32::NEG_INFINITY };
        Self { k, query_slack, kept: Vec::new(), floor, limit: k.saturating_mul(4).max(MIN_LIMIT) }
    }

    /// Collects those of some rows that are not ruled out and that the filter accepts. Slots count up from `start`.
    pub(crate) fn offer_rows(&mut self, start: usize, products: &[f32], slacks: &[f32], filter: impl Fn(u32) -> bool) {
        if self.rules_out(products, slacks) {
            return;
        }
        for ((slot, product), slack) in (start as u32..).zip(products).zip(slacks) {
            self.offer(slot, *product, *slack, &filter);
        }
    }

    /// Returns whether none of some rows can be among the nearest. Most tiles end here, without a branch for each row.
    fn rules_out(&self, products: &[f32], slacks: &[f32]) -> bool {
        let in_play = products
            .iter()
            .zip(slacks)
            .map(|(product, slack)| u32::from(product + (slack + self.query_slack) >= self.floor));
        in_play.sum::<u32>() == 0
    }

    /// Collects a row unless it is ruled out or the filter rejects it. The filter runs last: it may be the slower of the
    /// two, and most rows fail the first test.
    #[inline(always)]
    fn offer(&mut self, slot: u32, product: f32, slack: f32, filter: impl FnOnce(u32) -> bool) {
        let slack = slack + self.query_slack;
        // A slot without a vector has the product minus infinity, which equals the first floor.
        if product + slack >= self.floor && product > f32::NEG_INFINITY && filter(slot) {
            self.kept.push(VectorRow { slot, lower: product - slack, upper: product + slack });
            if self.kept.len() >= self.limit {
                self.raise_floor();
            }
        }
    }

    /// Finds the `k`-th best lower bound and removes the rows below it.
    #[inline(never)]
    fn raise_floor(&mut self) {
        let Some(last) = self.k.checked_sub(1).filter(|last| *last < self.kept.len()) else { return };
        let (_, worst, _) = self.kept.select_nth_unstable_by(last, |a, b| b.lower.total_cmp(&a.lower));
        let floor = worst.lower;
        self.floor = floor;
        self.kept.retain(|row| row.upper >= floor);
        self.limit = self.limit.max(self.kept.len() * 2);
    }

    /// Returns the rows that may be among the nearest: all that are, ties for the last place included, and a few others.
    pub(crate) fn into_slots(mut self) -> Vec<u32> {
        self.raise_floor();
        self.kept.iter().map(|row| row.slot).collect()
    }
}

/// Turns a product of unit vectors into a cosine. Rounding may leave it just beyond one; adding zero turns -0 into 0.
pub(crate) fn cosine(product: f32) -> f32 {
    product.clamp(-1.0, 1.0) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_is_not_asked_about_what_cannot_win() {
        let mut nearest = NearestRows::new(1, 0.0);
        (0..MIN_LIMIT as u32).for_each(|slot| nearest.offer(slot, 0.5, 0.01, |_| true));
        nearest.offer(100, 0.4, 0.01, |_| panic!("asked in vain"));
        nearest.offer(101, 0.49, 0.01, |_| true);
        nearest.offer(102, 0.9, 0.01, |_| false);
        nearest.offer(103, 0.6, 0.01, |_| true);
        assert_eq!(nearest.into_slots(), [103]);
    }

    #[test]
    fn what_might_be_level_is_multiplied_out() {
        let mut nearest = NearestRows::new(1, 0.0);
        nearest.offer(0, 0.5, 0.01, |_| true);
        nearest.offer(1, 0.5, 0.01, |_| true);
        nearest.offer(2, 0.485, 0.01, |_| true);
        nearest.offer(3, f32::NEG_INFINITY, 0.01, |_| panic!("has no vector"));
        assert_eq!(nearest.into_slots().len(), 3);
    }

    #[test]
    fn none_are_kept_when_none_are_wanted() {
        let mut nearest = NearestRows::new(0, 0.0);
        nearest.offer(0, 1.0, 0.1, |_| true);
        assert!(nearest.into_slots().is_empty());
    }
}
