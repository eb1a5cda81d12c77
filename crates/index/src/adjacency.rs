//! Which blocks are linked to which, by slot.
//!
//! An edge is kept at both of its ends. The links of a block lie side by side in one pool that all blocks share: a list
//! of its own for every block would cost 40 bytes before the first link. Links are ordered by neighbour, so what is seen
//! of a graph does not depend on how it came to be.

use crate::pool::Pool;

/// What a link means for recall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LinkKind {
    /// The two belong together in some way.
    #[default]
    Associates,
    /// The two exclude each other: never a reason to recall one for the other.
    Contradicts,
}

/// One end of an edge, as seen from the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Link {
    /// The block at the other end.
    pub neighbour: u32,
    /// How strong it is, what use has added included.
    pub weight: f32,
    /// What it means.
    pub kind: LinkKind,
}

/// The edges of a memory, between slots.
///
/// Cost: some 80 bytes a block with six links.
#[derive(Debug, Clone, Default)]
pub struct Adjacency {
    pool: Pool,
    /// By slot: the weights of its links, contradictions left out, added up.
    degrees: Vec<f32>,
    /// The highest of them, and how many slots have it.
    highest: f32,
    holding_highest: usize,
}

impl Adjacency {
    /// No edges yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.pool.len() / 2
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pool.len() == 0
    }

    /// The links of a block, in the order of its neighbours.
    pub fn neighbours(&self, slot: u32) -> impl ExactSizeIterator<Item = Link> {
        self.pool.links(slot)
    }

    /// The edge between two blocks, as seen from the first.
    pub fn link(&self, from: u32, to: u32) -> Option<Link> {
        self.pool.get(from, to)
    }

    /// The summed weights of a block's links without the contradictions: how central it is.
    pub fn degree(&self, slot: u32) -> f32 {
        self.degrees.get(slot as usize).copied().unwrap_or(0.0)
    }

    /// The highest degree of any block; zero when there are no edges. Known, not searched for.
    pub fn max_degree(&self) -> f32 {
        self.highest
    }

    /// Links two blocks, or changes their edge. A block is not linked to itself.
    ///
    /// The weight is the effective one: what repeated use adds is for the caller to add. What is not a positive number
    /// counts as zero.
    pub fn set(&mut self, a: u32, b: u32, weight: f32, kind: LinkKind) {
        if a == b {
            return;
        }
        let weight = if weight.is_finite() { weight.max(0.0) } else { 0.0 };
        self.pool.set(a, Link { neighbour: b, weight, kind });
        self.pool.set(b, Link { neighbour: a, weight, kind });
        self.weigh(&[a, b]);
    }

    /// Takes the edge between two blocks out; false when there was none.
    pub fn remove(&mut self, a: u32, b: u32) -> bool {
        let here = self.pool.remove(a, b);
        if here {
            self.pool.remove(b, a);
            self.weigh(&[a, b]);
        }
        here
    }

    /// Takes all edges of a block out.
    pub fn remove_block(&mut self, slot: u32) {
        let mut changed: Vec<u32> = self.neighbours(slot).map(|link| link.neighbour).collect();
        for neighbour in &changed {
            self.pool.remove(*neighbour, slot);
        }
        self.pool.clear(slot);
        changed.push(slot);
        self.weigh(&changed);
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.pool.bytes() + self.degrees.capacity() * size_of::<f32>()
    }

    /// Adds the degrees of some blocks up anew. Adding and subtracting the differences would be quicker and drift.
    fn weigh(&mut self, slots: &[u32]) {
        for slot in slots {
            let associations = self.neighbours(*slot).filter(|link| link.kind == LinkKind::Associates);
            let degree = associations.map(|link| f64::from(link.weight)).sum::<f64>() as f32;
            let at = *slot as usize;
            if at >= self.degrees.len() {
                self.degrees.resize(at + 1, 0.0);
            }
            let before = std::mem::replace(&mut self.degrees[at], degree);
            if degree > self.highest {
                (self.highest, self.holding_highest) = (degree, 1);
            } else if degree != before {
                self.holding_highest += usize::from(degree == self.highest);
                self.holding_highest -= usize::from(before == self.highest && self.holding_highest > 0);
            }
        }
        if self.holding_highest == 0 {
            self.highest = self.degrees.iter().copied().fold(0.0, f32::max);
            self.holding_highest = self.degrees.iter().filter(|degree| **degree == self.highest).count();
        }
    }
}
