//! Rows of a Python database in our terms. The tables are ours already.

use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{Block, BlockId, BlockStatus, DecayTier, OutcomeRecord};
use elfmem_store::{BlockQuery, ReadSettings};
use rusqlite::{Connection, params};

use super::{Adoption, Result};
use crate::errors::OrStoreError;
use crate::examine::{OVER_CAP, unusable_vectors};
use crate::transaction::SqliteTransaction;
use crate::vectors::clear_embedding;
use crate::{blocks, search};

/// Statements over edges, with what the report says of each. Of two edges between the same blocks an asserted one wins,
/// then the heavier, then the one that was of use more often.
const EDGES: [(&str, &str, bool); 4] = [
    ("DELETE FROM edges WHERE from_id = to_id", "an edge joined a block with itself", true),
    (
        "DELETE FROM edges WHERE (from_id, to_id) IN (
             SELECT one.from_id, one.to_id FROM edges AS one
             JOIN edges AS other ON other.from_id = one.to_id AND other.to_id = one.from_id
             WHERE (other.origin IN ('agent', 'user'), other.weight, other.reinforcement_count, other.from_id < other.to_id)
                 > (one.origin IN ('agent', 'user'), one.weight, one.reinforcement_count, one.from_id < one.to_id))",
        "a pair was stored in both directions: the asserted or stronger edge stays",
        true,
    ),
    (
        "UPDATE edges SET from_id = to_id, to_id = from_id,
             asserted_from = coalesce(asserted_from, iif(origin = 'agent', from_id, NULL)) WHERE from_id > to_id",
        "an edge was stored with its ends the wrong way round",
        false,
    ),
    (
        "DELETE FROM edges WHERE EXISTS (SELECT 1 FROM blocks WHERE id IN (from_id, to_id) AND status = 'archived')",
        "an edge ended at an archived block",
        true,
    ),
];

/// Statements over contradictions and pairs on their way to an edge.
const PAIRS: [(&str, &str, bool); 6] = [
    ("DELETE FROM contradictions WHERE block_a_id = block_b_id", "a block contradicted itself", true),
    (
        "DELETE FROM contradictions WHERE (block_a_id, block_b_id) IN (
             SELECT one.block_a_id, one.block_b_id FROM contradictions AS one JOIN contradictions AS other
             ON other.block_a_id = one.block_b_id AND other.block_b_id = one.block_a_id
             WHERE (NOT other.resolved, other.score, other.block_a_id < other.block_b_id)
                 > (NOT one.resolved, one.score, one.block_a_id < one.block_b_id))",
        "a contradiction was stored in both directions: the unresolved or stronger one stays",
        true,
    ),
    (
        "UPDATE contradictions SET block_a_id = block_b_id, block_b_id = block_a_id WHERE block_a_id > block_b_id",
        "a contradiction was stored with its blocks the wrong way round",
        false,
    ),
    (
        "DELETE FROM contradictions WHERE EXISTS (
             SELECT 1 FROM blocks WHERE id IN (block_a_id, block_b_id) AND status = 'archived')",
        "a contradiction was with an archived block",
        true,
    ),
    (
        "DELETE FROM co_retrieval_staging WHERE from_id = to_id OR (from_id, to_id) IN (
             SELECT one.from_id, one.to_id FROM co_retrieval_staging AS one JOIN co_retrieval_staging AS other
             ON other.from_id = one.to_id AND other.to_id = one.from_id
             WHERE (other.count, other.from_id < other.to_id) > (one.count, one.from_id < one.to_id))",
        "a pair that was recalled together was counted twice",
        true,
    ),
    (
        "UPDATE co_retrieval_staging SET from_id = to_id, to_id = from_id WHERE from_id > to_id",
        "a pair that was recalled together was stored the wrong way round",
        false,
    ),
];

/// Numbers that have bounds, with the upper one. Nothing reads them beyond these, so what is stored is what counts.
const BOUNDED: [(&str, &str, &str); 9] = [
    ("blocks", "confidence", "1.0"),
    ("blocks", "reinforcement_count", "4294967295"),
    ("blocks", "last_reinforced_at", "1e300"),
    ("blocks", "outcome_evidence", "1e300"),
    ("edges", "weight", "1.0"),
    ("edges", "reinforcement_count", "4294967295"),
    ("contradictions", "score", "1.0"),
    ("block_outcomes", "signal", "1.0"),
    ("co_retrieval_staging", "count", "4294967295"),
];

/// The latest hour of use that a row names, in place of a clock that cannot be read.
const CLOCK: &str = "UPDATE system_config SET value = (SELECT CAST(max(
        coalesce((SELECT max(last_reinforced_at) FROM blocks), 0.0),
        coalesce((SELECT max(start_active_hours) FROM sessions), 0.0)) AS TEXT))
    WHERE key = 'total_active_hours' AND value NOT GLOB '[0-9]*'";

/// The Python elfmem does not keep what an outcome built on, so its outcomes are history: see [`OutcomeRecord::HISTORY`].
const OUTCOMES: &str = "UPDATE block_outcomes SET outcome_id = id, evidence_before = 0.0, sequence = ?1, \
     id = id || ':' || block_id WHERE outcome_id IS NULL";

