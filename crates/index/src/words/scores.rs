//! What a word index answers, in a list with a place for every block.
//!
//! The list is meant to be used again: it remembers which places were written to, and clears only those.

/// The scores of one question. Blocks that hold none of its words have none.
#[derive(Debug, Clone, Default)]
pub struct WordScores {
    /// By slot; zero where nothing was found.
    totals: Vec<f64>,
    /// The slots that were written to, and after them room for more.
    touched: Vec<u32>,
    count: usize,
}

impl WordScores {
    /// An empty list, to be given to [`WordIndex::score_into`](super::WordIndex::score_into).
    pub fn new() -> Self {
        Self::default()
    }

    /// The score of a block in `[0, 1]`; zero when it holds no word of the question.
    pub fn get(&self, slot: u32) -> f64 {
        // Rounding may leave a sum a hair beyond one.
        self.totals.get(slot as usize).map_or(0.0, |total| total.min(1.0))
    }

    /// The scores by slot, zero where there is none; rounding may leave one a hair above one. May be shorter than there
    /// are slots.
    pub fn by_slot(&self) -> &[f64] {
        &self.totals
    }

    /// The blocks that hold a word of the question: those of its first word in the order of their numbers, then what
    /// the second adds, and so on.
    pub fn slots(&self) -> &[u32] {
        &self.touched[..self.count]
    }

    /// The blocks that hold a word of the question and their scores, in the order of [`slots`](Self::slots).
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        self.slots().iter().map(|slot| (*slot, self.get(*slot)))
    }

    /// How many blocks hold a word of the question.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The highest score; zero when there is none.
    pub fn best(&self) -> f64 {
        self.iter().map(|(_, score)| score).fold(0.0, f64::max)
    }

    /// Forgets all scores and keeps the room.
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

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.totals.capacity() * size_of::<f64>() + self.touched.capacity() * size_of::<u32>()
    }

    /// Clears and makes room for the slots below `bound`.
    pub(super) fn prepare(&mut self, bound: usize) {
        self.clear();
        self.totals.resize(bound, 0.0);
        // One more, because the place after the last is written to before it is known whether it counts.
        self.touched.resize(bound + 1, 0);
    }

    /// The totals, for adding to.
    pub(super) fn adder(&mut self) -> Adder<'_> {
        Adder { totals: &mut self.totals, touched: &mut self.touched, count: &mut self.count }
    }
}

/// Adds to totals and notes which were touched.
pub(super) struct Adder<'a> {
    totals: &'a mut [f64],
    touched: &'a mut [u32],
    count: &'a mut usize,
}

impl Adder<'_> {
    /// Adds to the total of a slot. Without branches: whether a block was met before is a coin toss in the middle of a
    /// long list, and a wrong guess costs more than the rest of the work.
    #[inline(always)]
    pub(super) fn add(&mut self, slot: u32, amount: f64) {
        let total = &mut self.totals[slot as usize];
        self.touched[*self.count] = slot;
        *self.count += usize::from((*total == 0.0) & (amount > 0.0));
        *total += amount;
    }
}
