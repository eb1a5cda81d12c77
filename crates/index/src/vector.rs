//! The vector index by block id.

use elfmem_core::BlockId;
use elfmem_core::coarse::CoarseVector;

use crate::matrix::VectorMatrix;
use crate::slots::Slots;

/// A vector does not fit the index.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// Its length differs from that of the others.
    #[error("a vector of {got} dimensions was given to an index of {expected}")]
    WrongDimensions {
        /// The length of the vectors in the index.
        expected: usize,
        /// The length of the vector that was given.
        got: usize,
    },
    /// It has no direction: all zeros, or not finite.
    #[error("a vector without direction was given to the index")]
    NoDirection,
    /// An index without dimensions was requested.
    #[error("an index needs at least one dimension")]
    NoDimensions,
}

/// A block that a search by vector found.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// The block.
    pub id: BlockId,
    /// Its cosine with the query, in `[-1, 1]`.
    pub cosine: f64,
}

/// All vectors of a memory with exact search: a [`VectorMatrix`] and its own [`Slots`].
///
/// Vectors and queries are scaled to length one, so products are cosines. Results do not depend on the order in which
/// vectors were inserted and removed. A clone shares the vectors until one of the two changes them.
#[derive(Debug, Clone)]
pub struct VectorIndex {
    slots: Slots,
    matrix: VectorMatrix,
}

impl VectorIndex {
    /// Creates an empty index for vectors of `dimensions` numbers.
    pub fn new(dimensions: usize) -> Result<Self, IndexError> {
        Self::with_capacity(dimensions, 0)
    }

    /// Creates an empty index with room for `rows` vectors.
    pub fn with_capacity(dimensions: usize, rows: usize) -> Result<Self, IndexError> {
        Ok(Self { slots: Slots::with_capacity(rows), matrix: VectorMatrix::with_capacity(dimensions, rows)? })
    }

