//! What was stored one after the other.
//!
//! What answers a question is often stored right after what matches it. So blocks of one session, or of one document,
//! are kept in a row: the one before, the one after, and all of the same row are a look away.

use crate::room::widen;

/// Marks a slot that is in no row.
const NO_GROUP: u32 = u32::MAX;

/// Blocks in the order in which they were stored, group by group. A block is in one group at most: sessions, documents
/// and contexts are a `Sequence` each. Groups are numbered by the caller, densely (see [`Names`](crate::Names)).
///
/// Within a group the order key decides, such as the time of creation; where keys are equal, the slot. Cost: 16 bytes a
/// block and 24 a group.
#[derive(Debug, Clone, Default)]
pub struct Sequence {
    /// By slot.
    groups: Vec<u32>,
    /// By slot.
    orders: Vec<i64>,
    /// By group: its slots in order.
    members: Vec<Vec<u32>>,
}

impl Sequence {
    /// No blocks yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// No blocks yet, with room for some.
    pub fn with_capacity(blocks: usize) -> Self {
        Self { groups: Vec::with_capacity(blocks), orders: Vec::with_capacity(blocks), members: Vec::new() }
    }

    /// The group of a block.
    pub fn group_of(&self, slot: u32) -> Option<u32> {
        self.groups.get(slot as usize).copied().filter(|group| *group != NO_GROUP)
    }

    /// The blocks of a group, in order.
    pub fn members(&self, group: u32) -> &[u32] {
        self.members.get(group as usize).map_or(&[], Vec::as_slice)
    }

    /// Puts a block into a group, taking it out of the one it was in. Cheapest at the end.
    pub fn insert(&mut self, slot: u32, group: u32, order: i64) {
        self.remove(slot);
        let at = slot as usize;
        widen(&mut self.groups, at, NO_GROUP);
        widen(&mut self.orders, at, 0);
        if group as usize >= self.members.len() {
            self.members.resize_with(group as usize + 1, Vec::new);
        }
        self.groups[at] = group;
        self.orders[at] = order;
        let (orders, members) = (&self.orders, &mut self.members[group as usize]);
        let is_before = |other: u32| (orders[other as usize], other) < (order, slot);
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
        let last = self.members(group).last().map(|last| self.orders[*last as usize]);
        self.insert(slot, group, last.map_or(0, |order| order.saturating_add(1)));
    }

    /// Takes a block out; false when it was in no group.
    pub fn remove(&mut self, slot: u32) -> bool {
        let Some((group, at)) = self.group_of(slot).zip(self.place(slot).map(|(_, at)| at)) else { return false };
        self.members[group as usize].remove(at);
        self.groups[slot as usize] = NO_GROUP;
        true
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<u32>()
            + self.orders.capacity() * size_of::<i64>()
            + self.members.capacity() * size_of::<Vec<u32>>()
            + self.members.iter().map(|members| members.capacity() * size_of::<u32>()).sum::<usize>()
    }

    /// The group's slots in order, and where a block stands among them.
    pub fn place(&self, slot: u32) -> Option<(&[u32], usize)> {
        let members = self.members(self.group_of(slot)?);
        let key = (self.orders[slot as usize], slot);
        let at = members.binary_search_by_key(&key, |other| (self.orders[*other as usize], *other)).ok()?;
        Some((members, at))
    }
}
