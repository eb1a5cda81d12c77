//! A hash table of numbers whose keys are stored elsewhere.
//!
//! Blocks and names are numbered, and the keys already lie in an array. A `HashMap` from key to number would store every
//! key twice: 69 MB for a million blocks, where a table of numbers needs 8 MB. Collisions use linear probing; a removal
//! moves later entries up, so no tombstones are left behind.

use crate::chunked::ChunkedVec;

/// Marks a cell without a number. Cells are stored as number plus one, so that the default is empty.
const EMPTY: u32 = 0;
/// Cells of the smallest table.
const MIN_CELLS: usize = 16;
/// Cells that are copied together when a shared table is written to.
const CHUNK: usize = 4096;

/// Finds numbers by the hash of their keys. Comparing keys is left to the caller.
#[derive(Debug, Clone, Default)]
pub(crate) struct NumberTable {
    cells: ChunkedVec<u32, CHUNK>,
    /// A power of two, or zero; at most three quarters are used.
    len: usize,
    used: usize,
}

impl NumberTable {
    /// Allocates cells for some numbers. Does nothing if there are entries already.
    pub(crate) fn reserve(&mut self, numbers: usize) {
        if self.used == 0 {
            let cells = (numbers + 1) * 4 / 3 + 1;
            self.allocate(cells.next_power_of_two().max(MIN_CELLS));
        }
    }

    /// Returns the number with this hash that `is_wanted` accepts.
    pub(crate) fn find(&self, hash: u64, is_wanted: impl Fn(u32) -> bool) -> Option<u32> {
        self.cell_of(hash, is_wanted).map(|cell| self.cell(cell) - 1)
    }

    /// Adds a number that is not in the table; `hash_of` returns the hash of any number that is.
    pub(crate) fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        if (self.used + 1) * 4 > self.len * 3 {
            let old = std::mem::take(&mut self.cells);
            self.allocate((self.len * 2).max(MIN_CELLS));
            for cell in old.chunks().flatten().filter(|cell| **cell != EMPTY) {
                self.place(hash_of(cell - 1), cell - 1);
            }
        }
        self.place(hash, number);
        self.used += 1;
    }

    /// Removes a number.
    pub(crate) fn remove(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        let Some(mut gap) = self.cell_of(hash, |other| other == number) else { return };
        self.used -= 1;
        let mask = self.len - 1;
        let mut cell = gap;
        loop {
            cell = (cell + 1) & mask;
            let follower = self.cell(cell);
            if follower == EMPTY {
                break;
            }
            // A follower may move up unless that would put it before the cell where its search begins.
            let home = hash_of(follower - 1) as usize & mask;
            if (cell.wrapping_sub(home) & mask) >= (cell.wrapping_sub(gap) & mask) {
                self.cells.set(gap, follower);
                gap = cell;
            }
        }
        self.cells.set(gap, EMPTY);
    }

    /// Returns the size on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    fn allocate(&mut self, len: usize) {
        self.cells = ChunkedVec::default();
        self.cells.grow_to(len);
        self.len = len;
    }

    fn cell(&self, at: usize) -> u32 {
        self.cells.get(at).copied().unwrap_or(EMPTY)
    }

    fn place(&mut self, hash: u64, number: u32) {
        let mask = self.len - 1;
        let mut cell = hash as usize & mask;
        while self.cell(cell) != EMPTY {
            cell = (cell + 1) & mask;
        }
        self.cells.set(cell, number + 1);
    }

    fn cell_of(&self, hash: u64, is_wanted: impl Fn(u32) -> bool) -> Option<usize> {
        let mask = self.len.checked_sub(1)?;
        let mut cell = hash as usize & mask;
        loop {
            match self.cell(cell) {
                EMPTY => return None,
                number if is_wanted(number - 1) => return Some(cell),
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
        /// Hashes take few values, so that probes collide and wrap around the end of the table.
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
