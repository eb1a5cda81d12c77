//! The rows of a scan: vectors in the coarse form of [`elfmem_core::coarse`], one after the other.
//!
//! How far a coarse product may be off is known for every row. So it brackets the exact one, and a search can tell for
//! certain which rows it need not look at again.

use elfmem_core::coarse::{CoarseVector, LARGEST, round};

use crate::kernel::{STEP, coarse_products};
use crate::room::widen;

/// The score of a slot that has no vector: below everything, so that it wins nothing and sorts last.
pub const NO_VECTOR: f32 = f32::NEG_INFINITY;

/// Rows that are multiplied out before they are scaled.
const TAKEN: usize = 64;

/// Rows by slot; a slot without a vector has the scale zero.
#[derive(Debug, Clone)]
pub(crate) struct CoarseRows {
    /// Numbers in a row: the dimensions, filled up with zeros to full steps.
    stride: usize,
    numbers: Vec<i8>,
    scales: Vec<f32>,
    /// How far the exact product with a unit vector may lie from the coarse one.
    slacks: Vec<f32>,
}

/// A query in whole numbers: two bytes each, because the instruction takes them so and the error all but goes away.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CoarseQuery {
    numbers: Vec<i16>,
    scale: f32,
    slack: f32,
}

impl CoarseRows {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self { stride: dimensions.next_multiple_of(STEP), numbers: Vec::new(), scales: Vec::new(), slacks: Vec::new() }
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        self.numbers.reserve(rows.saturating_mul(self.stride));
        self.scales.reserve(rows);
        self.slacks.reserve(rows);
    }

    /// One more than the highest slot that ever had a vector.
    pub(crate) fn bound(&self) -> usize {
        self.scales.len()
    }

    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.scales.get(slot as usize).is_some_and(|scale| *scale > 0.0)
    }

    /// Keeps a unit vector.
    pub(crate) fn insert(&mut self, slot: u32, unit: &[f32]) {
        let slot = self.admit(slot);
        let row = &mut self.numbers[slot * self.stride..(slot + 1) * self.stride];
        let rounded = round(unit, LARGEST, row, |number| number as i8);
        self.scales[slot] = rounded.scale;
        self.slacks[slot] = rounded.slack(unit.len());
    }

    /// Keeps a vector of the right size that is in the coarse form already.
    pub(crate) fn insert_coarse(&mut self, slot: u32, vector: &CoarseVector<'_>) {
        let slot = self.admit(slot);
        let row = &mut self.numbers[slot * self.stride..(slot + 1) * self.stride];
        row.iter_mut().zip(vector.numbers()).for_each(|(kept, number)| *kept = number);
        self.scales[slot] = vector.scale;
        self.slacks[slot] = vector.slack;
    }

    /// Whether a slot has this very vector: what rounding took away is as long as well, so it is not one that is merely near.
    pub(crate) fn holds(&self, slot: u32, vector: &CoarseVector<'_>) -> bool {
        let at = slot as usize;
        self.contains(slot)
            && (self.scales[at], self.slacks[at]) == (vector.scale, vector.slack)
            && self.numbers[at * self.stride..]
                .iter()
                .copied()
                .zip(vector.numbers())
                .all(|(kept, number)| kept == number)
    }

    /// Makes a place for a slot.
    fn admit(&mut self, slot: u32) -> usize {
        let slot = slot as usize;
        if slot >= self.bound() {
            widen(&mut self.numbers, (slot + 1) * self.stride - 1, 0);
            widen(&mut self.scales, slot, 0.0);
            widen(&mut self.slacks, slot, 0.0);
        }
        slot
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        self.scales[slot as usize] = 0.0;
    }

    /// A unit vector as a query for these rows.
    pub(crate) fn query(&self, unit: &[f32]) -> CoarseQuery {
        // The sum over a row must fit into an `i32`: up to 516 dimensions the numbers may be as large as an `i16`.
        let fits = i32::MAX as usize / (LARGEST as usize * self.stride);
        let mut numbers = vec![0; self.stride];
        let rounded = round(unit, fits.clamp(1, i16::MAX as usize) as f32, &mut numbers, |number| number);
        // A coarse row may be a little longer than one.
        CoarseQuery { numbers, scale: rounded.scale, slack: rounded.error * 1.1 }
    }

    /// The coarse product of the query and one row.
    pub(crate) fn score_of(&self, query: &CoarseQuery, slot: u32) -> f32 {
        let mut score = [NO_VECTOR];
        self.scores(query, slot as usize, &mut score);
        score[0]
    }

    /// Writes the coarse products of the query with the rows from `start` on, as many as `scores` has places.
    pub(crate) fn scores(&self, query: &CoarseQuery, start: usize, scores: &mut [f32]) {
        let rows = &self.numbers[start * self.stride..(start + scores.len()) * self.stride];
        let mut products = [0; TAKEN];
        let parts = scores.chunks_mut(TAKEN).zip(self.scales[start..].chunks(TAKEN));
        for ((scores, scales), rows) in parts.zip(rows.chunks(TAKEN * self.stride)) {
            coarse_products(&query.numbers, rows, &mut products[..scores.len()]);
            for ((score, scale), product) in scores.iter_mut().zip(scales).zip(products) {
                *score = if *scale > 0.0 { product as f32 * (scale * query.scale) } else { NO_VECTOR };
            }
        }
    }

    /// How far the exact products may lie from the coarse ones, for the rows from `start` on.
    pub(crate) fn slacks(&self, query: &CoarseQuery, start: usize) -> impl Iterator<Item = f32> + Clone {
        let of_query = query.slack;
        self.slacks[start..].iter().map(move |slack| slack + of_query)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.numbers.capacity() + (self.scales.capacity() + self.slacks.capacity()) * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{dot, unit};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_exact_product_lies_within_the_slack(dimensions in 1..700usize, seed in any::<u64>(), peaked in any::<bool>()) {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut rows = CoarseRows::new(dimensions);
            let mut vector = || {
                let mut vector: Vec<f32> = (0..dimensions).map(|_| random.f32() - 0.5).collect();
                vector[0] = if peaked { 20.0 * vector[0] } else { vector[0] } + 1e-3;
                unit(&vector).unwrap()
            };
            let query = vector();
            let coarse = rows.query(&query);
            for slot in 0..5 {
                let row = vector();
                rows.insert(slot, &row);
                let mut score = [0.0];
                rows.scores(&coarse, slot as usize, &mut score);
                let slack = rows.slacks(&coarse, slot as usize).next().unwrap();
                prop_assert!((score[0] - dot(&query, &row)).abs() <= slack, "{} of {slack}", score[0] - dot(&query, &row));
                let most = if peaked { 0.12 } else { 0.02 };
                prop_assert!(slack < most);
            }
            rows.remove(2);
            let mut together = [0.0; 4];
            rows.scores(&coarse, 1, &mut together);
            let one_by_one: Vec<f32> = (1..5).map(|slot| rows.score_of(&coarse, slot)).collect();
            prop_assert_eq!(&one_by_one, &together);
            prop_assert_eq!(one_by_one[1], NO_VECTOR);
        }
    }
}
