//! The edges of blocks by slot, loaded block by block.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use crate::chunked::ChunkedVec;

/// Blocks that stop being shared together when the edges of one of them change.
const CHUNK: usize = 256;

/// What a link means for recall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AdjacentEdgeKind {
    /// The two blocks belong together in some way.
    #[default]
    Associates,
    /// The two blocks exclude each other: never a reason to recall one for the other.
    Contradicts,
}

/// One end of an edge, as seen from the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AdjacentEdge {
    /// The block at the other end.
    pub neighbour: u32,
    /// The strength of the edge, with what use has added.
    pub weight: f32,
    /// What the edge means.
    pub kind: AdjacentEdgeKind,
}

/// All links of one block.
#[derive(Debug, Default)]
pub struct AdjacencyList {
    degree: f32,
    links: Box<[AdjacentEdge]>,
}

impl AdjacencyList {
    /// Creates a list, ordered by neighbour. Of several links to one neighbour the last stays. A weight that is not a
    /// positive number counts as zero.
    pub fn new(links: impl IntoIterator<Item = AdjacentEdge>) -> Self {
        let mut links: Vec<AdjacentEdge> = links.into_iter().collect();
        for link in &mut links {
            link.weight = if link.weight.is_finite() { link.weight.max(0.0) } else { 0.0 };
        }
        links.reverse();
        links.sort_by_key(|link| link.neighbour);
        links.dedup_by_key(|link| link.neighbour);
        let associations = links.iter().filter(|link| link.kind == AdjacentEdgeKind::Associates);
        let degree = associations.map(|link| f64::from(link.weight)).sum::<f64>() as f32;
        Self { degree, links: links.into() }
    }

    /// Returns the links in the order of their neighbours.
    pub fn links(&self) -> &[AdjacentEdge] {
        &self.links
    }

    /// Returns the link to a neighbour.
    pub fn get(&self, neighbour: u32) -> Option<&AdjacentEdge> {
        let at = self.links.binary_search_by_key(&neighbour, |link| link.neighbour).ok()?;
        self.links.get(at)
    }

    /// Returns the summed weights of all links but contradictions: how central the block is.
    pub fn degree(&self) -> f32 {
        self.degree
    }
}

/// The links of the blocks that were asked about.
///
/// Lists are added through a shared reference, and seen by clones that share the chunk. Cost: 16 bytes a block, and for
/// each loaded list 64 bytes and 12 a link.
#[derive(Debug, Clone, Default)]
pub struct Adjacency {
    lists: ChunkedVec<OnceLock<Arc<AdjacencyList>>, CHUNK>,
}

impl Adjacency {
    /// Creates an adjacency without loaded lists.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes places for the slots below `bound`. Lists of other slots cannot be [added](Self::add).
    pub fn grow_to(&mut self, bound: usize) {
        self.lists.grow_to(bound);
    }

    /// Returns the links of a block, if they are loaded.
    pub fn get(&self, slot: u32) -> Option<&AdjacencyList> {
        self.lists.get(slot as usize)?.get().map(|list| &**list)
    }

    /// Adds the links of a block; a list that is there stays.
    pub fn add(&self, slot: u32, list: AdjacencyList) {
        if let Some(place) = self.lists.get(slot as usize) {
            place.get_or_init(|| Arc::new(list));
        }
    }

    /// Removes the links of a block. What readers of an older clone still add does not come back.
    pub fn clear(&mut self, slot: u32) {
        self.lists.set(slot as usize, OnceLock::new());
    }

    /// Removes blocks: their own lists, and every list with a link to one of them. Cost: one pass over all loaded lists.
    pub fn remove_blocks(&mut self, removed: &HashSet<u32>) {
        let points_to_removed = |list: &AdjacencyList| list.links.iter().any(|link| removed.contains(&link.neighbour));
        let lists = (0..).zip(self.lists.chunks().flatten());
        let stale = lists.filter(|(_, list)| list.get().is_some_and(|list| points_to_removed(list)));
        let stale: Vec<u32> = stale.map(|(slot, _)| slot).chain(removed.iter().copied()).collect();
        stale.into_iter().for_each(|slot| self.clear(slot));
    }

    /// Returns the size on the heap.
    pub fn bytes(&self) -> usize {
        let lists = self.lists.chunks().flatten().filter_map(OnceLock::get);
        let list =
            |list: &Arc<AdjacencyList>| size_of::<AdjacencyList>() + 2 * size_of::<usize>() + size_of_val(&*list.links);
        self.lists.bytes() + lists.map(list).sum::<usize>()
    }
}
