//! Projection of links to edges: recall and visualisations traverse edges, so linked blocks get
//! one.

use elfmem_core::eviction::eviction_candidate;
use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, Link, LinkEnd};
use elfmem_store::{LinkQuery, Snapshot, Transaction};

use crate::Result;
use crate::connect::degree_cap;
use crate::moment::Moment;
use crate::trust::may_join;

/// Updates the edge between two blocks to match their strongest link, or deletes it if no link is
/// left. Edges of agents and outcomes are left unchanged. No edge is added to a block at the degree
/// cap whose edges are all protected.
pub(super) fn project(transaction: &mut dyn Transaction, moment: &Moment, a: &BlockId, b: &BlockId) -> Result<()> {
    let Some(key) = EdgeKey::canonical(a, b) else { return Ok(()) };
    let strongest = strongest(&*transaction, a, b)?;
    let known = transaction.get_edge(&key)?;
    let ours = |edge: &Edge| edge.origin == EdgeOrigin::LINK;
    match (strongest, known) {
        (None, Some(edge)) if ours(&edge) => {
            transaction.delete_edge(&key)?;
        }
        (Some(link), Some(edge)) if ours(&edge) || edge.is_machine_made() => {
            let weight = edge.weight;
            let mut edge = with_link(&link, Edge { origin: EdgeOrigin::LINK, ..edge });
            if weight > edge.weight {
                edge.weight = weight;
            }
            transaction.put_edge(&edge)?;
        }
        (Some(link), None) => insert_projected_edge(transaction, moment, &link, key)?,
        _ => {}
    }
    Ok(())
}

/// Inserts the edge of a link if both blocks are live and below the degree cap.
fn insert_projected_edge(transaction: &mut dyn Transaction, moment: &Moment, link: &Link, key: EdgeKey) -> Result<()> {
    let ends = transaction.get_blocks(&[key.from_id.clone(), key.to_id.clone()])?;
    // A link is said by the block it comes from.
    let from = ends.iter().find(|block| Some(&block.id) == link.key.from.block());
    let speaker = from.map_or(moment.speaker, |from| moment.trust.trust_of(from));
    if !may_join(moment, speaker, &ends) {
        return Ok(());
    }
    if are_live(&*transaction, &key)? && make_room(transaction, &key)? {
        let (relation, _) = link.key.link_type.projected();
        let mut edge = with_link(link, Edge::new(key, relation, EdgeOrigin::LINK, moment.at));
        edge.last_active_hours = Some(moment.hours);
        transaction.insert_edge(&edge)?;
    }
    Ok(())
}

/// Returns the strongest link between two blocks, and the newest of equally strong ones.
fn strongest(snapshot: &dyn Snapshot, a: &BlockId, b: &BlockId) -> Result<Option<Link>> {
    let ends = Some([a, b].map(|id| LinkEnd::from(id.clone())).to_vec());
    let links = snapshot.list_links(&LinkQuery { from: ends.clone(), to: ends, ..LinkQuery::default() })?;
    Ok(links.into_iter().max_by_key(|link| (link.key.link_type, link.sequence)))
}

/// Returns the edge with the relation, weight and direction of a link.
fn with_link(link: &Link, edge: Edge) -> Edge {
    let (relation_type, weight) = link.key.link_type.projected();
    Edge { relation_type, weight, asserted_from: link.key.from.block().cloned(), ..edge }
}

fn are_live(snapshot: &dyn Snapshot, key: &EdgeKey) -> Result<bool> {
    let statuses = snapshot.get_statuses(&[key.from_id.clone(), key.to_id.clone()])?;
    Ok(statuses.len() == 2 && statuses.values().all(|status| *status != BlockStatus::Archived))
}

/// Evicts an edge at each end that is at the degree cap. Returns false, and evicts nothing, if that
/// is not possible.
fn make_room(transaction: &mut dyn Transaction, key: &EdgeKey) -> Result<bool> {
    let cap = degree_cap(&*transaction)?;
    let mut evicted = Vec::new();
    for end in [&key.from_id, &key.to_id] {
        let edges = transaction.get_edges_for_block(end)?;
        if edges.len() >= cap {
            let Some(edge) = eviction_candidate(&edges) else { return Ok(false) };
            evicted.push(edge.key.clone());
        }
    }
    for key in evicted {
        transaction.delete_edge(&key)?;
    }
    Ok(true)
}
