//! The vectors of a memory by slot: quantized rows for the scan, full ones for those that may win.
//!
//! A scan is limited by memory bandwidth, so it reads the quantized rows, a quarter of the bytes. The few rows that may
//! win are multiplied again with the full vectors. [`crate::vector`] offers this by block id.

use std::ops::Range;

use elfmem_core::coarse::CoarseVector;

use crate::coarse::{CoarseQuery, CoarseRows, NO_VECTOR};
use crate::exact::ExactRows;
use crate::kernel::{dot, unit};
use crate::nearest::{NearestRows, cosine};
use crate::vector::IndexError;

/// Rows that are scored at a time. They fit the fast caches, and a chunk of rows is a multiple of them.
const TILE: usize = 256;

/// Rows and queries that are multiplied at a time when there are many queries, so that both stay in the fast caches.
const SHARED_TILE: usize = 32;
const GROUP: usize = 64;

/// How a scan is spread over threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parallel {
    /// How many threads a large scan may use; one never starts any.
    pub threads: usize,
    /// Smallest number of rows for which threads are started. Below, starting one costs more than it saves.
    pub from_rows: usize,
}

impl Default for Parallel {
    fn default() -> Self {
        Self { threads: 2, from_rows: 200_000 }
    }
}

impl Parallel {
    /// Scans on the calling thread.
    pub const OFF: Self = Self { threads: 1, from_rows: usize::MAX };

    fn threads_for(self, rows: usize) -> usize {
        if rows < self.from_rows { 1 } else { self.threads.max(1) }
    }
}

/// A query vector, prepared once for all rows.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorQuery {
    unit: Vec<f32>,
    coarse: CoarseQuery,
}

/// Vectors by slot, scaled to length one on insertion, so that products are cosines.
///
/// A vector may be inserted in its quantized form alone ([`insert_coarse`](Self::insert_coarse)). The full vector is added
/// when a question first needs it ([`add_exact`](Self::add_exact)), through a shared reference. A clone shares the rows
/// until one of the two changes them. Cost: a byte a dimension and 32 bytes a row, and four bytes a dimension for each
/// vector that is held in full.
#[derive(Debug, Clone)]
pub struct VectorMatrix {
    dimensions: usize,
    exact: ExactRows,
    coarse: CoarseRows,
    len: usize,
}

impl VectorMatrix {
    /// Creates an empty matrix with room for some rows.
    pub fn with_capacity(dimensions: usize, rows: usize) -> Result<Self, IndexError> {
        if dimensions == 0 {
            return Err(IndexError::NoDimensions);
        }
        let mut coarse = CoarseRows::new(dimensions);
        coarse.reserve(rows);
        Ok(Self { dimensions, exact: ExactRows::default(), coarse, len: 0 })
    }

    /// Returns how many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns how many vectors there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns one more than the highest slot that ever had a vector: the number of scores a scan gives.
    pub fn bound(&self) -> usize {
        self.coarse.bound()
    }

    /// Returns whether a slot has a vector.
    pub fn contains(&self, slot: u32) -> bool {
        self.coarse.contains(slot)
    }

    /// Returns the unit vector of a slot, if it is held in full.
    pub fn vector(&self, slot: u32) -> Option<&[f32]> {
        self.exact.get(slot)
    }

    /// Returns whether a slot has a vector that is not held in full.
    pub fn lacks_exact(&self, slot: u32) -> bool {
        self.contains(slot) && self.exact.get(slot).is_none()
    }

    /// Stores a vector in the place of the one the slot had.
    pub fn insert(&mut self, slot: u32, vector: &[f32]) -> Result<(), IndexError> {
        let unit = self.checked(vector)?;
        self.insert_unit(slot, &unit);
        Ok(())
    }

    /// Stores a quantized vector in the place of the one the slot had. If it is the same one, a full vector stays.
    pub fn insert_coarse(&mut self, slot: u32, vector: &CoarseVector<'_>) -> Result<(), IndexError> {
        self.check_dimensions(vector.dimensions())?;
        if self.coarse.holds(slot, vector) {
            return Ok(());
        }
        self.len += usize::from(!self.contains(slot));
        self.coarse.insert_coarse(slot, vector);
        self.exact.clear(slot);
        Ok(())
    }

    /// Adds the full vector of a slot that has the quantized one; does nothing for a slot without a vector.
    pub fn add_exact(&self, slot: u32, vector: &[f32]) -> Result<(), IndexError> {
        let unit = self.checked(vector)?;
        if self.contains(slot) {
            self.exact.fill(slot, &unit);
        }
        Ok(())
    }

    /// Stores a vector that was [`checked`](Self::checked).
    pub(crate) fn insert_unit(&mut self, slot: u32, unit: &[f32]) {
        self.len += usize::from(!self.contains(slot));
        self.coarse.insert(slot, unit);
        self.exact.set(slot, unit);
    }

    /// Removes a vector; returns whether the slot had one.
    pub fn remove(&mut self, slot: u32) -> bool {
        let had_one = self.contains(slot);
        if had_one {
            self.coarse.remove(slot);
            self.exact.clear(slot);
            self.len -= 1;
        }
        had_one
    }

    /// Prepares a query vector.
    pub fn query(&self, vector: &[f32]) -> Result<VectorQuery, IndexError> {
        let unit = self.checked(vector)?;
        Ok(VectorQuery { coarse: self.coarse.query(&unit), unit })
    }

