//! Outcome rows: one for each block that learned from an outcome.
//!
//! The table is the Python elfmem's, whose rows have neither an order nor the evidence they built on. Adoption makes them
//! history: see [`OutcomeRecord::HISTORY`].

use elfmem_core::{BlockId, Confidence, Evidence, OutcomeRecord, Signal, Timestamp, time};
use elfmem_store::{RECENT_OUTCOMES, StoreError};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use crate::blocks::stamp;
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) const COLUMNS: &str = "outcome_id, block_id, sequence, signal, weight, block_outcomes.source, confidence_before, \
    confidence_after, evidence_before, block_outcomes.created_at, ceiling";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<OutcomeRecord> {
    Ok(OutcomeRecord {
        outcome_id: row.get(0)?,
        block_id: BlockId::from_stored(&row.get::<_, String>(1)?),
        sequence: row.get::<_, i64>(2)?.max(0) as u64,
        signal: Signal::saturating(row.get(3)?),
        weight: row.get(4)?,
        source: row.get(5)?,
        confidence_before: Confidence::saturating(row.get(6)?),
        confidence_after: Confidence::saturating(row.get(7)?),
        evidence_before: Evidence::new(row.get(8)?),
        created_at: stamp(9, &row.get::<_, String>(9)?)?,
        ceiling: row.get::<_, Option<f64>>(10)?.map(Confidence::saturating),
    })
}

/// Records of blocks in the view's scopes, which are bound as `?1`.
fn collect(connection: &Connection, condition: &str, values: impl Params) -> Result<Vec<OutcomeRecord>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM block_outcomes JOIN blocks ON blocks.id = block_id WHERE {condition} \
         AND outcome_id IS NOT NULL AND evidence_before IS NOT NULL AND instr(?1, '\u{1f}' || scope || '\u{1f}') \
         ORDER BY block_id, sequence, block_outcomes.position"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(values, from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn of_block(connection: &Connection, scopes: &str, block: &BlockId) -> Result<Vec<OutcomeRecord>> {
    collect(connection, "block_id = ?2", params![scopes, block.as_str()])
}

/// The effects since a time. There is no index of times, so only the rows that were stored last are read.
pub(crate) fn since(connection: &Connection, scopes: &str, since: Timestamp) -> Result<Vec<OutcomeRecord>> {
    collect(
        connection,
        "block_outcomes.position > (SELECT max(position) FROM block_outcomes) - ?3 AND block_outcomes.created_at >= ?2",
        params![scopes, time::to_iso(since), RECENT_OUTCOMES],
    )
}

pub(crate) fn of_outcome(connection: &Connection, scopes: &str, outcome_id: &str) -> Result<Vec<OutcomeRecord>> {
    // A row's name begins with that of its outcome: its key is an index of outcomes too.
    let [from, to] = [':', ';'].map(|end| format!("{outcome_id}{end}"));
    collect(
        connection,
        "block_outcomes.id > ?3 AND block_outcomes.id < ?4 AND outcome_id = ?2",
        params![scopes, outcome_id, from, to],
    )
}

pub(crate) fn last_sequence(connection: &Connection, block: &BlockId) -> Result<u64> {
    let sql = "SELECT max(coalesce((SELECT max(sequence) FROM block_outcomes WHERE block_id = ?1), 0), \
               coalesce((SELECT max(sequence) FROM link_effects WHERE block_id = ?1), 0))";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.query_row([block.as_str()], |row| row.get::<_, i64>(0)).map(|last| last.max(0) as u64).or_store_error()
}

/// The primary key of the effect of an outcome on a block.
pub(crate) fn row_id(outcome_id: &str, block: &BlockId) -> String {
    format!("{outcome_id}:{block}")
}

/// The record of a row's name, `outcome_id:block_id`.
pub(crate) fn named(connection: &Connection, row_id: &str) -> Result<Option<OutcomeRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM block_outcomes WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([row_id], from_row).optional().or_store_error()
}

/// Stores a record unless there is one of that outcome and block; whether it was stored.
pub(crate) fn insert(connection: &Connection, record: &OutcomeRecord) -> Result<bool> {
    write(connection, "DO NOTHING", record)
}

/// Stores a record in the place of the one there is.
pub(crate) fn replace(connection: &Connection, record: &OutcomeRecord) -> Result<()> {
    let change = "DO UPDATE SET sequence = ?4, signal = ?5, weight = ?6, source = ?7, confidence_before = ?8, \
                  confidence_after = ?9, evidence_before = ?10, created_at = ?11, ceiling = ?12";
    write(connection, change, record).map(drop)
}

fn write(connection: &Connection, if_there: &str, record: &OutcomeRecord) -> Result<bool> {
    let sql = format!(
        "INSERT INTO block_outcomes (id, outcome_id, block_id, sequence, signal, weight, source, confidence_before, \
         confidence_after, evidence_before, created_at, ceiling) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) {if_there}"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let written = statement
        .execute(params![
            row_id(&record.outcome_id, &record.block_id),
            record.outcome_id,
            record.block_id.as_str(),
            record.sequence as i64,
            record.signal.get(),
            record.weight,
            record.source,
            record.confidence_before.get(),
            record.confidence_after.get(),
            record.evidence_before.get(),
            time::to_iso(record.created_at),
            record.ceiling.map(Confidence::get),
        ])
        .or_store_error()?;
    Ok(written > 0)
}

pub(crate) fn delete(connection: &Connection, record: &OutcomeRecord) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM block_outcomes WHERE id = ?1").or_store_error()?;
    statement.execute([row_id(&record.outcome_id, &record.block_id)]).or_store_error()?;
    Ok(())
}
