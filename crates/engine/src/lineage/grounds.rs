//! The bonds between blocks, and following them.

use std::collections::{HashSet, VecDeque};

use elfmem_core::{Block, BlockId, Edge, EdgeOrigin, LinkEnd, LinkKey, LinkType, UntrustedSources};
use elfmem_store::{LinkQuery, Snapshot};

use super::Rest;
use crate::Result;

/// Which way a bond is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// To what a block rests on.
    Down,
    /// To what rests on it.
    Up,
}

/// One bond of a block.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bond {
    pub(super) other: BlockId,
    pub(super) how: String,
    pub(super) way: Way,
    /// Whether the upper one says something only because of the lower one: it falls with it.
    pub(super) derives: bool,
}

/// Tells the bonds of a block that are of one kind.
type Provider = fn(&dyn Snapshot, &Block) -> Result<Vec<Bond>>;

/// Every kind of bond there is.
const PROVIDERS: [Provider; 3] = [succession, assertions, statements];

/// All bonds of a block.
pub(super) fn bonds(snapshot: &dyn Snapshot, block: &Block) -> Result<Vec<Bond>> {
    let mut all = Vec::new();
    for provider in PROVIDERS {
        all.extend(provider(snapshot, block)?);
    }
    Ok(all)
}

/// A block inherits from those whose place it took. It says what it says by itself, so it does not fall with them.
fn succession(snapshot: &dyn Snapshot, block: &Block) -> Result<Vec<Bond>> {
    let bond = |other: BlockId, way: Way| Bond { other, how: "took_the_place_of".to_owned(), way, derives: false };
    let kin = snapshot.get_blocks(&snapshot.get_lineage(&block.id)?)?;
    let older = kin.into_iter().filter(|older| older.superseded_by.as_ref() == Some(&block.id));
    let mut bonds: Vec<Bond> = older.map(|older| bond(older.id, Way::Down)).collect();
    bonds.extend(block.superseded_by.clone().map(|heir| bond(heir, Way::Up)));
    Ok(bonds)
}

/// Edges that someone asserted, in the direction in which they were.
fn assertions(snapshot: &dyn Snapshot, block: &Block) -> Result<Vec<Bond>> {
    let edges = snapshot.get_edges_for_block(&block.id)?;
    Ok(edges.into_iter().filter_map(|edge| asserted(edge, &block.id)).collect())
}

fn asserted(edge: Edge, own: &BlockId) -> Option<Bond> {
    // An edge that stands for a link is told by the link.
    if edge.origin == EdgeOrigin::LINK {
        return None;
    }
    let from_here = edge.asserted_from.as_ref()? == own;
    let how = edge.relation_type.as_str();
    // What supports something is below it; what is made of something or adds to it is above it.
    let (way, derives) = match how {
        "supports" | "reinforces" => (if from_here { Way::Up } else { Way::Down }, false),
        "derived_from" | "extends" | "elaborates" => (if from_here { Way::Down } else { Way::Up }, true),
        _ => return None,
    };
    Some(Bond { other: edge.key.other(own).clone(), how: how.to_owned(), way, derives })
}

/// Links between blocks, by their own names.
fn statements(snapshot: &dyn Snapshot, block: &Block) -> Result<Vec<Bond>> {
    let own = || Some(vec![LinkEnd::from(block.id.clone())]);
    let mut links = snapshot.list_links(&LinkQuery { from: own(), ..LinkQuery::default() })?;
    links.extend(snapshot.list_links(&LinkQuery { to: own(), ..LinkQuery::default() })?);
    Ok(links.iter().filter_map(|link| stated(&link.key, &block.id)).collect())
}

fn stated(key: &LinkKey, own: &BlockId) -> Option<Bond> {
    let (from, to) = (key.from.block()?, key.to.block()?);
    let from_here = from == own;
    let (way, derives) = match key.link_type {
        LinkType::Reinforces => (if from_here { Way::Up } else { Way::Down }, false),
        LinkType::DerivedFrom | LinkType::Extends => (if from_here { Way::Down } else { Way::Up }, true),
        LinkType::RelatedTo | LinkType::Contradicts => return None,
    };
    let other = if from_here { to } else { from }.clone();
    Some(Bond { other, how: key.link_type.as_str().to_owned(), way, derives })
}

/// The furthest that bonds are followed, and the most blocks that are told.
const FURTHEST: usize = 16;
const MOST: usize = 500;

/// Everything that can be reached from a block one way, the nearest first.
pub(super) fn reached(
    snapshot: &dyn Snapshot,
    untrusted: &UntrustedSources,
    block: &Block,
    way: Way,
) -> Result<Vec<Rest>> {
    let mut seen: HashSet<BlockId> = HashSet::from([block.id.clone()]);
    let mut waiting = VecDeque::from([(block.clone(), 0)]);
    let mut found = Vec::new();
    while let Some((at, steps)) = waiting.pop_front() {
        for bond in bonds(snapshot, &at)?.into_iter().filter(|bond| bond.way == way) {
            if found.len() == MOST || !seen.insert(bond.other.clone()) {
                continue;
            }
            let Some(other) = snapshot.get_block(&bond.other)? else { continue };
            found.push(Rest {
                block_id: other.id.clone(),
                content: other.content.clone(),
                status: other.status,
                how: bond.how,
                through: (steps > 0).then(|| at.id.clone()),
                steps: steps + 1,
                source: other.source.clone(),
                brought_by: other.brought_by.clone(),
                trusted: !untrusted.distrust(&other),
            });
            if steps + 1 < FURTHEST {
                waiting.push_back((other, steps + 1));
            }
        }
    }
    Ok(found)
}
