//! The vector index: one matrix, one scan.

use std::collections::HashMap;

use elfmem_core::BlockId;

use crate::kernel::{ROWS, dot, dot_rows, unit};
use crate::nearest::Nearest;

/// Bytes of rows that a batch works on at a time: they stay in the fast caches while every query passes over them.
const TILE_BYTES: usize = 64 * 1024;

/// A vector does not fit the index.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// It has another length than the others.
    #[error("a vector of {got} dimensions was given to an index of {expected}")]
    WrongDimensions {
        /// What the index holds.
        expected: usize,
        /// What was given.
        got: usize,
    },
    /// It points nowhere: all zeros, or something that is not a number.
    #[error("a vector without direction was given to the index")]
    NoDirection,
    /// An index of no dimensions was asked for.
    #[error("an index needs at least one dimension")]
    NoDimensions,
}

/// One block that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// Which.
    pub id: BlockId,
    /// How near, in `[-1, 1]`.
    pub cosine: f64,
}

/// What finds the nearest vectors. Nearest first; equal cosines in the order of their ids.
pub trait Neighbours {
    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// How many vectors there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `k` nearest to a query among those the filter lets through.
    fn nearest(&self, query: &[f32], k: usize, filter: &dyn Fn(&BlockId) -> bool)
    -> Result<Vec<Neighbour>, IndexError>;

    /// The `k` nearest to each of many queries; the filter is also told the query's place in the list.
    fn nearest_batch(
        &self,
        queries: &[&[f32]],
        k: usize,
        filter: &dyn Fn(usize, &BlockId) -> bool,
    ) -> Result<Vec<Vec<Neighbour>>, IndexError>;
}

/// All vectors of a memory, searched exactly.
///
/// Vectors are scaled to length one as they come in, and so are queries, so products are cosines. Removing swaps the
/// last row into the gap; results do not depend on the order of rows.
#[derive(Debug, Clone)]
pub struct VectorIndex {
    dimensions: usize,
    /// Row after row, without gaps.
    matrix: Vec<f32>,
    /// The block of each row.
    ids: Vec<BlockId>,
    /// The row of each block.
    slots: HashMap<BlockId, usize>,
}

impl VectorIndex {
    /// An empty index for vectors of `dimensions` numbers.
    pub fn new(dimensions: usize) -> Result<Self, IndexError> {
        Self::with_capacity(dimensions, 0)
    }

    /// An empty index with room for `rows` vectors.
    pub fn with_capacity(dimensions: usize, rows: usize) -> Result<Self, IndexError> {
        if dimensions == 0 {
            return Err(IndexError::NoDimensions);
        }
        Ok(Self {
            dimensions,
            matrix: Vec::with_capacity(dimensions.saturating_mul(rows)),
            ids: Vec::with_capacity(rows),
            slots: HashMap::with_capacity(rows),
        })
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Whether a block has a vector here.
    pub fn contains(&self, id: &BlockId) -> bool {
        self.slots.contains_key(id)
    }

    /// The unit vector of a block.
    pub fn vector(&self, id: &BlockId) -> Option<&[f32]> {
        self.slots.get(id).map(|slot| self.row(*slot))
    }

    /// Every block with its unit vector, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&BlockId, &[f32])> {
        self.ids.iter().zip(self.matrix.chunks_exact(self.dimensions))
    }

    /// Puts a block's vector in, in the place of the one it had.
    pub fn insert(&mut self, id: &BlockId, vector: &[f32]) -> Result<(), IndexError> {
        let vector = self.checked(vector)?;
        if let Some(slot) = self.slots.get(id) {
            let start = slot * self.dimensions;
            self.matrix[start..start + self.dimensions].copy_from_slice(&vector);
        } else {
            self.slots.insert(id.clone(), self.ids.len());
            self.ids.push(id.clone());
            self.matrix.extend_from_slice(&vector);
        }
        Ok(())
    }

    /// Takes a block's vector out; false when it had none.
    pub fn remove(&mut self, id: &BlockId) -> bool {
        let Some(slot) = self.slots.remove(id) else { return false };
        let last = self.ids.len() - 1;
        self.ids.swap_remove(slot);
        if slot != last {
            self.matrix.copy_within(last * self.dimensions.., slot * self.dimensions);
            self.slots.insert(self.ids[slot].clone(), slot);
        }
        self.matrix.truncate(last * self.dimensions);
        true
    }

    /// The cosine of two blocks; none unless both are here.
    pub fn cosine(&self, a: &BlockId, b: &BlockId) -> Option<f64> {
        Some(f64::from(dot(self.vector(a)?, self.vector(b)?).clamp(-1.0, 1.0)))
    }

    /// The `k` nearest to a query among those the filter lets through, nearest first, ties by id.
    ///
    /// Cost: one pass over the matrix. The filter is asked only about rows that would be among the best.
    pub fn nearest(
        &self,
        query: &[f32],
        k: usize,
        filter: impl Fn(&BlockId) -> bool,
    ) -> Result<Vec<Neighbour>, IndexError> {
        let query = self.checked(query)?;
        let mut nearest = Nearest::new(k);
        self.scan(&query, 0..self.len(), |product, id| nearest.offer(product, id, &filter));
        Ok(nearest.into_neighbours())
    }

