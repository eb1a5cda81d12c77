//! What curation reads: a few columns of every active block and every edge, in one pass each.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use elfmem_core::curation::{CurationBlock, CurationEdge, CurationGraph};
use elfmem_core::{ActiveHours, BlockId, Confidence, DecayRate, EdgeWeight};
use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) fn living_graph(connection: &Connection, scopes: &str) -> Result<CurationGraph> {
    let mut blocks = vitals(connection, scopes)?;
    blocks.sort_unstable_by(|a, b| a.id.cmp(&b.id));
    let edges = edges_between(connection, &blocks)?;
    Ok(CurationGraph { blocks, edges })
}

fn vitals(connection: &Connection, scopes: &str) -> Result<Vec<CurationBlock>> {
    let mut statement = connection
        .prepare_cached("SELECT block_id FROM block_tags WHERE tag = 'self/constitutional'")
        .or_store_error()?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).or_store_error()?;
    let constitution: HashSet<String> = rows.collect::<rusqlite::Result<_>>().or_store_error()?;
    let sql = "SELECT id, confidence, decay_lambda, last_reinforced_at, reinforcement_count, pinned \
               FROM blocks WHERE status = 'active' AND instr(?1, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement
        .query_map([scopes], |row| {
            let id = row.get_ref(0)?.as_str()?;
            Ok(CurationBlock {
                constitutional: constitution.contains(id),
                id: BlockId::from_stored(id),
                confidence: Confidence::saturating(row.get(1)?),
                decay_lambda: DecayRate::new(row.get(2)?),
                last_reinforced_at: ActiveHours::new(row.get(3)?),
                reinforcement_count: row.get::<_, i64>(4)?.clamp(0, i64::from(u32::MAX)) as u32,
                pinned: row.get(5)?,
            })
        })
        .or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Edges by the places of their ends in the list of blocks. The list holds only what may be seen, so an edge with an end that
/// is not in it is none of ours.
fn edges_between(connection: &Connection, blocks: &[CurationBlock]) -> Result<Vec<CurationEdge>> {
    let numbered = (0u32..).zip(blocks).map(|(place, block)| (block.id.as_str(), place));
    let places: HashMap<&str, u32, BuildHasherDefault<IdHasher>> = numbered.collect();
    let sql = "SELECT from_id, to_id, weight, reinforcement_count, last_active_hours, relation_type = 'contradicts', \
               origin IN ('similarity', 'co_retrieval') FROM edges";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut edges = Vec::new();
    // Edges come in the order of their first end, so the last one found is mostly the next one too.
    let mut last: Option<u32> = None;
    while let Some(row) = rows.next().or_store_error()? {
        let id = |at: usize| row.get_ref(at).or_store_error()?.as_str().map_err(StoreError::driver);
        let first = id(0)?;
        last = last.filter(|place| blocks[*place as usize].id.as_str() == first).or_else(|| places.get(first).copied());
        let (Some(from), Some(to)) = (last, places.get(id(1)?).copied()) else { continue };
        edges.push(CurationEdge {
            from,
            to,
            weight: EdgeWeight::saturating(row.get(2).or_store_error()?),
            reinforcement_count: row.get::<_, i64>(3).or_store_error()?.clamp(0, i64::from(u32::MAX)) as u32,
            last_active_hours: row.get::<_, Option<f64>>(4).or_store_error()?.map(ActiveHours::new),
            contradicts: row.get(5).or_store_error()?,
            machine_made: row.get(6).or_store_error()?,
        });
    }
    Ok(edges)
}

/// Mixes the bytes of ids, eight at a time. Ids are digests, even enough by themselves; the standard hasher, which withstands chosen
/// keys, took a fifth of a curate.
#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.0 = (self.0.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}
