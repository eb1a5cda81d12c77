//! The numbering of blocks that the indexes of one memory share.
//!
//! Inside a query a block is a number, its slot. Words, vectors and edges add up scores in plain arrays by slot, without
//! hashing ids. Slots are dense, and the slot of a removed block is used again.

use std::hash::{BuildHasher, RandomState};

use elfmem_core::BlockId;

use crate::chunked::ChunkedVec;
use crate::table::NumberTable;

/// Ids that are copied together when a shared numbering is written to.
const CHUNK: usize = 1024;

/// Assigns each block of a memory a small number.
///
/// Slots depend on the history of the process: nothing that a person sees may be ordered by them. Cost: 32 to 40 bytes
/// a block.
#[derive(Debug, Clone, Default)]
pub struct Slots {
    /// The block of each slot.
    ids: ChunkedVec<Option<BlockId>, CHUNK>,
    /// One more than the highest slot ever used.
    bound: usize,
    /// Slots without a block; the last freed is the first to be used again.
    free: Vec<u32>,
    table: NumberTable,
    hasher: RandomState,
}

impl Slots {
    /// Creates an empty numbering.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty numbering with room for some blocks.
    pub fn with_capacity(blocks: usize) -> Self {
        let mut slots = Self::default();
        slots.ids.grow_to(blocks);
        slots.table.reserve(blocks);
        slots
    }

    /// Returns how many blocks have a slot.
    pub fn len(&self) -> usize {
        self.bound - self.free.len()
    }

    /// Returns whether no block has a slot.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an upper bound of all slots: the length of an array with a place for each.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Returns the slot of a block.
    pub fn get(&self, id: &BlockId) -> Option<u32> {
        self.table.find(self.hasher.hash_one(id), |slot| self.id(slot) == Some(id))
    }

    /// Returns the block of a slot.
    pub fn id(&self, slot: u32) -> Option<&BlockId> {
        self.ids.get(slot as usize)?.as_ref()
    }

    /// Returns the slot of a block, a new one if it had none.
    pub fn insert(&mut self, id: &BlockId) -> u32 {
        if let Some(slot) = self.get(id) {
            return slot;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.bound += 1;
            u32::try_from(self.bound - 1).expect("a process holds fewer than four billion blocks")
        });
        let (ids, hasher) = (&self.ids, &self.hasher);
        let hash_of = |other: u32| hasher.hash_one(ids.get(other as usize).and_then(Option::as_ref).unwrap_or(id));
        self.table.insert(self.hasher.hash_one(id), slot, hash_of);
        self.ids.set(slot as usize, Some(id.clone()));
        slot
    }

    /// Removes a block and returns the slot it had, which the next block may get.
    pub fn remove(&mut self, id: &BlockId) -> Option<u32> {
        let slot = self.get(id)?;
        let (ids, hasher) = (&self.ids, &self.hasher);
        let hash_of = |other: u32| hasher.hash_one(ids.get(other as usize).and_then(Option::as_ref).unwrap_or(id));
        self.table.remove(self.hasher.hash_one(id), slot, hash_of);
        self.ids.set(slot as usize, None);
        self.free.push(slot);
        Some(slot)
    }

    /// Iterates over all blocks in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &BlockId)> {
        (0..).zip(self.ids.chunks().flatten()).filter_map(|(slot, id)| Some((slot, id.as_ref()?)))
    }

    /// Returns the size on the heap.
    pub fn bytes(&self) -> usize {
        self.ids.bytes() + self.free.capacity() * size_of::<u32>() + self.table.bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_history_keeps_numbers_dense_and_distinct(steps in prop::collection::vec((any::<bool>(), 0..40u8), 0..200)) {
            let (mut slots, mut model, mut most) = (Slots::new(), BTreeMap::new(), 0);
            for (insert, name) in steps {
                let id = BlockId::from_stored(&format!("block {name}"));
                if insert {
                    let slot = slots.insert(&id);
                    prop_assert_eq!(*model.entry(id.clone()).or_insert(slot), slot, "a block keeps its number");
                } else {
                    prop_assert_eq!(slots.remove(&id), model.remove(&id));
                }
                most = most.max(model.len());
                prop_assert_eq!((slots.len(), slots.bound()), (model.len(), most));
            }
            let listed: BTreeMap<BlockId, u32> = slots.iter().map(|(slot, id)| (id.clone(), slot)).collect();
            prop_assert_eq!(&listed, &model);
            for (id, slot) in &model {
                prop_assert_eq!(slots.get(id), Some(*slot));
                prop_assert_eq!(slots.id(*slot), Some(id));
            }
        }
    }
}
