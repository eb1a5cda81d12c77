//! Vectors in one byte a number: a quarter of what a scan has to read, with a known error.
//!
//! A row is kept as whole numbers in `-127..=127` and one scale. What rounding took away is a vector too, and its length
//! is kept: the product with a query of length one cannot be off by more than that (Cauchy and Schwarz). So the coarse
//! product brackets the exact one, and a search can tell for certain which rows it need not look at again.

use std::ops::Range;

use crate::kernel::{STEP, dot, dot_coarse};

/// The largest number in a row.
const LARGEST: f32 = 127.0;

/// The score of a slot that has no vector: below everything, so that it wins nothing and sorts last.
pub const NO_VECTOR: f32 = f32::NEG_INFINITY;

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
        let slot = slot as usize;
        if slot >= self.bound() {
            self.numbers.resize((slot + 1) * self.stride, 0);
            self.scales.resize(slot + 1, 0.0);
            self.slacks.resize(slot + 1, 0.0);
        }
        let (scale, inverse) = scales(unit, LARGEST);
        let row = &mut self.numbers[slot * self.stride..(slot + 1) * self.stride];
        // Side by side, so that the sums are made in vectors; nothing is allocated, a memory has many rows.
        let mut lost = [0.0f32; LANES];
        for (lane, (kept, x)) in row.iter_mut().zip(unit).enumerate() {
            let number = whole(x * inverse);
            *kept = number as i8;
            let left = x - f32::from(number) * scale;
            lost[lane % LANES] += left * left;
        }
        self.scales[slot] = scale;
        // Products of `f32` are themselves rounded: a few units in the last place for every number.
        let lost = lost.iter().sum::<f32>().sqrt();
        self.slacks[slot] = lost * 1.001 + unit.len() as f32 * f32::EPSILON + 2e-6;
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        self.scales[slot as usize] = 0.0;
    }

    /// A unit vector as a query for these rows.
    pub(crate) fn query(&self, unit: &[f32]) -> CoarseQuery {
        // The sum over a row must fit into an `i32`: up to 516 dimensions the numbers may be as large as an `i16`.
        let fits = i32::MAX as usize / (LARGEST as usize * self.stride);
        let mut rounded = Rounded::of(unit, fits.clamp(1, i16::MAX as usize) as f32);
        rounded.numbers.resize(self.stride, 0);
        // A coarse row may be a little longer than one.
        CoarseQuery { numbers: rounded.numbers, scale: rounded.scale, slack: rounded.lost * 1.1 }
    }

    /// Writes the coarse products of the query with the rows from `start` on, as many as `scores` has places.
    pub(crate) fn scores(&self, query: &CoarseQuery, start: usize, scores: &mut [f32]) {
        self.scores_of(query, start, &self.numbers[start * self.stride..], scores);
    }

    /// Some rows in two bytes a number, to be met by many queries.
    pub(crate) fn widen(&self, rows: Range<usize>, wide: &mut Vec<i16>) {
        wide.clear();
        let numbers = &self.numbers[rows.start * self.stride..rows.end * self.stride];
        wide.extend(numbers.iter().map(|number| i16::from(*number)));
    }

    /// The same as [`scores`](Self::scores) from rows that were widened, the first of which is `start`.
    pub(crate) fn scores_of_wide(&self, query: &CoarseQuery, start: usize, wide: &[i16], scores: &mut [f32]) {
        self.scores_of(query, start, wide, scores);
    }

    fn scores_of<T: Copy + Into<i32>>(&self, query: &CoarseQuery, start: usize, numbers: &[T], scores: &mut [f32]) {
        let rows = numbers.chunks_exact(self.stride);
        for ((score, row), scale) in scores.iter_mut().zip(rows).zip(&self.scales[start..]) {
            let product = dot_coarse(&query.numbers, row) as f32 * (scale * query.scale);
            *score = if *scale > 0.0 { product } else { NO_VECTOR };
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

/// What a whole number stands for, and its inverse, when the largest number of a vector becomes `largest`.
fn scales(unit: &[f32], largest: f32) -> (f32, f32) {
    let scale = unit.iter().fold(0.0, |most: f32, x| most.max(x.abs())) / largest;
    (scale, 1.0 / scale)
}

/// The nearest whole number that fits an `i16`.
#[inline(always)]
fn whole(x: f32) -> i16 {
    // Adding this leaves no bits for fractions, and the whole number in the low bits. The baseline x86-64 has no
    // instruction for rounding, and a call for every number takes five times as long.
    const WHOLE: f32 = 12_582_912.0;
    (x + WHOLE).to_bits() as i16
}

/// Sums that are made side by side.
const LANES: usize = 8;

/// A vector in whole numbers.
struct Rounded {
    numbers: Vec<i16>,
    scale: f32,
    /// The length of what rounding took away.
    lost: f32,
}

impl Rounded {
    /// Scales a vector so that its largest number becomes `largest`, which fits an `i16`.
    fn of(unit: &[f32], largest: f32) -> Self {
        let (scale, inverse) = scales(unit, largest);
        let numbers: Vec<i16> = unit.iter().map(|x| whole(x * inverse)).collect();
        let lost: Vec<f32> = unit.iter().zip(&numbers).map(|(x, number)| x - f32::from(*number) * scale).collect();
        Self { numbers, scale, lost: dot(&lost, &lost).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::unit;
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
            let (mut one_by_one, mut together, mut wide) = ([0.0; 4], [0.0; 4], Vec::new());
            rows.scores(&coarse, 1, &mut one_by_one);
            for upto in 1..=4 {
                together.fill(0.0);
                rows.widen(1..1 + upto, &mut wide);
                rows.scores_of_wide(&coarse, 1, &wide, &mut together[..upto]);
                prop_assert_eq!(&one_by_one[..upto], &together[..upto]);
            }
        }
    }
}
