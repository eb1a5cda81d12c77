//! The vectors of a memory by slot: coarse rows for the scan, exact ones for those that may win.
//!
//! A scan is bound by memory, so it reads the coarse rows, a quarter of the bytes; the few rows that may win are
//! multiplied out with the exact ones. See [`crate::vector`] for the same by block id.

use std::ops::Range;

use elfmem_core::coarse::CoarseVector;

use crate::coarse::{CoarseQuery, CoarseRows, NO_VECTOR};
use crate::exact::ExactRows;
use crate::kernel::{dot, unit};
use crate::nearest::{Nearest, cosine};
use crate::vector::IndexError;

/// Rows scored at a time: small enough that rows and scores stay in the fast caches.
const TILE: usize = 256;

/// Rows that many queries meet at a time, and how many queries: both lie side by side in the fast caches, which thousands of
/// queries would not.
const SHARED_TILE: usize = 32;
const GROUP: usize = 64;

/// How a scan is spread over processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parallel {
    /// How many threads a large scan may use; one means never to start any.
    pub threads: usize,
    /// From how many rows on. Below, starting a thread costs more than it saves.
    pub from_rows: usize,
}

impl Default for Parallel {
    fn default() -> Self {
        Self { threads: 2, from_rows: 200_000 }
    }
}

impl Parallel {
    /// Everything on the thread that asks.
    pub const OFF: Self = Self { threads: 1, from_rows: usize::MAX };

    fn threads_for(self, rows: usize) -> usize {
        if rows < self.from_rows { 1 } else { self.threads.max(1) }
    }
}

/// A vector that is asked about, made ready once for all rows.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorQuery {
    unit: Vec<f32>,
    coarse: CoarseQuery,
}

/// Vectors by slot, scaled to length one as they come in, so that products are cosines.
///
/// A vector may come in its coarse form alone ([`insert_coarse`](Self::insert_coarse)), with the vector itself following when
/// it is asked about ([`insert_exact`](Self::insert_exact)). Cost: a byte a dimension and eight a row, and four bytes a dimension
/// for each vector that is here in full.
#[derive(Debug, Clone)]
pub struct VectorMatrix {
    dimensions: usize,
    exact: ExactRows,
    coarse: CoarseRows,
    held: usize,
}