    /// The `k` nearest to each of many queries: the same answers as one by one, in less time.
    ///
    /// The filter is also told the query's place in the list, so that a block need not find itself. Cost: every query
    /// still meets every row, but the matrix is read from memory once instead of once per query.
    pub fn nearest_batch(
        &self,
        queries: &[&[f32]],
        k: usize,
        filter: impl Fn(usize, &BlockId) -> bool,
    ) -> Result<Vec<Vec<Neighbour>>, IndexError> {
        let queries = queries.iter().map(|query| self.checked(query)).collect::<Result<Vec<_>, _>>()?;
        let mut nearest: Vec<Nearest<'_>> = queries.iter().map(|_| Nearest::new(k)).collect();
        let tile = (TILE_BYTES / (size_of::<f32>() * self.dimensions)).next_multiple_of(ROWS);
        for start in (0..self.len()).step_by(tile) {
            let rows = start..self.len().min(start + tile);
            for (number, (query, nearest)) in queries.iter().zip(&mut nearest).enumerate() {
                self.scan(query, rows.clone(), |product, id| nearest.offer(product, id, |id| filter(number, id)));
            }
        }
        Ok(nearest.into_iter().map(Nearest::into_neighbours).collect())
    }

    /// Hands the product of the query with each of some rows to `visit`.
    fn scan<'a>(&'a self, query: &[f32], rows: std::ops::Range<usize>, mut visit: impl FnMut(f32, &'a BlockId)) {
        let numbers = &self.matrix[rows.start * self.dimensions..rows.end * self.dimensions];
        let ids = &self.ids[rows];
        let groups = numbers.chunks_exact(self.dimensions * ROWS);
        let single_rows = groups.remainder().chunks_exact(self.dimensions);
        let (grouped_ids, single_ids) = ids.as_chunks::<ROWS>();
        for (group, ids) in groups.zip(grouped_ids) {
            for (product, id) in dot_rows(query, group).into_iter().zip(ids) {
                visit(product, id);
            }
        }
        for (row, id) in single_rows.zip(single_ids) {
            visit(dot(query, row), id);
        }
    }

    fn row(&self, slot: usize) -> &[f32] {
        &self.matrix[slot * self.dimensions..(slot + 1) * self.dimensions]
    }

    fn checked(&self, vector: &[f32]) -> Result<Vec<f32>, IndexError> {
        if vector.len() != self.dimensions {
            return Err(IndexError::WrongDimensions { expected: self.dimensions, got: vector.len() });
        }
        unit(vector).ok_or(IndexError::NoDirection)
    }
}

impl Neighbours for VectorIndex {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn nearest(
        &self,
        query: &[f32],
        k: usize,
        filter: &dyn Fn(&BlockId) -> bool,
    ) -> Result<Vec<Neighbour>, IndexError> {
        self.nearest(query, k, filter)
    }

    fn nearest_batch(
        &self,
        queries: &[&[f32]],
        k: usize,
        filter: &dyn Fn(usize, &BlockId) -> bool,
    ) -> Result<Vec<Vec<Neighbour>>, IndexError> {
        self.nearest_batch(queries, k, filter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> BlockId {
        BlockId::from_stored(name)
    }

    #[test]
    fn vectors_that_do_not_fit_are_refused_and_change_nothing() {
        let mut index = VectorIndex::new(2).unwrap();
        index.insert(&id("a"), &[1.0, 0.0]).unwrap();
        assert_eq!(index.insert(&id("a"), &[1.0]), Err(IndexError::WrongDimensions { expected: 2, got: 1 }));
        assert_eq!(index.insert(&id("b"), &[0.0, 0.0]), Err(IndexError::NoDirection));
        assert_eq!(index.insert(&id("b"), &[f32::NAN, 0.0]), Err(IndexError::NoDirection));
        assert!(index.nearest(&[1.0, 0.0, 0.0], 1, |_| true).is_err());
        assert!(index.nearest_batch(&[&[1.0, 0.0], &[1.0]], 1, |_, _| true).is_err());
        assert_eq!((index.len(), index.vector(&id("a"))), (1, Some([1.0, 0.0].as_slice())));
        assert_eq!(VectorIndex::new(0).unwrap_err(), IndexError::NoDimensions);
    }

    #[test]
    fn a_block_need_not_find_itself_in_a_batch() {
        let mut index = VectorIndex::new(2).unwrap();
        let blocks = [id("a"), id("b"), id("c")];
        for (block, y) in blocks.iter().zip([0.0, 0.1, 0.5]) {
            index.insert(block, &[1.0, y]).unwrap();
        }
        let queries: Vec<&[f32]> = blocks.iter().map(|block| index.vector(block).unwrap()).collect();
        let found = index.nearest_batch(&queries, 1, |number, id| *id != blocks[number]).unwrap();
        let names: Vec<&str> = found.iter().map(|neighbours| neighbours[0].id.as_str()).collect();
        assert_eq!(names, ["b", "a", "b"]);
    }

    #[test]
    fn an_empty_index_and_an_empty_batch_find_nothing() {
        let index = VectorIndex::new(3).unwrap();
        assert!(index.nearest(&[1.0, 0.0, 0.0], 5, |_| true).unwrap().is_empty());
        assert!(index.nearest_batch(&[], 5, |_, _| true).unwrap().is_empty());
        assert_eq!(index.cosine(&id("a"), &id("a")), None);
    }

    #[test]
    fn lengths_do_not_matter_only_directions() {
        let mut index = VectorIndex::new(2).unwrap();
        index.insert(&id("long"), &[30.0, 40.0]).unwrap();
        let found = index.nearest(&[0.003, 0.004], 1, |_| true).unwrap();
        assert!((found[0].cosine - 1.0).abs() < 1e-6 && found[0].cosine <= 1.0);
    }
}