/// The built-in frames of the Python elfmem were never read by it and disagree with what it did.
const OTHERS: &str = "
    DELETE FROM frames WHERE source = 'builtin';
    UPDATE sessions SET ended_at = last_seen_at WHERE ended_at IS NULL;
    UPDATE blocks SET archive_reason = NULL WHERE status <> 'archived';
";

/// Sessions of ours say when they were last seen.
pub(super) const SESSIONS_SEEN: &str =
    "UPDATE sessions SET last_seen_at = coalesce(ended_at, started_at) WHERE last_seen_at IS NULL";

pub(super) fn convert(transaction: &SqliteTransaction<'_>, report: &mut Adoption) -> Result<()> {
    let connection = transaction.connection;
    connection.execute(SESSIONS_SEEN, []).or_store_error()?;
    connection.execute_batch(OTHERS).or_store_error()?;
    bound_numbers(connection, report)?;
    convert_pairs(connection, report)?;
    convert_outcomes(connection)?;
    let unusable = unusable_vectors(connection)?;
    unusable.iter().try_for_each(|id| clear_embedding(connection, id))?;
    report.changed(unusable.len(), "a vector could not be used and was removed; it is made again");
    let changed = set_tiers(transaction, None)?;
    report.changed(changed, "the decay rate or the time of last use was a placeholder, and is that of its tags now");
    note_blocks_over_cap(connection)
}

/// Puts numbers within their bounds, and the clock right.
fn bound_numbers(connection: &Connection, report: &mut Adoption) -> Result<()> {
    let mut bounded = 0;
    for (table, column, most) in BOUNDED {
        let sql = format!(
            "UPDATE {table} SET {column} = max(0, min({column}, {most})) WHERE {column} NOT BETWEEN 0 AND {most}"
        );
        bounded += connection.execute(&sql, []).or_store_error()?;
    }
    report.changed(bounded, "a number was outside of its bounds, and is the nearest that it can be");
    let clock = connection.execute(CLOCK, []).or_store_error()?;
    report.changed(clock, "the clock of use could not be read, and is the latest hour that a row names");
    Ok(())
}

/// Converts edges, contradictions and pairs.
pub(super) fn convert_pairs(connection: &Connection, report: &mut Adoption) -> Result<()> {
    for (sql, what, removes) in EDGES.into_iter().chain(PAIRS) {
        let count = connection.execute(sql, []).or_store_error()?;
        if removes {
            report.removed(count, what);
        } else {
            report.changed(count, what);
        }
    }
    Ok(())
}

pub(super) fn convert_outcomes(connection: &Connection) -> Result<()> {
    connection.execute(OUTCOMES, [OutcomeRecord::HISTORY as i64]).or_store_error()?;
    Ok(())
}

/// Gives live blocks the decay rate of their tags, and inbox blocks a fresh stamp: the Python elfmem fills both in only
/// when it consolidates a block. Returns how many changed.
pub(super) fn set_tiers(transaction: &SqliteTransaction<'_>, only: Option<&[BlockId]>) -> Result<usize> {
    let connection = transaction.connection;
    let now = transaction.get_total_active_hours()?;
    let scopes = search::all_scopes(connection)?;
    let found = match only {
        Some(ids) => blocks::get_many(connection, &scopes, ids)?,
        None => blocks::list(connection, &scopes, &BlockQuery::default())?,
    };
    let sql = "UPDATE blocks SET decay_lambda = ?2, last_reinforced_at = ?3 WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut changed = 0;
    for block in found.iter().filter(|block| block.status != BlockStatus::Archived) {
        let rate = DecayTier::of(&block.tags, &block.category).rate_of(block.decay_lambda);
        let stamp = match block.status {
            BlockStatus::Inbox => block.last_reinforced_at.later_of(now),
            _ => block.last_reinforced_at,
        };
        if (rate, stamp) != (block.decay_lambda, block.last_reinforced_at) {
            statement.execute(params![block.id.as_str(), rate.get(), stamp.get()]).or_store_error()?;
            changed += 1;
        }
    }
    Ok(changed)
}

/// Lists the blocks with more edges than a block may have. The next dream or curate drops the weakest.
pub(super) fn note_blocks_over_cap(connection: &Connection) -> Result<()> {
    let sql = format!(
        "SELECT id FROM (SELECT from_id AS id FROM edges UNION ALL SELECT to_id FROM edges) GROUP BY id \
         HAVING count(*) > {DEGREE_CAP} ORDER BY id"
    );
    let mut statement = connection.prepare(&sql).or_store_error()?;
    let ids = statement.query_map([], |row| row.get::<_, String>(0)).or_store_error()?;
    let ids: Vec<String> = ids.collect::<rusqlite::Result<_>>().or_store_error()?;
    if ids.is_empty() {
        return Ok(());
    }
    let json = serde_json::to_string(&ids).map_err(elfmem_store::StoreError::driver)?;
    crate::sessions::set_config(connection, OVER_CAP, &json)
}

/// Returns a block of any scope.
pub(super) fn block(connection: &Connection, id: &BlockId) -> Result<Option<Block>> {
    blocks::get(connection, &search::all_scopes(connection)?, id)
}