    /// Returns the cosine of a query and a slot: exact if the vector is held in full, else typically off by 0.0005.
    pub fn cosine_of(&self, query: &VectorQuery, slot: u32) -> Option<f32> {
        self.contains(slot).then(|| self.product(query, slot)).map(cosine)
    }

    /// Returns the cosine of two slots whose vectors are held in full.
    pub fn cosine_between(&self, a: u32, b: u32) -> Option<f32> {
        Some(cosine(dot(self.vector(a)?, self.vector(b)?)))
    }

    /// Writes the approximate cosine of every slot into a list, which is resized and overwritten.
    ///
    /// A score is typically off by 0.0005. Slots without a vector have [`NO_VECTOR`]. Cost: one pass over the quantized
    /// rows, as fast as memory can be read.
    pub fn scores_into(&self, query: &VectorQuery, parallel: Parallel, scores: &mut Vec<f32>) {
        scores.resize(self.bound(), NO_VECTOR);
        let rows = scores.len();
        let share = rows.div_ceil(parallel.threads_for(rows)).next_multiple_of(TILE).max(1);
        let (first, others) = scores.split_at_mut(share.min(rows));
        std::thread::scope(|scope| {
            for (number, part) in (1..).zip(others.chunks_mut(share)) {
                scope.spawn(move || self.coarse.scores(&query.coarse, number * share, part));
            }
            self.coarse.scores(&query.coarse, 0, first);
        });
    }

    /// Returns the `k` slots nearest to a query among those the filter accepts, with the cosines of
    /// [`cosine_of`](Self::cosine_of): nearest first, ties by slot. `scores` is the result of
    /// [`scores_into`](Self::scores_into) for the query.
    pub fn nearest_of(
        &self,
        query: &VectorQuery,
        scores: &[f32],
        k: usize,
        filter: impl Fn(u32) -> bool,
    ) -> Vec<(u32, f32)> {
        let mut nearest = NearestRows::new(k, query.coarse.slack());
        for (start, scores) in (0..).step_by(TILE).zip(scores.chunks(TILE)) {
            nearest.offer_rows(start, scores, self.coarse.slacks(start), &filter);
        }
        let mut found = self.cosines_of(query, &nearest.into_slots());
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(k);
        found
    }

    /// Returns the cosines of a query and some slots, for those that have a vector.
    pub(crate) fn cosines_of(&self, query: &VectorQuery, slots: &[u32]) -> Vec<(u32, f32)> {
        slots.iter().filter_map(|slot| Some((*slot, self.cosine_of(query, *slot)?))).collect()
    }

    /// Returns for each query the slots that may be among its `k` nearest, in no particular order.
    ///
    /// Rows are read once for a group of queries. The filter also gets the position of the query in the list.
    pub(crate) fn contenders(
        &self,
        queries: &[VectorQuery],
        k: usize,
        filter: impl Fn(usize, u32) -> bool,
    ) -> Vec<Vec<u32>> {
        let mut found = Vec::with_capacity(queries.len());
        for (group, queries) in queries.chunks(GROUP).enumerate() {
            let allowed = |number: usize, slot: u32| filter(group * GROUP + number, slot);
            found.extend(self.scan(queries, k, allowed).into_iter().map(NearestRows::into_slots));
        }
        found
    }

    /// Scans the quantized rows once for a few queries.
    fn scan(&self, queries: &[VectorQuery], k: usize, filter: impl Fn(usize, u32) -> bool) -> Vec<NearestRows> {
        let mut nearest: Vec<NearestRows> =
            queries.iter().map(|query| NearestRows::new(k, query.coarse.slack())).collect();
        let mut scores = [NO_VECTOR; TILE];
        let size = if queries.len() > 1 { SHARED_TILE } else { TILE };
        for tile in tiles(self.bound(), size) {
            let slacks = self.coarse.slacks(tile.start);
            for (number, (query, nearest)) in queries.iter().zip(&mut nearest).enumerate() {
                let scores = &mut scores[..tile.len()];
                self.coarse.scores(&query.coarse, tile.start, scores);
                nearest.offer_rows(tile.start, scores, slacks, |slot| filter(number, slot));
            }
        }
        nearest
    }

    /// Returns the size on the heap.
    pub fn bytes(&self) -> usize {
        self.exact.bytes() + self.coarse.bytes()
    }

    /// Multiplies a query with a slot that has a vector.
    fn product(&self, query: &VectorQuery, slot: u32) -> f32 {
        match self.exact.get(slot) {
            Some(row) => dot(&query.unit, row),
            None => self.coarse.score_of(&query.coarse, slot),
        }
    }

    /// Scales a vector of the right length to length one.
    pub(crate) fn checked(&self, vector: &[f32]) -> Result<Vec<f32>, IndexError> {
        self.check_dimensions(vector.len())?;
        unit(vector).ok_or(IndexError::NoDirection)
    }

    fn check_dimensions(&self, dimensions: usize) -> Result<(), IndexError> {
        if dimensions == self.dimensions {
            Ok(())
        } else {
            Err(IndexError::WrongDimensions { expected: self.dimensions, got: dimensions })
        }
    }
}

fn tiles(rows: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(size).map(move |start| start..rows.min(start + size))
}
