//! What curation reads: a few columns of every active block and every edge, in one pass each.

use std::collections::HashMap;

use elfmem_core::curation::Vitals;
use elfmem_core::edge::effective_weight;
use elfmem_core::{ActiveHours, BlockId, Confidence, DecayRate};
use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) fn vitals(connection: &Connection, scopes: &str) -> Result<Vec<Vitals>> {
    let sql = "SELECT id, confidence, decay_lambda, last_reinforced_at, reinforcement_count, pinned, \
               EXISTS (SELECT 1 FROM block_tags WHERE block_id = blocks.id AND tag = 'self/constitutional') \
               FROM blocks WHERE status = 'active' AND instr(?1, '\u{1f}' || scope || '\u{1f}') ORDER BY id";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement
        .query_map([scopes], |row| {
            Ok(Vitals {
                id: BlockId::from_stored(row.get_ref(0)?.as_str()?),
                confidence: Confidence::saturating(row.get(1)?),
                decay_lambda: DecayRate::new(row.get(2)?),
                last_reinforced_at: ActiveHours::new(row.get(3)?),
                reinforcement_count: row.get::<_, i64>(4)?.clamp(0, i64::from(u32::MAX)) as u32,
                pinned: row.get(5)?,
                constitutional: row.get(6)?,
            })
        })
        .or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Asking for every edge whether both of its blocks may be seen would cost more than all the rest, so the blocks are read first.
pub(crate) fn centralities(connection: &Connection, scopes: &str) -> Result<HashMap<BlockId, f64>> {
    let sql = "SELECT id FROM blocks WHERE status IN ('inbox', 'active') AND instr(?1, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([scopes]).or_store_error()?;
    let mut sums: HashMap<BlockId, f64> = HashMap::new();
    while let Some(row) = rows.next().or_store_error()? {
        sums.insert(BlockId::from_stored(row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?), 0.0);
    }
    let sql = "SELECT from_id, to_id, weight, reinforcement_count FROM edges WHERE relation_type <> 'contradicts'";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        let end = |at: usize| -> Result<BlockId> {
            let text = row.get_ref(at).or_store_error()?;
            Ok(BlockId::from_stored(text.as_str().map_err(StoreError::driver)?))
        };
        let ends = [end(0)?, end(1)?];
        if !ends.iter().all(|id| sums.contains_key(id)) {
            continue;
        }
        let count = row.get::<_, i64>(3).or_store_error()?.clamp(0, i64::from(u32::MAX)) as u32;
        let weight = effective_weight(row.get(2).or_store_error()?, count);
        for id in &ends {
            if let Some(sum) = sums.get_mut(id) {
                *sum += weight;
            }
        }
    }
    sums.retain(|_, sum| *sum > 0.0);
    Ok(sums)
}
