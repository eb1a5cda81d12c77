//! Whether edges and contradictions join blocks that may be joined, as an index would load them.

use std::collections::HashMap;

use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{BlockId, Edge};
use elfmem_store::{Check, Contradiction, Finding, StoreError};
use rusqlite::Connection;

use super::lens::{Lens, Mending, Place};
use crate::errors::OrStoreError;
use crate::{contradictions, edges};

type Result<T> = std::result::Result<T, StoreError>;

pub(super) fn edges(lens: &Lens<'_>) -> Result<Vec<Finding>> {
    let wrong = Wrong::read(lens.connection)?;
    let edge_places = |edges: &[Edge]| -> Vec<Place> {
        edges.iter().map(|edge| Place::pair(edge.key.from_id.as_str(), edge.key.to_id.as_str())).collect()
    };
    let found_places = |found: &[Contradiction]| -> Vec<Place> {
        found.iter().map(|one| Place::pair(one.block_a_id.as_str(), one.block_b_id.as_str())).collect()
    };
    let mut findings = Vec::new();
    for (places, what, how) in [
        (edge_places(&wrong.backward), "edge", "stands the wrong way round"),
        (edge_places(&wrong.ended), "edge", "ends at a block that is archived"),
        (found_places(&wrong.backward_contradictions), "contradiction", "stands the wrong way round"),
        (found_places(&wrong.ended_contradictions), "contradiction", "is with a block that is archived"),
    ] {
        findings.extend(lens.findings(Check::Edges, Mending::Row, places, |named| format!("{what} {named} {how}"))?);
    }
    let crowded = wrong.crowded.into_iter().map(Place::from);
    findings.extend(lens.findings(Check::Edges, Mending::Row, crowded, |named| {
        format!("block {named} has more than {DEGREE_CAP} edges that nobody asserted")
    })?);
    Ok(findings)
}

/// What is wrong with edges and contradictions.
#[derive(Debug, Default)]
pub(super) struct Wrong {
    /// Edges whose ends are not in order, or are the same.
    pub(super) backward: Vec<Edge>,
    /// Edges of archived blocks.
    pub(super) ended: Vec<Edge>,
    /// Blocks with more machine-made edges than a block may have.
    pub(super) crowded: Vec<BlockId>,
    pub(super) backward_contradictions: Vec<Contradiction>,
    pub(super) ended_contradictions: Vec<Contradiction>,
}

impl Wrong {
    pub(super) fn read(connection: &Connection) -> Result<Self> {
        let mut wrong = Self::default();
        let mut made: HashMap<BlockId, usize> = HashMap::new();
        let sql = format!(
            "SELECT {}, EXISTS (SELECT 1 FROM blocks WHERE id IN (from_id, to_id) AND status = 'archived') \
             FROM edges ORDER BY from_id, to_id",
            edges::COLUMNS
        );
        let mut statement = connection.prepare(&sql).or_store_error()?;
        let mut rows = statement.query([]).or_store_error()?;
        while let Some(row) = rows.next().or_store_error()? {
            let edge = edges::from_row(row).or_store_error()?;
            let ended: bool = row.get(10).or_store_error()?;
            if edge.is_machine_made() && !ended {
                for end in [&edge.key.from_id, &edge.key.to_id] {
                    *made.entry(end.clone()).or_default() += 1;
                }
            }
            if edge.key.from_id >= edge.key.to_id {
                wrong.backward.push(edge);
            } else if ended {
                wrong.ended.push(edge);
            }
        }
        wrong.crowded = made.into_iter().filter(|(_, count)| *count > DEGREE_CAP).map(|(id, _)| id).collect();
        wrong.crowded.sort();
        wrong.read_contradictions(connection)?;
        Ok(wrong)
    }

    fn read_contradictions(&mut self, connection: &Connection) -> Result<()> {
        let sql = format!(
            "SELECT {}, EXISTS (SELECT 1 FROM blocks WHERE id IN (block_a_id, block_b_id) AND status = 'archived') \
             FROM contradictions ORDER BY block_a_id, block_b_id",
            contradictions::COLUMNS
        );
        let mut statement = connection.prepare(&sql).or_store_error()?;
        let mut rows = statement.query([]).or_store_error()?;
        while let Some(row) = rows.next().or_store_error()? {
            let found = contradictions::from_row(row).or_store_error()?;
            if found.block_a_id >= found.block_b_id {
                self.backward_contradictions.push(found);
            } else if row.get(7).or_store_error()? {
                self.ended_contradictions.push(found);
            }
        }
        Ok(())
    }
}
