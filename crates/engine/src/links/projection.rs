//! The edge that stands for the links between two blocks, where recall and pictures walk along edges.

use elfmem_core::eviction::{DEGREE_CAP, eviction_candidate};
use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, Link, LinkEnd};
use elfmem_store::{LinkQuery, Snapshot, Transaction};

use crate::Result;
use crate::moment::Moment;

/// Brings the edge between two blocks in step with the links between them: the strongest link says what it says, and it goes
/// when none is left. What an agent or an outcome asserted stays as it is. A block that is full of such edges gets none: the
/// links stand all the same.
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
            let mut edge = standing_for(&link, Edge { origin: EdgeOrigin::LINK, ..edge });
            if weight > edge.weight {
                edge.weight = weight;
            }
            transaction.put_edge(&edge)?;
        }
        (Some(link), None) => stand_for(transaction, moment, &link, key)?,
        _ => {}
    }
    Ok(())
}

/// Makes the edge of a link where there is none, if both blocks live and have room for it.
fn stand_for(transaction: &mut dyn Transaction, moment: &Moment, link: &Link, key: EdgeKey) -> Result<()> {
    if are_living(&*transaction, &key)? && make_room(transaction, &key)? {
        let (relation, _) = link.key.link_type.projected();
        let mut edge = standing_for(link, Edge::new(key, relation, EdgeOrigin::LINK, moment.at));
        edge.last_active_hours = Some(moment.hours);
        transaction.insert_edge(&edge)?;
    }
    Ok(())
}

/// The link between two blocks with the strongest effect, the latest of equals.
fn strongest(snapshot: &dyn Snapshot, a: &BlockId, b: &BlockId) -> Result<Option<Link>> {
    let ends = Some([a, b].map(|id| LinkEnd::from(id.clone())).to_vec());
    let links = snapshot.list_links(&LinkQuery { from: ends.clone(), to: ends, ..LinkQuery::default() })?;
    Ok(links.into_iter().max_by_key(|link| (link.key.link_type, link.sequence)))
}

/// An edge with what the link says.
fn standing_for(link: &Link, edge: Edge) -> Edge {
    let (relation_type, weight) = link.key.link_type.projected();
    Edge { relation_type, weight, asserted_from: link.key.from.block().cloned(), ..edge }
}

fn are_living(snapshot: &dyn Snapshot, key: &EdgeKey) -> Result<bool> {
    let statuses = snapshot.get_statuses(&[key.from_id.clone(), key.to_id.clone()])?;
    Ok(statuses.len() == 2 && statuses.values().all(|status| *status != BlockStatus::Archived))
}

/// Lets an edge give way at each end that is full; whether there is room now. Nothing gives way when there would be none.
fn make_room(transaction: &mut dyn Transaction, key: &EdgeKey) -> Result<bool> {
    let mut giving_way = Vec::new();
    for end in [&key.from_id, &key.to_id] {
        let edges = transaction.get_edges_for_block(end)?;
        if edges.len() >= DEGREE_CAP {
            let Some(edge) = eviction_candidate(&edges) else { return Ok(false) };
            giving_way.push(edge.key.clone());
        }
    }
    for key in giving_way {
        transaction.delete_edge(&key)?;
    }
    Ok(true)
}
