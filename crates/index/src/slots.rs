//! The numbering of blocks that the indexes of one memory share.
//!
//! Inside a query a block is a number: words, vectors and edges add up what they know in plain lists, without hashing
//! an id once. Numbers are dense, so such a list has hardly any gaps, and a number that became free is given out again.

use std::hash::{BuildHasher, RandomState};

use elfmem_core::BlockId;

use crate::room::make_room;
use crate::table::NumberTable;

/// Gives each block of a memory a small number of its own.
///
/// Cost: 32 to 40 bytes a block. Numbers depend on the history of the memory: they are for use inside a process, and
/// nothing that a person sees may be ordered by them.
#[derive(Debug, Clone, Default)]
pub struct Slots {
    /// The block of each number.
    ids: Vec<Option<BlockId>>,
    /// Numbers without a block; the last freed is the first to be used again.
    free: Vec<u32>,
    table: NumberTable,
    hasher: RandomState,
}

impl Slots {
    /// No blocks yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// No blocks yet, with room for some.
    pub fn with_capacity(blocks: usize) -> Self {
        let mut slots = Self::default();
        slots.ids.reserve_exact(blocks);
        slots.table.reserve(blocks);
        slots
    }

    /// How many blocks have a number.
    pub fn len(&self) -> usize {
        self.ids.len() - self.free.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What every number is below: the length of a list that has a place for each.
    pub fn bound(&self) -> usize {
        self.ids.len()
    }

    /// The number of a block.
    pub fn get(&self, id: &BlockId) -> Option<u32> {
        self.table.find(self.hasher.hash_one(id), |slot| self.id(slot) == Some(id))
    }

    /// The block of a number.
    pub fn id(&self, slot: u32) -> Option<&BlockId> {
        self.ids.get(slot as usize)?.as_ref()
    }

    /// The number of a block, a new one if it had none.
    pub fn insert(&mut self, id: &BlockId) -> u32 {
        if let Some(slot) = self.get(id) {
            return slot;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            make_room(&mut self.ids, 1);
            self.ids.push(None);
            u32::try_from(self.ids.len() - 1).expect("a memory in memory has fewer than four billion blocks")
        });
        let (ids, hasher) = (&self.ids, &self.hasher);
        let hash_of = |other: u32| hasher.hash_one(ids[other as usize].as_ref().unwrap_or(id));
        self.table.insert(self.hasher.hash_one(id), slot, hash_of);
        self.ids[slot as usize] = Some(id.clone());
        slot
    }

    /// Takes a block out and tells the number it had, which the next block may get.
    pub fn remove(&mut self, id: &BlockId) -> Option<u32> {
        let slot = self.get(id)?;
        let (ids, hasher) = (&self.ids, &self.hasher);
        let hash_of = |other: u32| hasher.hash_one(ids[other as usize].as_ref().unwrap_or(id));
        self.table.remove(self.hasher.hash_one(id), slot, hash_of);
        self.ids[slot as usize] = None;
        self.free.push(slot);
        Some(slot)
    }

    /// Every numbered block, in the order of the numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &BlockId)> {
        (0..).zip(&self.ids).filter_map(|(slot, id)| Some((slot, id.as_ref()?)))
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<Option<BlockId>>()
            + self.free.capacity() * size_of::<u32>()
            + self.table.bytes()
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
