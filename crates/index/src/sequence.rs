//! The order in which blocks were stored, by session or document.
//!
//! What answers a question is often stored right after what matches it. So the blocks of one session, or of one
//! document, are kept in order, and the neighbours of a block are found by one binary search.

use crate::chunked::ChunkedVec;

/// Blocks, and groups, that are copied together when a shared sequence is written to.
const CHUNK: usize = 1024;
const GROUP_CHUNK: usize = 64;

/// Blocks in the order in which they were stored, by group. A block is in at most one group.
///
/// Groups are numbered by the caller, densely (see [`Interner`](crate::Interner)). Within a group the order key decides,
/// such as the time of creation; equal keys are ordered by slot. Cost: 20 bytes a block and 24 a group.
#[derive(Debug, Clone, Default)]
pub struct Sequence {
    /// By slot: its group plus one, zero for none.
    groups: ChunkedVec<u32, CHUNK>,
    /// By slot: its order key.
    orders: ChunkedVec<i64, CHUNK>,
    /// By group: its slots in order.
    members: ChunkedVec<Vec<u32>, GROUP_CHUNK>,
}

impl Sequence {
    /// Creates an empty sequence.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty sequence with room for some blocks.
    pub fn with_capacity(blocks: usize) -> Self {
        let mut sequence = Self::default();
        sequence.groups.grow_to(blocks);
        sequence.orders.grow_to(blocks);
        sequence
    }

    /// Returns the group of a block.
    pub fn group_of(&self, slot: u32) -> Option<u32> {
        self.groups.get(slot as usize)?.checked_sub(1)
    }

    /// Returns the blocks of a group in order.
    pub fn members(&self, group: u32) -> &[u32] {
        self.members.get(group as usize).map_or(&[], Vec::as_slice)
    }

    /// Puts a block into a group, and removes it from the one it was in. Appending is cheapest.
    pub fn insert(&mut self, slot: u32, group: u32, order: i64) {
        self.remove(slot);
        self.groups.set(slot as usize, group + 1);
        self.orders.set(slot as usize, order);
        let (orders, members) = (&self.orders, self.members.get_mut(group as usize));
        let is_before = |other: u32| (order_of(orders, other), other) < (order, slot);
        if members.last().is_none_or(|last| is_before(*last)) {
            members.push(slot);
        } else {
            let place = members.partition_point(|other| is_before(*other));
            members.insert(place, slot);
        }
    }

    /// Puts a block at the end of a group.
    pub fn append(&mut self, slot: u32, group: u32) {
        self.remove(slot);
        let last = self.members(group).last().map(|last| order_of(&self.orders, *last));
        self.insert(slot, group, last.map_or(0, |order| order.saturating_add(1)));
    }

    /// Removes a block from its group; returns whether it was in one.
    pub fn remove(&mut self, slot: u32) -> bool {
        let Some((group, at)) = self.group_of(slot).zip(self.place(slot).map(|(_, at)| at)) else { return false };
        self.members.get_mut(group as usize).remove(at);
        self.groups.set(slot as usize, 0);
        true
    }

    /// Returns the members of a block's group in order, and the position of the block among them.
    pub fn place(&self, slot: u32) -> Option<(&[u32], usize)> {
        let members = self.members(self.group_of(slot)?);
        let key = (order_of(&self.orders, slot), slot);
        let at = members.binary_search_by_key(&key, |other| (order_of(&self.orders, *other), *other)).ok()?;
        Some((members, at))
    }

    /// Returns the size on the heap.
    pub fn bytes(&self) -> usize {
        let members = self.members.chunks().flatten().map(|members| members.capacity() * size_of::<u32>());
        self.groups.bytes() + self.orders.bytes() + self.members.bytes() + members.sum::<usize>()
    }
}

fn order_of(orders: &ChunkedVec<i64, CHUNK>, slot: u32) -> i64 {
    orders.get(slot as usize).copied().unwrap_or_default()
}
