//! Short sorted lists of links that share their room.
//!
//! A list that outgrows its room moves to a larger one, and the old room goes to the next list of that size. Neighbour,
//! weight and kind lie in three columns: nine bytes a link instead of twelve.

use crate::adjacency::{Link, LinkKind};

/// The sizes of rooms. Beyond the last, a room is half as large again as it was.
const ROOMS: [u32; 12] = [2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

/// Where the links of a slot lie.
#[derive(Debug, Clone, Copy, Default)]
struct Room {
    start: u32,
    used: u32,
    size: u32,
}

/// The links of all slots.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pool {
    rooms: Vec<Room>,
    neighbours: Vec<u32>,
    weights: Vec<f32>,
    kinds: Vec<LinkKind>,
    /// Rooms that nobody uses, by size.
    free: std::collections::BTreeMap<u32, Vec<u32>>,
    used: usize,
}

impl Pool {
    /// How many links there are.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// The links of a slot, in the order of the neighbours.
    pub(crate) fn links(&self, slot: u32) -> impl ExactSizeIterator<Item = Link> {
        let Room { start, used, .. } = self.room(slot);
        let range = start as usize..(start + used) as usize;
        let columns = self.neighbours[range.clone()].iter().zip(&self.weights[range.clone()]).zip(&self.kinds[range]);
        columns.map(|((neighbour, weight), kind)| Link { neighbour: *neighbour, weight: *weight, kind: *kind })
    }

    /// One link of a slot.
    pub(crate) fn get(&self, slot: u32, neighbour: u32) -> Option<Link> {
        let at = self.search(slot, neighbour).ok()?;
        Some(Link { neighbour, weight: self.weights[at], kind: self.kinds[at] })
    }

    /// Adds a link to a slot, or changes the one to the same neighbour.
    pub(crate) fn set(&mut self, slot: u32, link: Link) {
        if slot as usize >= self.rooms.len() {
            self.rooms.resize(slot as usize + 1, Room::default());
        }
        let at = self.search(slot, link.neighbour).unwrap_or_else(|_| self.open(slot, link.neighbour));
        self.neighbours[at] = link.neighbour;
        self.weights[at] = link.weight;
        self.kinds[at] = link.kind;
    }

    /// Takes a link of a slot out; false when there was none.
    pub(crate) fn remove(&mut self, slot: u32, neighbour: u32) -> bool {
        let Ok(at) = self.search(slot, neighbour) else { return false };
        let Room { start, used, .. } = self.room(slot);
        self.shift(at + 1..(start + used) as usize, at);
        self.rooms[slot as usize].used -= 1;
        self.used -= 1;
        if used == 1 {
            self.clear(slot);
        }
        true
    }

    /// Takes all links of a slot out.
    pub(crate) fn clear(&mut self, slot: u32) {
        let Some(room) = self.rooms.get_mut(slot as usize).map(std::mem::take) else { return };
        self.used -= room.used as usize;
        self.give_back(room);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.rooms.capacity() * size_of::<Room>()
            + self.neighbours.capacity() * size_of::<u32>()
            + self.weights.capacity() * size_of::<f32>()
            + self.kinds.capacity() * size_of::<LinkKind>()
            + self.free.values().map(|rooms| rooms.capacity() * size_of::<u32>()).sum::<usize>()
    }

    fn room(&self, slot: u32) -> Room {
        self.rooms.get(slot as usize).copied().unwrap_or_default()
    }

    /// Where the link to a neighbour lies, or would lie.
    fn search(&self, slot: u32, neighbour: u32) -> Result<usize, usize> {
        let Room { start, used, .. } = self.room(slot);
        let found = self.neighbours[start as usize..(start + used) as usize].binary_search(&neighbour);
        found.map(|at| at + start as usize).map_err(|at| at + start as usize)
    }

    /// Makes a place for a link, in a larger room if need be.
    fn open(&mut self, slot: u32, neighbour: u32) -> usize {
        let room = self.room(slot);
        if room.used == room.size {
            let roomier = self.take(room.size);
            let old = room.start as usize..(room.start + room.used) as usize;
            self.shift(old, roomier.start as usize);
            self.rooms[slot as usize] = Room { used: room.used, ..roomier };
            self.give_back(room);
        }
        let at = self.search(slot, neighbour).unwrap_or_else(|at| at);
        let Room { start, used, .. } = self.room(slot);
        self.shift(at..(start + used) as usize, at + 1);
        self.rooms[slot as usize].used += 1;
        self.used += 1;
        at
    }

    /// An empty room larger than `size`.
    fn take(&mut self, size: u32) -> Room {
        let size = ROOMS.into_iter().find(|room| *room > size).unwrap_or(size / 2 * 3);
        if let Some(start) = self.free.get_mut(&size).and_then(Vec::pop) {
            return Room { start, used: 0, size };
        }
        let start = u32::try_from(self.neighbours.len()).expect("a memory in memory has fewer than four billion links");
        let end = start as usize + size as usize;
        self.neighbours.resize(end, 0);
        self.weights.resize(end, 0.0);
        self.kinds.resize(end, LinkKind::default());
        Room { start, used: 0, size }
    }

    fn give_back(&mut self, room: Room) {
        if room.size > 0 {
            self.free.entry(room.size).or_default().push(room.start);
        }
    }

    /// Moves links within the pool.
    fn shift(&mut self, links: std::ops::Range<usize>, to: usize) {
        self.neighbours.copy_within(links.clone(), to);
        self.weights.copy_within(links.clone(), to);
        self.kinds.copy_within(links, to);
    }
}
