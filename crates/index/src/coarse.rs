//! The rows of a scan: vectors quantized to one byte a number ([`elfmem_core::coarse`]).
//!
//! Each row knows the largest error of its products, its slack. So a coarse product brackets the exact one, and a search
//! knows for certain which rows cannot win.

use std::sync::Arc;

use elfmem_core::coarse::{CoarseVector, LARGEST, round};

use crate::kernel::{STEP, coarse_products};

/// The score of a slot without a vector: below every score, so that it wins nothing and sorts last.
pub const NO_VECTOR: f32 = f32::NEG_INFINITY;

/// Rows in a chunk, which is copied when it is shared and written to. A scan reads chunks of a megabyte as fast as one
/// long array, and chunks of 64 kilobytes a third slower.
pub(crate) const CHUNK_ROWS: usize = 4096;

/// Smallest number of rows that room is made for.
const MIN_ROWS: usize = 256;

/// Rows that are multiplied before they are scaled.
const BATCH: usize = 64;

/// Quantized vectors by slot, in chunks that clones share until one of them writes.
#[derive(Debug, Clone)]
pub(crate) struct CoarseRows {
    /// Numbers in a row: the dimensions, padded with zeros to full steps.
    stride: usize,
    chunks: Vec<Arc<Chunk>>,
    /// One more than the highest slot that ever had a vector.
    bound: usize,
}

/// The rows of up to [`CHUNK_ROWS`] slots. A slot without a vector has the scale zero.
#[derive(Debug, Clone, Default)]
struct Chunk {
    numbers: Vec<i8>,
    scales: Vec<f32>,
    /// How far the exact product with a unit vector may lie from the coarse one.
    slacks: Vec<f32>,
}

/// A query in whole numbers of two bytes: the instruction takes them so, and the rounding error nearly vanishes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CoarseQuery {
    numbers: Vec<i16>,
    scale: f32,
    slack: f32,
}

impl CoarseQuery {
    /// Returns how far the query's own rounding may move a product.
    pub(crate) fn slack(&self) -> f32 {
        self.slack
    }
}

