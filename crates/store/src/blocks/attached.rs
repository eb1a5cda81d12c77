//! Removing what is attached to a block.

use elfmem_core::{BlockId, Link, LinkEffect, OutcomeRecord};

use super::WriteBlocks;
use crate::rows::{RowKey, delete_recorded, get, list, missing};
use crate::{BlockRow, Contradiction, Enrolment, Internal, Proposal, Result, Row};

/// Removes a block. Visible rows that belong to it are removed one by one, for the journal; the store removes the others with it.
pub(super) fn delete(rows: &mut (impl WriteBlocks + ?Sized), id: &BlockId) -> Result<()> {
    let key = RowKey::Block(id.clone());
    let BlockRow { block, vector, .. } = get(rows, &key)?.ok_or_else(|| missing("block", id))?;
    detach_from_graph(rows, id)?;
    delete_all::<Proposal>(rows, id, Row::Proposal)?;
    delete_all::<OutcomeRecord>(rows, id, Row::Outcome)?;
    delete_all::<Enrolment>(rows, id, Row::Enrolment)?;
    delete_all::<LinkEffect>(rows, id, Row::Effect)?;
    delete_all::<Link>(rows, id, Row::Link)?;
    rows.delete_row(&key, Internal(()))?;
    rows.recorder(Internal(())).record_removed_block(&block, vector.as_deref());
    Ok(())
}

/// Removes the edges and contradictions of a block.
pub(super) fn detach_from_graph(rows: &mut (impl WriteBlocks + ?Sized), id: &BlockId) -> Result<()> {
    for edge in rows.get_edges_for_block(id)? {
        rows.remove_edge(&edge)?;
    }
    delete_all::<Contradiction>(rows, id, Row::Contradiction)
}

fn delete_all<T: crate::rows::RowValue + Clone>(
    rows: &mut (impl WriteBlocks + ?Sized),
    id: &BlockId,
    row: impl Fn(T) -> Row,
) -> Result<()> {
    for value in list::<T>(rows, Some(std::slice::from_ref(id)), |_| true)? {
        delete_recorded(rows, &row(value).key())?;
    }
    Ok(())
}
