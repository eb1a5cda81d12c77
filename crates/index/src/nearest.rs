//! The best `k` of many, with a heap that never holds more than `k`.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use elfmem_core::BlockId;

use crate::vector::Neighbour;

/// Keeps the `k` nearest of all that are offered: by cosine, and by id where cosines are equal.
#[derive(Debug)]
pub(crate) struct Nearest<'a> {
    k: usize,
    /// The worst of the kept on top.
    kept: BinaryHeap<Candidate<'a>>,
}

#[derive(Debug, PartialEq)]
struct Candidate<'a> {
    cosine: f32,
    id: &'a BlockId,
}

impl<'a> Nearest<'a> {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, kept: BinaryHeap::new() }
    }

    /// Takes a product if it is among the best so far and `allowed` says so. The filter is asked last, because it may
    /// be the slower of the two and most rows fail the first test.
    pub(crate) fn offer(&mut self, product: f32, id: &'a BlockId, allowed: impl FnOnce(&BlockId) -> bool) {
        // Rounding may leave a product a hair beyond one; adding zero turns -0 into 0.
        let candidate = Candidate { cosine: product.clamp(-1.0, 1.0) + 0.0, id };
        let full = self.kept.len() >= self.k;
        if full && self.kept.peek().is_none_or(|worst| candidate.cmp(worst) != Ordering::Less) {
            return;
        }
        if allowed(id) {
            if full {
                self.kept.pop();
            }
            self.kept.push(candidate);
        }
    }

    /// The kept ones, nearest first.
    pub(crate) fn into_neighbours(self) -> Vec<Neighbour> {
        let sorted = self.kept.into_sorted_vec();
        sorted.into_iter().map(|c| Neighbour { id: c.id.clone(), cosine: f64::from(c.cosine) }).collect()
    }
}

impl Eq for Candidate<'_> {}

impl PartialOrd for Candidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Nearer is less, so that the heap's top is the one to lose.
impl Ord for Candidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cosine.total_cmp(&self.cosine).then_with(|| self.id.cmp(other.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_is_not_asked_about_what_cannot_win() {
        let ids: Vec<BlockId> = ["a", "b", "c"].map(BlockId::from_stored).into();
        let mut nearest = Nearest::new(1);
        nearest.offer(0.5, &ids[1], |_| true);
        nearest.offer(0.4, &ids[0], |_| panic!("asked in vain"));
        nearest.offer(0.5, &ids[2], |_| panic!("asked in vain"));
        nearest.offer(0.5, &ids[0], |_| true);
        assert_eq!(nearest.into_neighbours(), [Neighbour { id: ids[0].clone(), cosine: 0.5 }]);
    }

    #[test]
    fn none_are_kept_when_none_are_wanted() {
        let id = BlockId::from_stored("a");
        let mut nearest = Nearest::new(0);
        nearest.offer(1.0, &id, |_| true);
        assert!(nearest.into_neighbours().is_empty());
    }
}
