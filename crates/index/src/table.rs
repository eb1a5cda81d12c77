//! A hash table of numbers whose keys live elsewhere.
//!
//! Blocks and words are numbered, and the numbered things already lie in a list. A `HashMap` from key to number would
//! hold every key a second time: at a million blocks 69 MB, where a table of bare numbers needs 8 MB. Collisions are
//! resolved by looking at the next cell; removal moves followers up, so no markers are left behind.

/// Marks a cell without a number.
const EMPTY: u32 = u32::MAX;
/// Cells of the smallest table.
const FEWEST_CELLS: usize = 16;

/// Finds numbers by the hash of what they stand for. What a number stands for is the caller's to know.
#[derive(Debug, Clone, Default)]
pub(crate) struct NumberTable {
    /// A power of two of cells, at most three quarters full.
    cells: Vec<u32>,
    held: usize,
}

impl NumberTable {
    /// Makes room for some numbers in a table that has none yet.
    pub(crate) fn reserve(&mut self, numbers: usize) {
        if self.held == 0 {
            let cells = (numbers + 1) * 4 / 3 + 1;
            self.cells = vec![EMPTY; cells.next_power_of_two().max(FEWEST_CELLS)];
        }
    }

    /// The number with this hash that `is_wanted` recognises.
    pub(crate) fn find(&self, hash: u64, is_wanted: impl Fn(u32) -> bool) -> Option<u32> {
        self.cell_of(hash, is_wanted).map(|cell| self.cells[cell])
    }

    /// Adds a number that is not here yet; `hash_of` gives the hash of any number that is.
    pub(crate) fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        if (self.held + 1) * 4 > self.cells.len() * 3 {
            let roomier = vec![EMPTY; (self.cells.len() * 2).max(FEWEST_CELLS)];
            let numbers = std::mem::replace(&mut self.cells, roomier);
            numbers
                .into_iter()
                .filter(|number| *number != EMPTY)
                .for_each(|number| self.place(hash_of(number), number));
        }
        self.place(hash, number);
        self.held += 1;
    }

    /// Takes a number out.
    pub(crate) fn remove(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        let Some(mut gap) = self.cell_of(hash, |other| other == number) else { return };
        self.held -= 1;
        let mask = self.cells.len() - 1;
        let mut cell = gap;
        loop {
            cell = (cell + 1) & mask;
            let follower = self.cells[cell];
            if follower == EMPTY {
                break;
            }
            // A follower may move up unless that would put it before the cell where its search begins.
            let home = hash_of(follower) as usize & mask;
            if (cell.wrapping_sub(home) & mask) >= (cell.wrapping_sub(gap) & mask) {
                self.cells[gap] = follower;
                gap = cell;
            }
        }
        self.cells[gap] = EMPTY;
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u32>()
    }

    fn place(&mut self, hash: u64, number: u32) {
        let mask = self.cells.len() - 1;
        let mut cell = hash as usize & mask;
        while self.cells[cell] != EMPTY {
            cell = (cell + 1) & mask;
        }
        self.cells[cell] = number;
    }

    fn cell_of(&self, hash: u64, is_wanted: impl Fn(u32) -> bool) -> Option<usize> {
        let mask = self.cells.len().checked_sub(1)?;
        let mut cell = hash as usize & mask;
        loop {
            match self.cells[cell] {
                EMPTY => return None,
                number if is_wanted(number) => return Some(cell),
                _ => cell = (cell + 1) & mask,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Hashes that take few values, so that searches run into each other and around the end of the table.
        #[test]
        fn any_history_finds_what_a_set_would(
            steps in prop::collection::vec((any::<bool>(), 0..60u32), 0..300), spread in 1..20u64,
        ) {
            let hash_of = |number: u32| (u64::from(number) % spread).wrapping_mul(13).wrapping_sub(7);
            let (mut table, mut model) = (NumberTable::default(), BTreeSet::new());
            for (insert, number) in steps {
                if !insert {
                    table.remove(hash_of(number), number, hash_of);
                    model.remove(&number);
                } else if model.insert(number) {
                    table.insert(hash_of(number), number, hash_of);
                }
                for number in 0..60 {
                    let found = table.find(hash_of(number), |other| other == number);
                    prop_assert_eq!(found.is_some(), model.contains(&number));
                }
            }
        }
    }
}