impl VectorMatrix {
    /// No vectors yet, with room for some.
    pub fn with_capacity(dimensions: usize, rows: usize) -> Result<Self, IndexError> {
        if dimensions == 0 {
            return Err(IndexError::NoDimensions);
        }
        let mut coarse = CoarseRows::new(dimensions);
        coarse.reserve(rows);
        Ok(Self { dimensions, exact: ExactRows::new(dimensions), coarse, held: 0 })
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.held
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// One more than the highest slot that ever had a vector: how many scores a scan gives.
    pub fn bound(&self) -> usize {
        self.coarse.bound()
    }

    /// Whether a slot has a vector.
    pub fn contains(&self, slot: u32) -> bool {
        self.coarse.contains(slot)
    }

    /// The unit vector of a slot, if it is here in full.
    pub fn vector(&self, slot: u32) -> Option<&[f32]> {
        self.exact.get(slot)
    }

    /// Whether a slot has a vector that is not here in full.
    pub fn lacks_exact(&self, slot: u32) -> bool {
        self.contains(slot) && self.exact.get(slot).is_none()
    }

    /// Puts a vector in, in the place of the one the slot had.
    pub fn insert(&mut self, slot: u32, vector: &[f32]) -> Result<(), IndexError> {
        let unit = self.checked(vector)?;
        self.keep(slot, &unit);
        Ok(())
    }

    /// Puts the coarse form of a vector in, in the place of the one the slot had. If it is the same, the vector in full stays.
    pub fn insert_coarse(&mut self, slot: u32, vector: &CoarseVector<'_>) -> Result<(), IndexError> {
        self.fits(vector.dimensions())?;
        if self.coarse.holds(slot, vector) {
            return Ok(());
        }
        self.held += usize::from(!self.contains(slot));
        self.coarse.insert_coarse(slot, vector);
        self.exact.remove(slot);
        Ok(())
    }

    /// Adds the vector whose coarse form a slot has; nothing for a slot without one.
    pub fn insert_exact(&mut self, slot: u32, vector: &[f32]) -> Result<(), IndexError> {
        let unit = self.checked(vector)?;
        if self.contains(slot) {
            self.exact.insert(slot, &unit);
        }
        Ok(())
    }

    /// Keeps a vector that was [`checked`](Self::checked).
    pub(crate) fn keep(&mut self, slot: u32, unit: &[f32]) {
        self.held += usize::from(!self.contains(slot));
        self.coarse.insert(slot, unit);
        self.exact.insert(slot, unit);
    }

    /// Takes a vector out; false when the slot had none.
    pub fn remove(&mut self, slot: u32) -> bool {
        let here = self.contains(slot);
        if here {
            self.coarse.remove(slot);
            self.exact.remove(slot);
            self.held -= 1;
        }
        here
    }

    /// Makes a vector ready to be asked about.
    pub fn query(&self, vector: &[f32]) -> Result<VectorQuery, IndexError> {
        let unit = self.checked(vector)?;
        Ok(VectorQuery { coarse: self.coarse.query(&unit), unit })
    }

    /// The cosine of a query and a slot: exact if the vector is here in full, else typically off by 0.0005.
    pub fn cosine_of(&self, query: &VectorQuery, slot: u32) -> Option<f32> {
        self.contains(slot).then(|| self.product(query, slot)).map(cosine)
    }

    /// The cosine of two slots whose vectors are here in full.
    pub fn cosine_between(&self, a: u32, b: u32) -> Option<f32> {
        Some(cosine(dot(self.vector(a)?, self.vector(b)?)))
    }

    /// Fills a list with the approximate cosine of every slot.
    ///
    /// A score is typically off by 0.0005. Slots without a vector have [`NO_VECTOR`]. The list is used again, not
    /// allocated. Cost: one pass over the coarse rows, as fast as memory can be read.
    pub fn scores_into(&self, query: &VectorQuery, parallel: Parallel, scores: &mut Vec<f32>) {
        scores.resize(self.bound(), NO_VECTOR);
        let rows = scores.len();
        let share = rows.div_ceil(parallel.threads_for(rows)).max(1);
        let (first, others) = scores.split_at_mut(share.min(rows));
        std::thread::scope(|scope| {
            for (number, part) in (1..).zip(others.chunks_mut(share)) {
                scope.spawn(move || self.coarse.scores(&query.coarse, number * share, part));
            }
            self.coarse.scores(&query.coarse, 0, first);
        });
    }

    /// The `k` slots nearest to a query among those the filter lets through, with the cosines of
    /// [`cosine_of`](Self::cosine_of): nearest first, ties by slot. `scores` is what [`scores_into`](Self::scores_into) gave
    /// for the query.
    pub fn nearest_of(
        &self,
        query: &VectorQuery,
        scores: &[f32],
        k: usize,
        filter: impl Fn(u32) -> bool,
    ) -> Vec<(u32, f32)> {
        let mut nearest = Nearest::new(k);
        for ((slot, score), slack) in (0..).zip(scores).zip(self.coarse.slacks(&query.coarse, 0)) {
            nearest.offer(slot, *score, slack, &filter);
        }
        let mut found = self.cosines_of(query, &nearest.into_slots());
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(k);
        found
    }

    /// The cosines of a query and some slots that have a vector.
    pub(crate) fn cosines_of(&self, query: &VectorQuery, slots: &[u32]) -> Vec<(u32, f32)> {
        slots.iter().filter_map(|slot| Some((*slot, self.cosine_of(query, *slot)?))).collect()
    }

    /// For each query the slots that may be among its `k` nearest, in no particular order. Rows are read once for a group of
    /// queries. The filter is told the query's place in the list.
    pub(crate) fn contenders(
        &self,
        queries: &[VectorQuery],
        k: usize,
        filter: impl Fn(usize, u32) -> bool,
    ) -> Vec<Vec<u32>> {
        let mut found = Vec::with_capacity(queries.len());
        for (group, queries) in queries.chunks(GROUP).enumerate() {
            let allowed = |number: usize, slot: u32| filter(group * GROUP + number, slot);
            found.extend(self.scan(queries, k, allowed).into_iter().map(Nearest::into_slots));
        }
        found
    }

    /// One pass over the coarse rows for a few queries.
    fn scan(&self, queries: &[VectorQuery], k: usize, filter: impl Fn(usize, u32) -> bool) -> Vec<Nearest> {
        let mut nearest: Vec<Nearest> = queries.iter().map(|_| Nearest::new(k)).collect();
        let mut scores = [NO_VECTOR; TILE];
        let size = if queries.len() > 1 { SHARED_TILE } else { TILE };
        for tile in tiles(self.bound(), size) {
            for (number, (query, nearest)) in queries.iter().zip(&mut nearest).enumerate() {
                let scores = &mut scores[..tile.len()];
                self.coarse.scores(&query.coarse, tile.start, scores);
                let slacks = self.coarse.slacks(&query.coarse, tile.start);
                if nearest.rules_out(scores, slacks.clone()) {
                    continue;
                }
                for ((slot, score), slack) in (tile.start as u32..).zip(scores).zip(slacks) {
                    nearest.offer(slot, *score, slack, |slot| filter(number, slot));
                }
            }
        }
        nearest
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.exact.bytes() + self.coarse.bytes()
    }

    /// The product of a query and a slot that has a vector.
    fn product(&self, query: &VectorQuery, slot: u32) -> f32 {
        match self.exact.get(slot) {
            Some(row) => dot(&query.unit, row),
            None => self.coarse.score_of(&query.coarse, slot),
        }
    }

    /// The unit vector of one that fits.
    pub(crate) fn checked(&self, vector: &[f32]) -> Result<Vec<f32>, IndexError> {
        self.fits(vector.len())?;
        unit(vector).ok_or(IndexError::NoDirection)
    }

    fn fits(&self, dimensions: usize) -> Result<(), IndexError> {
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
