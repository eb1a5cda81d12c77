//! Dependencies between blocks, and their traversal.

use std::collections::{HashSet, VecDeque};

use elfmem_core::{Block, BlockId, Edge, EdgeOrigin, LinkEnd, LinkKey, LinkType, TrustPolicy};
use elfmem_store::{LinkQuery, Snapshot};

use super::LineageBlock;
use crate::Result;

/// The direction of a dependency, seen from one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DependencyDirection {
    /// The other block is a source of this one.
    Sources,
    /// The other block depends on this one.
    Dependents,
}

/// A dependency between a block and another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dependency {
    pub(super) other: BlockId,
    pub(super) how: String,
    pub(super) direction: DependencyDirection,
    /// Whether the dependent is derived from the source, so that it is retracted with it.
    pub(super) is_derivation: bool,
}

/// Returns the dependencies of a block that are of one kind.
type Provider = fn(&dyn Snapshot, &Block) -> Result<Vec<Dependency>>;

/// The providers of all kinds of dependencies.
const PROVIDERS: [Provider; 3] = [from_succession, from_edges, from_links];

/// Returns all dependencies of a block.
pub(super) fn dependencies(snapshot: &dyn Snapshot, block: &Block) -> Result<Vec<Dependency>> {
    let mut all = Vec::new();
    for provider in PROVIDERS {
        all.extend(provider(snapshot, block)?);
    }
    Ok(all)
}

/// Returns the predecessors and the successor of a block. A successor has a text of its own, so it
/// is not derived.
fn from_succession(snapshot: &dyn Snapshot, block: &Block) -> Result<Vec<Dependency>> {
    let dependency = |other: BlockId, direction: DependencyDirection| Dependency {
        other,
        how: "took_the_place_of".to_owned(),
        direction,
        is_derivation: false,
    };
    let kin = snapshot.get_blocks(&snapshot.get_lineage(&block.id)?)?;
    let older = kin.into_iter().filter(|older| older.superseded_by.as_ref() == Some(&block.id));
    let mut found: Vec<Dependency> = older.map(|older| dependency(older.id, DependencyDirection::Sources)).collect();
    found.extend(block.superseded_by.clone().map(|successor| dependency(successor, DependencyDirection::Dependents)));
    Ok(found)
}

/// Returns the dependencies asserted by edges.
fn from_edges(snapshot: &dyn Snapshot, block: &Block) -> Result<Vec<Dependency>> {
    let edges = snapshot.get_edges_for_block(&block.id)?;
    Ok(edges.into_iter().filter_map(|edge| edge_dependency(edge, &block.id)).collect())
}

fn edge_dependency(edge: Edge, own: &BlockId) -> Option<Dependency> {
    // The projection of a link: `from_links` returns it.
    if edge.origin == EdgeOrigin::LINK {
        return None;
    }
    let from_here = edge.asserted_from.as_ref()? == own;
    let how = edge.relation_type.as_str();
    let (direction, is_derivation) = match how {
        "supports" | "reinforces" => (direction_if_source(from_here), false),
        "derived_from" | "extends" | "elaborates" => (direction_if_source(!from_here), true),
        _ => return None,
    };
    Some(Dependency { other: edge.key.other(own).clone(), how: how.to_owned(), direction, is_derivation })
}

/// Returns the direction of a dependency in which this block is, or is not, the source.
fn direction_if_source(is_source: bool) -> DependencyDirection {
    if is_source { DependencyDirection::Dependents } else { DependencyDirection::Sources }
}

/// Returns the dependencies stated by links.
fn from_links(snapshot: &dyn Snapshot, block: &Block) -> Result<Vec<Dependency>> {
    let own = || Some(vec![LinkEnd::from(block.id.clone())]);
    let mut links = snapshot.list_links(&LinkQuery { from: own(), ..LinkQuery::default() })?;
    links.extend(snapshot.list_links(&LinkQuery { to: own(), ..LinkQuery::default() })?);
    Ok(links.iter().filter_map(|link| link_dependency(&link.key, &block.id)).collect())
}

fn link_dependency(key: &LinkKey, own: &BlockId) -> Option<Dependency> {
    let (from, to) = (key.from.block()?, key.to.block()?);
    let from_here = from == own;
    let (direction, is_derivation) = match key.link_type {
        LinkType::Reinforces => (direction_if_source(from_here), false),
        LinkType::DerivedFrom | LinkType::Extends => (direction_if_source(!from_here), true),
        LinkType::RelatedTo | LinkType::Contradicts => return None,
    };
    let other = if from_here { to } else { from }.clone();
    Some(Dependency { other, how: key.link_type.as_str().to_owned(), direction, is_derivation })
}

/// Maximum number of steps to follow.
const MAX_STEPS: usize = 16;
/// Maximum number of blocks to return.
const MAX_BLOCKS: usize = 500;

/// Returns all blocks reachable from a block in one direction, nearest first.
pub(super) fn reachable(
    snapshot: &dyn Snapshot,
    trust: &TrustPolicy,
    block: &Block,
    direction: DependencyDirection,
) -> Result<Vec<LineageBlock>> {
    let mut seen: HashSet<BlockId> = HashSet::from([block.id.clone()]);
    let mut waiting = VecDeque::from([(block.clone(), 0)]);
    let mut found = Vec::new();
    while let Some((at, steps)) = waiting.pop_front() {
        for dependency in dependencies(snapshot, &at)?.into_iter().filter(|one| one.direction == direction) {
            if found.len() == MAX_BLOCKS || !seen.insert(dependency.other.clone()) {
                continue;
            }
            let Some(other) = snapshot.get_block(&dependency.other)? else { continue };
            found.push(LineageBlock {
                block_id: other.id.clone(),
                content: other.content.clone(),
                status: other.status,
                how: dependency.how,
                through: (steps > 0).then(|| at.id.clone()),
                steps: steps + 1,
                source: other.source.clone(),
                brought_by: other.brought_by.clone(),
                trusted: trust.trusts(&other),
            });
            if steps + 1 < MAX_STEPS {
                waiting.push_back((other, steps + 1));
            }
        }
    }
    Ok(found)
}