impl CoarseRows {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self { stride: dimensions.next_multiple_of(STEP), chunks: Vec::new(), bound: 0 }
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        self.chunks.reserve(rows.div_ceil(CHUNK_ROWS));
    }

    /// Returns one more than the highest slot that ever had a vector.
    pub(crate) fn bound(&self) -> usize {
        self.bound
    }

    pub(crate) fn contains(&self, slot: u32) -> bool {
        let (chunk, row) = place(slot as usize);
        self.chunks.get(chunk).and_then(|chunk| chunk.scales.get(row)).is_some_and(|scale| *scale > 0.0)
    }

    /// Stores a unit vector.
    pub(crate) fn insert(&mut self, slot: u32, unit: &[f32]) {
        let (numbers, scale, slack) = self.row_mut(slot);
        let rounded = round(unit, LARGEST, numbers, |number| number as i8);
        *scale = rounded.scale;
        *slack = rounded.slack(unit.len());
    }

    /// Stores a vector of the right size that is quantized already.
    pub(crate) fn insert_coarse(&mut self, slot: u32, vector: &CoarseVector<'_>) {
        let (numbers, scale, slack) = self.row_mut(slot);
        numbers.iter_mut().zip(vector.numbers()).for_each(|(kept, number)| *kept = number);
        *scale = vector.scale;
        *slack = vector.slack;
    }

    /// Returns whether a slot has exactly this vector. The slack tells vectors apart that round to the same numbers.
    pub(crate) fn holds(&self, slot: u32, vector: &CoarseVector<'_>) -> bool {
        let (chunk, row) = place(slot as usize);
        self.contains(slot)
            && self.chunks.get(chunk).is_some_and(|chunk| {
                (chunk.scales[row], chunk.slacks[row]) == (vector.scale, vector.slack)
                    && chunk.numbers[row * self.stride..]
                        .iter()
                        .copied()
                        .zip(vector.numbers())
                        .all(|(kept, number)| kept == number)
            })
    }

    /// Returns the numbers, the scale and the slack of a row to write to.
    fn row_mut(&mut self, slot: u32) -> (&mut [i8], &mut f32, &mut f32) {
        self.bound = self.bound.max(slot as usize + 1);
        let (at, row) = place(slot as usize);
        let stride = self.stride;
        if self.chunks.len() <= at {
            self.chunks.resize_with(at + 1, Arc::default);
        }
        let chunk = Arc::make_mut(&mut self.chunks[at]);
        chunk.grow_to(row + 1, stride);
        let numbers = &mut chunk.numbers[row * stride..(row + 1) * stride];
        (numbers, &mut chunk.scales[row], &mut chunk.slacks[row])
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        let (chunk, row) = place(slot as usize);
        if self.contains(slot) {
            Arc::make_mut(&mut self.chunks[chunk]).scales[row] = 0.0;
        }
    }

    /// Quantizes a unit vector as a query for these rows.
    pub(crate) fn query(&self, unit: &[f32]) -> CoarseQuery {
        // The sum over a row must fit into an `i32`: up to 516 dimensions the numbers may be as large as an `i16`.
        let fits = i32::MAX as usize / (LARGEST as usize * self.stride);
        let mut numbers = vec![0; self.stride];
        let rounded = round(unit, fits.clamp(1, i16::MAX as usize) as f32, &mut numbers, |number| number);
        // A coarse row may be a little longer than one.
        CoarseQuery { numbers, scale: rounded.scale, slack: rounded.error * 1.1 }
    }

    /// Returns the coarse product of the query and one row.
    pub(crate) fn score_of(&self, query: &CoarseQuery, slot: u32) -> f32 {
        let mut score = [NO_VECTOR];
        self.scores(query, slot as usize, &mut score);
        score[0]
    }

    /// Writes the coarse products of the query with the rows from `start` on, one for each place of `scores`.
    pub(crate) fn scores(&self, query: &CoarseQuery, start: usize, scores: &mut [f32]) {
        let (mut start, mut scores) = (start, scores);
        while !scores.is_empty() {
            let (at, row) = place(start);
            let count = scores.len().min(CHUNK_ROWS - row);
            let (part, rest) = scores.split_at_mut(count);
            match self.chunks.get(at) {
                Some(chunk) => chunk.scores(query, self.stride, row, part),
                None => part.fill(NO_VECTOR),
            }
            (start, scores) = (start + count, rest);
        }
    }

    /// Returns the slacks of the rows from `start` to the end of its chunk, without that of the query.
    pub(crate) fn slacks(&self, start: usize) -> &[f32] {
        let (at, row) = place(start);
        self.chunks.get(at).and_then(|chunk| chunk.slacks.get(row..)).unwrap_or_default()
    }

    /// Returns the size on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().map(|chunk| size_of::<Chunk>() + chunk.bytes());
        self.chunks.capacity() * size_of::<Arc<Chunk>>() + chunks.sum::<usize>()
    }
}

impl Chunk {
    /// Makes room for some rows. Doubles, so that a small memory holds little and a large one rarely moves.
    fn grow_to(&mut self, rows: usize, stride: usize) {
        if rows > self.scales.len() {
            let rows = rows.next_power_of_two().clamp(MIN_ROWS, CHUNK_ROWS);
            self.numbers.resize(rows * stride, 0);
            self.scales.resize(rows, 0.0);
            self.slacks.resize(rows, 0.0);
        }
    }

    /// Returns the size on the heap.
    fn bytes(&self) -> usize {
        self.numbers.capacity() + (self.scales.capacity() + self.slacks.capacity()) * size_of::<f32>()
    }

    fn scores(&self, query: &CoarseQuery, stride: usize, start: usize, scores: &mut [f32]) {
        let (scores, beyond) = scores.split_at_mut(self.scales.len().saturating_sub(start).min(scores.len()));
        beyond.fill(NO_VECTOR);
        if scores.is_empty() {
            return;
        }
        let rows = &self.numbers[start * stride..(start + scores.len()) * stride];
        let mut products = [0; BATCH];
        let parts = scores.chunks_mut(BATCH).zip(self.scales[start..].chunks(BATCH));
        for ((scores, scales), rows) in parts.zip(rows.chunks(BATCH * stride)) {
            coarse_products(&query.numbers, rows, &mut products[..scores.len()]);
            for ((score, scale), product) in scores.iter_mut().zip(scales).zip(products) {
                *score = if *scale > 0.0 { product as f32 * (scale * query.scale) } else { NO_VECTOR };
            }
        }
    }
}

/// Returns the chunk of a slot and its row in it.
fn place(slot: usize) -> (usize, usize) {
    (slot / CHUNK_ROWS, slot % CHUNK_ROWS)
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
                let slack = rows.slacks(slot as usize)[0] + coarse.slack();
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
