//! The vector index by block id, for those who need nothing but vectors.

use elfmem_core::BlockId;
use elfmem_core::coarse::CoarseVector;

use crate::matrix::VectorMatrix;
use crate::slots::Slots;

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

/// All vectors of a memory, searched exactly: a [`VectorMatrix`] with a numbering of its own.
///
/// Vectors are scaled to length one as they come in, and so are queries, so products are cosines. Results do not depend
/// on the order in which vectors came and went.
#[derive(Debug, Clone)]
pub struct VectorIndex {
    slots: Slots,
    matrix: VectorMatrix,
}

impl VectorIndex {
    /// An empty index for vectors of `dimensions` numbers.
    pub fn new(dimensions: usize) -> Result<Self, IndexError> {
        Self::with_capacity(dimensions, 0)
    }

    /// An empty index with room for `rows` vectors.
    pub fn with_capacity(dimensions: usize, rows: usize) -> Result<Self, IndexError> {
        Ok(Self { slots: Slots::with_capacity(rows), matrix: VectorMatrix::with_capacity(dimensions, rows)? })
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.matrix.dimensions()
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.matrix.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.matrix.is_empty()
    }

    /// Whether a block has a vector here.
    pub fn contains(&self, id: &BlockId) -> bool {
        self.slots.get(id).is_some_and(|slot| self.matrix.contains(slot))
    }

    /// The numbers that blocks have in the matrix.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The vectors by number.
    pub fn matrix(&self) -> &VectorMatrix {
        &self.matrix
    }

    /// The number of a block, which gets one if it has none: it may have no vector yet and still be known.
    pub fn admit(&mut self, id: &BlockId) -> u32 {
        self.slots.insert(id)
    }

    /// Takes a block's vector out and lets it keep its number; false when it had none.
    pub fn remove_vector(&mut self, id: &BlockId) -> bool {
        self.slots.get(id).is_some_and(|slot| self.matrix.remove(slot))
    }

    /// The unit vector of a block, if it is here in full.
    pub fn vector(&self, id: &BlockId) -> Option<&[f32]> {
        self.matrix.vector(self.slots.get(id)?)
    }

    /// Every block whose unit vector is here in full, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&BlockId, &[f32])> {
        self.slots.iter().filter_map(|(slot, id)| Some((id, self.matrix.vector(slot)?)))
    }

    /// Puts a block's vector in, in the place of the one it had.
    pub fn insert(&mut self, id: &BlockId, vector: &[f32]) -> Result<(), IndexError> {
        let unit = self.matrix.checked(vector)?;
        self.matrix.keep(self.slots.insert(id), &unit);
        Ok(())
    }

    /// Puts the coarse form of the vector of a block that was [admitted](Self::admit) in, in the place of the one it had.
    pub fn insert_coarse(&mut self, slot: u32, vector: &CoarseVector<'_>) -> Result<(), IndexError> {
        self.matrix.insert_coarse(slot, vector)
    }

    /// Adds the vector whose coarse form a block has; nothing for a block without one.
    pub fn insert_exact(&mut self, id: &BlockId, vector: &[f32]) -> Result<(), IndexError> {
        match self.slots.get(id) {
            Some(slot) => self.matrix.insert_exact(slot, vector),
            None => Ok(()),
        }
    }

    /// Takes a block out with its vector and its number; false when it had no vector.
    pub fn remove(&mut self, id: &BlockId) -> bool {
        self.slots.remove(id).is_some_and(|slot| self.matrix.remove(slot))
    }

    /// The cosine of two blocks; none unless both are here in full.
    pub fn cosine(&self, a: &BlockId, b: &BlockId) -> Option<f64> {
        self.matrix.cosine_between(self.slots.get(a)?, self.slots.get(b)?).map(f64::from)
    }

    /// The `k` nearest to a query among those the filter lets through, nearest first, ties by id.
    ///
    /// Exact where the vectors that may be nearest are here in full, else typically off by 0.0005. Cost: one pass over the
    /// coarse rows. The filter is asked only about rows that may be among the best.
    pub fn nearest(
        &self,
        query: &[f32],
        k: usize,
        filter: impl Fn(&BlockId) -> bool,
    ) -> Result<Vec<Neighbour>, IndexError> {
        Ok(self.nearest_batch(&[query], k, |_, id| filter(id))?.pop().unwrap_or_default())
    }

    /// The `k` nearest to each of many queries: the same answers as one by one, in less time.
    ///
    /// The filter is also told the query's place in the list, so that a block need not find itself. Cost: every query
    /// still meets every row, but the rows are read from memory once instead of once per query.
    pub fn nearest_batch(
        &self,
        queries: &[&[f32]],
        k: usize,
        filter: impl Fn(usize, &BlockId) -> bool,
    ) -> Result<Vec<Vec<Neighbour>>, IndexError> {
        let contenders = self.contenders(queries, k, filter)?;
        queries.iter().zip(contenders).map(|(query, slots)| self.nearest_among(query, &slots, k)).collect()
    }

    /// For each query the numbers of the blocks that may be among its `k` nearest: all that are, and a few that are not. With
    /// their vectors here in full, [`nearest_among`](Self::nearest_among) tells which.
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

    /// The `k` nearest to a query among some blocks by number, nearest first, ties by id.
    pub fn nearest_among(&self, query: &[f32], slots: &[u32], k: usize) -> Result<Vec<Neighbour>, IndexError> {
        let query = self.matrix.query(query)?;
        Ok(self.neighbours(self.matrix.cosines_of(&query, slots), k))
    }

    /// The first `k`, nearest first, ties by id.
    fn neighbours(&self, cosines: Vec<(u32, f32)>, k: usize) -> Vec<Neighbour> {
        let mut found: Vec<(f32, &BlockId)> =
            cosines.into_iter().filter_map(|(slot, cosine)| Some((cosine, self.slots.id(slot)?))).collect();
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        found.into_iter().take(k).map(|(cosine, id)| Neighbour { id: id.clone(), cosine: f64::from(cosine) }).collect()
    }
}

impl Neighbours for VectorIndex {
    fn dimensions(&self) -> usize {
        self.dimensions()
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
    fn a_vector_that_comes_later_in_full_belongs_to_the_coarse_one_that_is_here() {
        let mut index = VectorIndex::new(2).unwrap();
        let bytes = CoarseVector::encode(&[3.0, 4.0]).unwrap();
        let coarse = CoarseVector::decode(&bytes).unwrap();
        let slot = index.admit(&id("a"));
        index.insert_coarse(slot, &coarse).unwrap();
        assert_eq!((index.len(), index.contains(&id("a")), index.vector(&id("a"))), (1, true, None));
        index.insert_exact(&id("a"), &[3.0, 4.0]).unwrap();
        index.insert_exact(&id("nobody"), &[3.0, 4.0]).unwrap();
        assert_eq!(index.vector(&id("a")), Some([0.6, 0.8].as_slice()));
        index.insert_coarse(slot, &coarse).unwrap();
        assert_eq!(index.vector(&id("a")), Some([0.6, 0.8].as_slice()), "the same again");
        let other = CoarseVector::encode(&[3.0, 4.01]).unwrap();
        index.insert_coarse(slot, &CoarseVector::decode(&other).unwrap()).unwrap();
        assert_eq!(index.vector(&id("a")), None, "another coarse form is of another vector");
        assert!(index.remove_vector(&id("a")));
        index.insert_exact(&id("a"), &[3.0, 4.0]).unwrap();
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
