//! Full vectors, for the slots where they were needed.
//!
//! A search reads the quantized rows and multiplies only those that may win with the full vectors. So a process does
//! not hold every vector in full: that would be four times the memory, and four times as much to read at the start.

use std::sync::{Arc, OnceLock};

use crate::chunked::ChunkedVec;

/// Vectors that stop being shared together when one of them changes.
const CHUNK: usize = 256;

/// Unit vectors by slot. They are added through a shared reference, and seen by clones that share the chunk.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExactRows {
    rows: ChunkedVec<OnceLock<Arc<[f32]>>, CHUNK>,
}

impl ExactRows {
    pub(crate) fn get(&self, slot: u32) -> Option<&[f32]> {
        self.rows.get(slot as usize)?.get().map(|row| &**row)
    }

    /// Adds the vector of a slot that was [cleared](Self::clear) before; one that is there stays.
    pub(crate) fn fill(&self, slot: u32, unit: &[f32]) {
        if let Some(row) = self.rows.get(slot as usize) {
            row.get_or_init(|| unit.into());
        }
    }

    /// Removes the vector of a slot. What readers of an older clone still add does not come back.
    pub(crate) fn clear(&mut self, slot: u32) {
        self.rows.set(slot as usize, OnceLock::new());
    }

    /// Stores a vector in the place of the one the slot had.
    pub(crate) fn set(&mut self, slot: u32, unit: &[f32]) {
        self.rows.set(slot as usize, OnceLock::from(Arc::from(unit)));
    }

    /// Returns the size on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let rows = self.rows.chunks().flatten().filter_map(OnceLock::get);
        self.rows.bytes() + rows.map(|row| size_of_val(&**row) + 2 * size_of::<usize>()).sum::<usize>()
    }
}
