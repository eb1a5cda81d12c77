//! Reusable buffers with a place for every block.
//!
//! A question scores all blocks into such buffers. Allocating them for each question would cost more than the scoring at
//! a hundred thousand blocks, so they are taken from a pool and returned.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use elfmem_index::WordScores;

/// Largest number of idle buffers.
const MAX_IDLE: usize = 8;

/// The buffers of one question.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(in crate::recall) cosines: Vec<f32>,
    pub(in crate::recall) words: WordScores,
}

impl Scratch {
    fn bytes(&self) -> usize {
        self.cosines.capacity() * size_of::<f32>() + self.words.bytes()
    }
}

/// The idle buffers.
#[derive(Debug, Default)]
pub(crate) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// Takes buffers out of the pool, or makes new ones. They hold what their last user left.
    pub(crate) fn take(&self) -> PooledScratch<'_> {
        let scratch = self.idle().pop().unwrap_or_default();
        PooledScratch { pool: self, scratch }
    }

    /// Returns the size of the idle buffers.
    pub(crate) fn bytes(&self) -> usize {
        self.idle().iter().map(Scratch::bytes).sum()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Buffers that go back to their pool when they are dropped.
#[derive(Debug)]
pub(crate) struct PooledScratch<'a> {
    pool: &'a ScratchPool,
    scratch: Scratch,
}

impl Deref for PooledScratch<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        &self.scratch
    }
}

impl DerefMut for PooledScratch<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        &mut self.scratch
    }
}

impl Drop for PooledScratch<'_> {
    fn drop(&mut self) {
        let mut idle = self.pool.idle();
        if idle.len() < MAX_IDLE {
            idle.push(std::mem::take(&mut self.scratch));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_used_again_and_never_by_two_at_once() {
        let pool = ScratchPool::default();
        let (mut one, other) = (pool.take(), pool.take());
        one.cosines.resize(100, 0.0);
        assert!(other.cosines.is_empty() && pool.bytes() == 0);
        drop(one);
        assert_eq!(pool.bytes(), 400);
        assert_eq!(pool.take().cosines.len(), 100);
        drop((0..20).map(|_| pool.take()).collect::<Vec<_>>());
        assert_eq!(pool.idle().len(), MAX_IDLE);
    }
}
