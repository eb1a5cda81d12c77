//! The vectors themselves, of those slots for which they are here.
//!
//! A search reads the coarse rows; only the few that may win are multiplied out. So a program need not hold every vector in
//! full: four times the room, and four times as much to read before the first answer.

use crate::room::{make_room, widen};

/// Marks a slot whose vector is not here.
const ABSENT: u32 = u32::MAX;

/// Unit vectors by slot.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExactRows {
    dimensions: usize,
    numbers: Vec<f32>,
    /// By slot: the number of its row.
    rows: Vec<u32>,
    /// Rows that nobody uses.
    free: Vec<u32>,
}

impl ExactRows {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self { dimensions, ..Self::default() }
    }

    pub(crate) fn get(&self, slot: u32) -> Option<&[f32]> {
        let row = self.rows.get(slot as usize).copied().filter(|row| *row != ABSENT)?;
        let start = row as usize * self.dimensions;
        Some(&self.numbers[start..start + self.dimensions])
    }

    /// Keeps a unit vector in the place of the one that was there.
    pub(crate) fn insert(&mut self, slot: u32, unit: &[f32]) {
        self.remove(slot);
        widen(&mut self.rows, slot as usize, ABSENT);
        let row = match self.free.pop() {
            Some(row) => {
                let start = row as usize * self.dimensions;
                self.numbers[start..start + self.dimensions].copy_from_slice(unit);
                row
            }
            None => {
                let row = self.numbers.len() / self.dimensions;
                make_room(&mut self.numbers, self.dimensions);
                self.numbers.extend_from_slice(unit);
                row as u32
            }
        };
        self.rows[slot as usize] = row;
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        if let Some(row) = self.rows.get_mut(slot as usize).filter(|row| **row != ABSENT) {
            self.free.push(*row);
            *row = ABSENT;
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<f32>() + (self.rows.capacity() + self.free.capacity()) * size_of::<u32>()
    }
}
