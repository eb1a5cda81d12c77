//! Whether edges and contradictions join blocks that may be joined, as an index would load them.

use std::collections::HashMap;

use elfmem_core::eviction::{DEGREE_CAP_SETTING, stored_degree_cap};
use elfmem_core::{BlockId, Edge};
use elfmem_store::{Check, Contradiction, Finding, StoreError};
use rusqlite::Connection;

use super::lens::{Lens, Mending, RowLocation};
use crate::errors::OrStoreError;
use crate::sessions::get_config;
use crate::{contradictions, edges};

type Result<T> = std::result::Result<T, StoreError>;

pub(super) fn edges(lens: &Lens<'_>) -> Result<Vec<Finding>> {
    let wrong = Wrong::read(lens.connection)?;
    let edge_places = |edges: &[Edge]| -> Vec<RowLocation> {
        edges.iter().map(|edge| RowLocation::pair(edge.key.from_id.as_str(), edge.key.to_id.as_str())).collect()
    };
    let found_places = |found: &[Contradiction]| -> Vec<RowLocation> {
        found.iter().map(|one| RowLocation::pair(one.block_a_id.as_str(), one.block_b_id.as_str())).collect()
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
    let (cap, crowded) = (wrong.cap, wrong.crowded.into_iter().map(RowLocation::from));
    findings.extend(lens.findings(Check::Edges, Mending::Row, crowded, |named| {
        format!("block {named} has more than {cap} edges that nobody asserted")
    })?);
    Ok(findings)
}

/// The setting of a scope that lists blocks whose edges the next dream or curate trims.
pub(crate) const OVER_CAP: &str = "blocks_over_degree_cap";

/// Blocks that are listed to be trimmed, in any scope.
fn blocks_over_cap(connection: &Connection) -> Result<Vec<BlockId>> {
    let sql = "SELECT value FROM system_config WHERE key = ?1 OR key GLOB ?1 || '@*'";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let lists = statement.query_map([OVER_CAP], |row| row.get::<_, String>(0)).or_store_error()?;
    let lists: Vec<String> = lists.collect::<rusqlite::Result<_>>().or_store_error()?;
    Ok(lists.iter().filter_map(|json| serde_json::from_str::<Vec<BlockId>>(json).ok()).flatten().collect())
}

/// Whether a pair ends at a block that is archived. A pair of two scopes may: whoever archives a block does not see what
/// another scope joined to it.
fn ended(a: &str, b: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM blocks one, blocks other WHERE one.id = {a} AND other.id = {b} \
        AND one.scope = other.scope AND 'archived' IN (one.status, other.status))"
    )
}

/// What is wrong with edges and contradictions.
#[derive(Debug, Default)]
pub(super) struct Wrong {
    /// Edges whose ends are not in order, or are the same.
    pub(super) backward: Vec<Edge>,
    /// Edges of archived blocks.
    pub(super) ended: Vec<Edge>,
    /// The most edges a block may have.
    pub(super) cap: usize,
    /// Blocks with more machine-made edges than that, which are not listed to be trimmed.
    pub(super) crowded: Vec<BlockId>,
    pub(super) backward_contradictions: Vec<Contradiction>,
    pub(super) ended_contradictions: Vec<Contradiction>,
}

impl Wrong {
    pub(super) fn read(connection: &Connection) -> Result<Self> {
        let cap = stored_degree_cap(get_config(connection, DEGREE_CAP_SETTING)?.as_deref());
        let mut wrong = Self { cap, ..Self::default() };
        let mut made: HashMap<BlockId, usize> = HashMap::new();
        let sql =
            format!("SELECT {}, {} FROM edges ORDER BY from_id, to_id", edges::COLUMNS, ended("from_id", "to_id"));
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
        let listed = blocks_over_cap(connection)?;
        let is_crowded = |(id, count): &(BlockId, usize)| *count > cap && !listed.contains(id);
        wrong.crowded = made.into_iter().filter(is_crowded).map(|(id, _)| id).collect();
        wrong.crowded.sort();
        wrong.read_contradictions(connection)?;
        Ok(wrong)
    }

    fn read_contradictions(&mut self, connection: &Connection) -> Result<()> {
        let sql = format!(
            "SELECT {}, {} FROM contradictions ORDER BY block_a_id, block_b_id",
            contradictions::COLUMNS,
            ended("block_a_id", "block_b_id")
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
