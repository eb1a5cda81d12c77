//! Word scores in an array with a place for every block.
//!
//! The array is meant to be reused: it knows which places were written to, and clears only those.

/// The word scores of one query. Blocks that hold none of its words have none.
#[derive(Debug, Clone, Default)]
pub struct WordScores {
    /// By slot; zero where nothing was found.
    totals: Vec<f64>,
    /// The slots that were written to, and after them room for more.
    touched: Vec<u32>,
    count: usize,
}

impl WordScores {
    /// Creates an empty list for [`PreparedQuery::score_into`](super::PreparedQuery::score_into).
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the score of a block in `[0, 1]`; zero when it holds no word of the query.
    pub fn get(&self, slot: u32) -> f64 {
        // Rounding may leave a sum slightly above one.
        self.totals.get(slot as usize).map_or(0.0, |total| total.min(1.0))
    }

    /// Returns the scores by slot, zero where there is none. Rounding may leave one slightly above one. There may be fewer
    /// scores than slots.
    pub fn by_slot(&self) -> &[f64] {
        &self.totals
    }

    /// Returns the blocks that hold a word of the query: those of its first word in the order of their slots, then those
    /// that the second adds, and so on.
    pub fn slots(&self) -> &[u32] {
        &self.touched[..self.count]
    }

    /// Iterates over the blocks that hold a word of the query and their scores, in the order of [`slots`](Self::slots).
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        self.slots().iter().map(|slot| (*slot, self.get(*slot)))
    }

    /// Returns how many blocks hold a word of the query.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether no block holds a word of the query.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the highest score; zero when there is none.
    pub fn best(&self) -> f64 {
        self.iter().map(|(_, score)| score).fold(0.0, f64::max)
    }

    /// Removes all scores and keeps the allocation.
    pub fn clear(&mut self) {
        if self.count * 4 > self.totals.len() {
            self.totals.fill(0.0);
        } else {
            for slot in &self.touched[..self.count] {
                self.totals[*slot as usize] = 0.0;
            }
        }
        self.count = 0;
    }

    /// Returns the size on the heap.
    pub fn bytes(&self) -> usize {
        self.totals.capacity() * size_of::<f64>() + self.touched.capacity() * size_of::<u32>()
    }

    /// Clears the list and makes places for the slots below `bound`.
    pub(super) fn prepare(&mut self, bound: usize) {
        self.clear();
        self.totals.resize(bound, 0.0);
        // One more, because the place after the last is written before it is known whether it counts.
        self.touched.resize(bound + 1, 0);
    }

    /// Returns a view for adding to the totals.
    pub(super) fn adder(&mut self) -> Adder<'_> {
        Adder { totals: &mut self.totals, touched: &mut self.touched, count: &mut self.count }
    }
}

/// Adds to totals and records which were touched.
pub(super) struct Adder<'a> {
    totals: &'a mut [f64],
    touched: &'a mut [u32],
    count: &'a mut usize,
}

impl Adder<'_> {
    /// Adds to the total of a slot, without branches: whether a block was met before is unpredictable in the middle of a
    /// long list, and a wrong prediction costs more than the rest of the work.
    #[inline(always)]
    pub(super) fn add(&mut self, slot: u32, amount: f64) {
        let total = &mut self.totals[slot as usize];
        self.touched[*self.count] = slot;
        *self.count += usize::from((*total == 0.0) & (amount > 0.0));
        *total += amount;
    }
}