    /// Returns how many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.matrix.dimensions()
    }

    /// Returns how many vectors there are.
    pub fn len(&self) -> usize {
        self.matrix.len()
    }

    /// Returns whether there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.matrix.is_empty()
    }

    /// Returns whether a block has a vector.
    pub fn contains(&self, id: &BlockId) -> bool {
        self.slots.get(id).is_some_and(|slot| self.matrix.contains(slot))
    }

    /// Returns the slots of the blocks.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Returns the vectors by slot.
    pub fn matrix(&self) -> &VectorMatrix {
        &self.matrix
    }

    /// Returns the slot of a block, a new one if it had none. It need not have a vector.
    pub fn admit(&mut self, id: &BlockId) -> u32 {
        self.slots.insert(id)
    }

    /// Removes the vector of a block, which keeps its slot; returns whether there was one.
    pub fn remove_vector(&mut self, id: &BlockId) -> bool {
        self.slots.get(id).is_some_and(|slot| self.matrix.remove(slot))
    }

    /// Returns the unit vector of a block, if it is held in full.
    pub fn vector(&self, id: &BlockId) -> Option<&[f32]> {
        self.matrix.vector(self.slots.get(id)?)
    }

    /// Iterates over the blocks whose unit vector is held in full, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&BlockId, &[f32])> {
        self.slots.iter().filter_map(|(slot, id)| Some((id, self.matrix.vector(slot)?)))
    }

    /// Stores the vector of a block in the place of the one it had.
    pub fn insert(&mut self, id: &BlockId, vector: &[f32]) -> Result<(), IndexError> {
        let unit = self.matrix.checked(vector)?;
        self.matrix.insert_unit(self.slots.insert(id), &unit);
        Ok(())
    }

    /// Stores the quantized vector of an [admitted](Self::admit) block in the place of the one it had.
    pub fn insert_coarse(&mut self, slot: u32, vector: &CoarseVector<'_>) -> Result<(), IndexError> {
        self.matrix.insert_coarse(slot, vector)
    }

    /// Adds the full vector of a block that has the quantized one; does nothing for other blocks.
    pub fn add_exact(&self, id: &BlockId, vector: &[f32]) -> Result<(), IndexError> {
        match self.slots.get(id) {
            Some(slot) => self.matrix.add_exact(slot, vector),
            None => Ok(()),
        }
    }

    /// Removes a block with its vector and its slot; returns whether it had a vector.
    pub fn remove(&mut self, id: &BlockId) -> bool {
        self.slots.remove(id).is_some_and(|slot| self.matrix.remove(slot))
    }

    /// Returns the cosine of two blocks; none unless both vectors are held in full.
    pub fn cosine(&self, a: &BlockId, b: &BlockId) -> Option<f64> {
        self.matrix.cosine_between(self.slots.get(a)?, self.slots.get(b)?).map(f64::from)
    }

    /// Returns the `k` nearest to a query among those the filter accepts, nearest first, ties by id.
    ///
    /// Exact where the vectors that may be nearest are held in full, else typically off by 0.0005. Cost: one pass over the
    /// quantized rows. The filter runs only for rows that may be among the best.
    pub fn nearest(
        &self,
        query: &[f32],
        k: usize,
        filter: impl Fn(&BlockId) -> bool,
    ) -> Result<Vec<Neighbour>, IndexError> {
        Ok(self.nearest_batch(&[query], k, |_, id| filter(id))?.pop().unwrap_or_default())
    }

    /// Returns the `k` nearest to each of many queries, as [`nearest`](Self::nearest) would, in less time.
    ///
    /// The filter also gets the position of the query in the list. Cost: every query is compared with every row, but the
    /// rows are read from memory once for many queries.
    pub fn nearest_batch(
        &self,
        queries: &[&[f32]],
        k: usize,
        filter: impl Fn(usize, &BlockId) -> bool,
    ) -> Result<Vec<Vec<Neighbour>>, IndexError> {
        let contenders = self.contenders(queries, k, filter)?;
        queries.iter().zip(contenders).map(|(query, slots)| self.nearest_among(query, &slots, k)).collect()
    }

    /// Returns for each query the slots that may be among its `k` nearest: all that are, and a few others. With their
    /// vectors held in full, [`nearest_among`](Self::nearest_among) decides.
    pub fn contenders(
        &self,
        queries: &[&[f32]],
        k: usize,
        filter: impl Fn(usize, &BlockId) -> bool,
    ) -> Result<Vec<Vec<u32>>, IndexError> {
        let queries = queries.iter().map(|query| self.matrix.query(query)).collect::<Result<Vec<_>, _>>()?;
        let allowed = |number: usize, slot: u32| self.slots.id(slot).is_some_and(|id| filter(number, id));
        Ok(self.matrix.contenders(&queries, k, allowed))
    }

    /// Returns the `k` nearest to a query among some slots, nearest first, ties by id.
    pub fn nearest_among(&self, query: &[f32], slots: &[u32], k: usize) -> Result<Vec<Neighbour>, IndexError> {
        let query = self.matrix.query(query)?;
        let cosines = self.matrix.cosines_of(&query, slots).into_iter();
        let mut found: Vec<(f32, &BlockId)> =
            cosines.filter_map(|(slot, cosine)| Some((cosine, self.slots.id(slot)?))).collect();
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let nearest = found.into_iter().take(k);
        Ok(nearest.map(|(cosine, id)| Neighbour { id: id.clone(), cosine: f64::from(cosine) }).collect())
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
    fn a_vector_that_comes_later_in_full_belongs_to_the_coarse_one_that_is_here() {
        let mut index = VectorIndex::new(2).unwrap();
        let bytes = CoarseVector::encode(&[3.0, 4.0]).unwrap();
        let coarse = CoarseVector::decode(&bytes).unwrap();
        let slot = index.admit(&id("a"));
        index.insert_coarse(slot, &coarse).unwrap();
        assert_eq!((index.len(), index.contains(&id("a")), index.vector(&id("a"))), (1, true, None));
        index.add_exact(&id("a"), &[3.0, 4.0]).unwrap();
        index.add_exact(&id("nobody"), &[3.0, 4.0]).unwrap();
        assert_eq!(index.vector(&id("a")), Some([0.6, 0.8].as_slice()));
        index.insert_coarse(slot, &coarse).unwrap();
        assert_eq!(index.vector(&id("a")), Some([0.6, 0.8].as_slice()), "the same again");
        let other = CoarseVector::encode(&[3.0, 4.01]).unwrap();
        index.insert_coarse(slot, &CoarseVector::decode(&other).unwrap()).unwrap();
        assert_eq!(index.vector(&id("a")), None, "another coarse form is of another vector");
        assert!(index.remove_vector(&id("a")));
        index.add_exact(&id("a"), &[3.0, 4.0]).unwrap();
        assert!(!index.contains(&id("a")) && index.vector(&id("a")).is_none() && index.is_empty());
        let wide = CoarseVector::encode(&[1.0; 3]).unwrap();
        let refused = index.insert_coarse(slot, &CoarseVector::decode(&wide).unwrap());
        assert_eq!(refused, Err(IndexError::WrongDimensions { expected: 2, got: 3 }));
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
