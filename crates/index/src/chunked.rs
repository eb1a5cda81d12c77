//! A growable array whose clones share the parts that none of them has changed.

use std::sync::Arc;

/// An array of chunks of `CHUNK` items. Every item is `T::default()` until it is written.
///
/// A clone shares all chunks with the original and costs one reference count per chunk. Writing to a shared chunk
/// copies that chunk first, so an old clone stays as it was while a new one changes.
///
/// Items with interior mutability, such as [`OnceLock`](std::sync::OnceLock), serve as a cache that clones share:
/// what is filled in through one clone is seen by every clone that shares the chunk. [`get_mut`](Self::get_mut) ends
/// the sharing even if the item was not filled in yet. So a value that belongs to the state before a change cannot
/// reach the state after it.
#[derive(Debug, Clone)]
pub struct ChunkedVec<T, const CHUNK: usize> {
    chunks: Vec<Arc<[T]>>,
}

impl<T, const CHUNK: usize> Default for ChunkedVec<T, CHUNK> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T, const CHUNK: usize> ChunkedVec<T, CHUNK> {
    /// Returns an item; none beyond the last chunk.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// Iterates over all chunks, the items after the last written one included.
    pub fn chunks(&self) -> impl Iterator<Item = &[T]> {
        self.chunks.iter().map(|chunk| &**chunk)
    }

    /// Returns the size on the heap, without what the items themselves allocate.
    pub fn bytes(&self) -> usize {
        self.chunks.capacity() * size_of::<Arc<[T]>>() + self.chunks.len() * CHUNK * size_of::<T>()
    }
}

impl<T: Default + Clone, const CHUNK: usize> ChunkedVec<T, CHUNK> {
    /// Adds chunks until there are `items` items.
    pub fn grow_to(&mut self, items: usize) {
        let chunks = items.div_ceil(CHUNK);
        if chunks > self.chunks.len() {
            self.chunks.resize_with(chunks, || (0..CHUNK).map(|_| T::default()).collect());
        }
    }

    /// Returns an item to write to, in a chunk that no clone shares.
    pub fn get_mut(&mut self, at: usize) -> &mut T {
        self.grow_to(at + 1);
        &mut Arc::make_mut(&mut self.chunks[at / CHUNK])[at % CHUNK]
    }

    /// Writes an item.
    pub fn set(&mut self, at: usize, item: T) {
        *self.get_mut(at) = item;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use proptest::prelude::*;

    type Small<T> = ChunkedVec<T, 4>;

    proptest! {
        /// Each step writes an item, or keeps a clone whose content must never change again.
        #[test]
        fn clones_keep_their_content_whatever_is_written_later(
            steps in prop::collection::vec(prop::option::weighted(0.8, (0..30usize, any::<u8>())), 0..80),
        ) {
            let (mut array, mut model) = (Small::<u8>::default(), vec![0; 40]);
            let mut kept = Vec::new();
            for step in steps {
                match step {
                    Some((at, item)) => {
                        array.set(at, item);
                        model[at] = item;
                    }
                    None => kept.push((array.clone(), model.clone())),
                }
            }
            kept.push((array, model));
            for (array, model) in kept {
                for (at, item) in model.iter().enumerate() {
                    prop_assert_eq!(array.get(at).copied().unwrap_or_default(), *item);
                }
                prop_assert!(array.chunks().flatten().eq(model.iter().take(array.chunks().count() * 4)));
            }
        }
    }

    #[test]
    fn what_is_filled_in_is_seen_by_clones_that_share_the_chunk() {
        let mut array = Small::<OnceLock<u8>>::default();
        array.grow_to(8);
        let before = array.clone();
        *array.get_mut(1) = OnceLock::new();
        let after = array.clone();
        assert!(before.get(0).unwrap().set(1).is_ok() && before.get(5).unwrap().set(2).is_ok());
        assert_eq!(after.get(0).unwrap().get(), None, "written to since, although it was empty before and after");
        assert_eq!(after.get(5).unwrap().get(), Some(&2));
    }
}
