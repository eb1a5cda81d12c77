//! The `follows` edges between consecutive blocks of a document.

use std::collections::HashSet;

use elfmem_core::{Block, BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, Relation, Trust};
use elfmem_store::{Snapshot, Transaction};

use crate::Result;
use crate::connect::degree_cap;
use crate::moment::Moment;
use crate::trust::may_join;

/// Connects consecutive blocks as far as there is room. Returns the number of new edges.
pub(super) fn join(transaction: &mut dyn Transaction, moment: &Moment, ids: &[BlockId]) -> Result<usize> {
    let mut created = 0;
    let mut previous: Option<(&BlockId, bool)> = None;
    for id in ids {
        // A text that returns again and again (a heading, a line) would be next to everything.
        let joins = may_be_joined(&*transaction, moment, id)?;
        let before = previous.replace((id, joins));
        let key = before.filter(|(_, before_joins)| *before_joins && joins);
        if let Some(key) = key.and_then(|(before, _)| EdgeKey::canonical(before, id))
            && has_room(&*transaction, &key)?
        {
            let edge = Edge::new(key, Relation::FOLLOWS, EdgeOrigin::DOCUMENT, moment.at);
            created += usize::from(transaction.insert_edge(&edge)?);
        }
    }
    Ok(created)
}

/// Removes the edges between blocks of the earlier version that are not consecutive any more.
pub(crate) fn separate(transaction: &mut dyn Transaction, before: &[Block], after: &[BlockId]) -> Result<()> {
    let kept: HashSet<EdgeKey> = after.windows(2).filter_map(|pair| EdgeKey::canonical(&pair[0], &pair[1])).collect();
    for pair in before.windows(2) {
        let Some(key) = EdgeKey::canonical(&pair[0].id, &pair[1].id).filter(|key| !kept.contains(key)) else {
            continue;
        };
        let stale = transaction.get_edge(&key)?;
        if stale.is_some_and(|edge| edge.origin == EdgeOrigin::DOCUMENT && edge.relation_type == Relation::FOLLOWS) {
            transaction.delete_edge(&key)?;
        }
    }
    Ok(())
}

/// Whether a block may be joined with those around it: not an archived one, and not a trusted one by an untrusted document.
fn may_be_joined(transaction: &dyn Transaction, moment: &Moment, id: &BlockId) -> Result<bool> {
    let Some(block) = transaction.get_block(id)? else { return Ok(false) };
    let is_live = block.status != BlockStatus::Archived;
    Ok(is_live && (moment.speaker == Trust::Owner || may_join(moment, moment.speaker, &[block])))
}

/// Whether both ends have fewer edges than they may have.
pub(crate) fn has_room(snapshot: &(impl Snapshot + ?Sized), key: &EdgeKey) -> Result<bool> {
    let degrees = snapshot.get_degrees(&[key.from_id.clone(), key.to_id.clone()])?;
    let cap = degree_cap(snapshot)?;
    Ok(degrees.values().all(|degree| *degree < cap))
}
