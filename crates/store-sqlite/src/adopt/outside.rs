//! Taking in what other programs wrote to an adopted file since it was last open here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use elfmem_core::{Block, BlockId, EdgeKey, OperationKind, Timestamp};
use elfmem_store::{Entity, JournalHeader, ReadSettings, WriteJournal};
use elfmem_text::phrase::counted;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::watch::{Column, NOTES, typed_columns};
use super::{Adoption, Result, later_schemas, rows};
use crate::errors::OrStoreError;
use crate::transaction::SqliteTransaction;
use crate::{blocks, contradictions, edges, outcomes, search};

/// Returns true if another program wrote to the file.
pub(crate) fn is_written_outside(connection: &Connection) -> Result<bool> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    let is_watched = connection.prepare_cached(sql).or_store_error()?.exists([NOTES]).or_store_error()?;
    if !is_watched {
        return Ok(false);
    }
    let mut statement = connection.prepare_cached(&format!("SELECT 1 FROM {NOTES} LIMIT 1")).or_store_error()?;
    statement.exists([]).or_store_error()
}

/// How many rows another program changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OutsideChanges {
    blocks: usize,
    edges: usize,
    contradictions: usize,
    outcomes: usize,
}

impl fmt::Display for OutsideChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { blocks, edges, contradictions, outcomes } = *self;
        let (blocks, edges) = (counted(blocks as u64, "block"), counted(edges as u64, "edge"));
        let (found, outcomes) = (counted(contradictions as u64, "contradiction"), counted(outcomes as u64, "outcome"));
        write!(f, "Another program wrote to the memory: took in changes of {blocks}, {edges}, {found} and {outcomes}.")
    }
}

/// The notes of one table: the key of each row, and the row before; none if it was not there.
type Notes = BTreeMap<String, Option<String>>;

/// Indexes and journals what was written. Runs inside a transaction that holds the write lock.
pub(crate) fn take_in(transaction: &mut SqliteTransaction<'_>, now: Timestamp) -> Result<OutsideChanges> {
    let connection = transaction.connection;
    let mut noted = read_notes(connection)?;
    let mut taken = OutsideChanges::default();
    later_schemas::convert_columns(connection)?;
    let mut ignored = Adoption::default();
    later_schemas::set_near_duplicates_aside(connection, &mut ignored)?;
    rows::convert_pairs(connection, &mut ignored)?;
    rows::convert_outcomes(connection)?;
    let (before, tags) = (noted.remove("blocks").unwrap_or_default(), noted.remove("block_tags").unwrap_or_default());
    let touched: BTreeSet<String> = before
        .keys()
        .cloned()
        .chain(tags.keys().filter_map(|key| Some(key.split_once('\u{1f}')?.0.to_owned())))
        .collect();
    let ids: Vec<BlockId> = touched.iter().map(|id| BlockId::from_stored(id)).collect();
    let old: Vec<Option<Block>> =
        ids.iter().map(|id| block_before(connection, id, &before, &tags)).collect::<Result<_>>()?;
    connection.execute(rows::SESSIONS_SEEN, []).or_store_error()?;
    rows::set_tiers(transaction, Some(&ids))?;
    for (id, old) in ids.iter().zip(old) {
        taken.blocks += usize::from(take_block(transaction, id, old)?);
    }
    taken.edges = take_edges(transaction, noted.remove("edges").unwrap_or_default())?;
    taken.contradictions = take_contradictions(transaction, noted.remove("contradictions").unwrap_or_default())?;
    taken.outcomes = take_outcomes(transaction, noted.remove("block_outcomes").unwrap_or_default())?;
    later_schemas::propose_near_duplicates(transaction)?;
    rows::note_blocks_over_cap(connection)?;
    connection.execute(&format!("DELETE FROM {NOTES}"), []).or_store_error()?;
    let (active_hours, summary) = (transaction.get_total_active_hours()?, taken.to_string());
    let (actor, operation) = ("outside".to_owned(), OperationKind::FoundOutside);
    transaction.describe(JournalHeader { at: now, active_hours, session: None, actor, operation, summary });
    Ok(taken)
}

fn read_notes(connection: &Connection) -> Result<BTreeMap<String, Notes>> {
    let sql = format!("SELECT entity, row_key, row_before FROM {NOTES}");
    let mut statement = connection.prepare(&sql).or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut notes: BTreeMap<String, Notes> = BTreeMap::new();
    while let Some(row) = rows.next().or_store_error()? {
        let (entity, key, before): (String, String, Option<String>) = row.try_into().or_store_error()?;
        notes.entry(entity).or_default().insert(key, before);
    }
    Ok(notes)
}

/// Reads a noted row as if it stood in its table.
fn read_image<T>(
    connection: &Connection,
    table: &str,
    columns: &str,
    image: &str,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>> {
    let fields: Vec<String> = typed_columns(connection, table)?.iter().map(Column::of_image).collect();
    let sql = format!("SELECT {columns} FROM (SELECT {}) AS {table}", fields.join(", "));
    query(connection, &sql, [image], read)
}

fn query<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>> {
    connection.prepare(sql).or_store_error()?.query_row(values, read).optional().or_store_error()
}

/// The block as it was before another program wrote; none if it was not there.
fn block_before(connection: &Connection, id: &BlockId, before: &Notes, tags: &Notes) -> Result<Option<Block>> {
    let found = match before.get(id.as_str()) {
        None => rows::block(connection, id)?,
        Some(None) => None,
        Some(Some(image)) => read_image(connection, "blocks", blocks::COLUMNS, image, blocks::from_row)?,
    };
    let Some(mut block) = found else { return Ok(None) };
    let changed = tags.iter().filter_map(|(key, was_there)| {
        let (of, tag) = key.split_once('\u{1f}')?;
        (of == id.as_str()).then(|| (elfmem_core::Tag::from_stored(tag), was_there.is_some()))
    });
    for (tag, was_there) in changed {
        block.tags.retain(|known| *known != tag);
        if was_there {
            block.tags.push(tag);
        }
    }
    block.tags.sort();
    Ok(Some(block))
}

/// Indexes a block again and records what changed; whether anything did.
fn take_block(transaction: &mut SqliteTransaction<'_>, id: &BlockId, old: Option<Block>) -> Result<bool> {
    let connection = transaction.connection;
    let new = rows::block(connection, id)?;
    search::renew(connection, id, new.as_ref())?;
    match (&old, &new) {
        (None, None) => return Ok(false),
        (Some(old), None) => transaction.recorder.record_removed_block(old, None),
        (Some(old), Some(new)) if old == new => return Ok(false),
        (old, Some(new)) => {
            if old.is_some() {
                let sql = "UPDATE blocks SET revision = revision + 1 WHERE id = ?1";
                connection.execute(sql, [id.as_str()]).or_store_error()?;
            }
            transaction.recorder.record_block(old.as_ref(), new);
        }
    }
    Ok(true)
}

/// The ends of noted pairs in canonical order, each once, with the pair as it was.
fn pairs(notes: Notes) -> BTreeMap<EdgeKey, Option<String>> {
    let mut pairs: BTreeMap<EdgeKey, Option<String>> = BTreeMap::new();
    for (key, before) in notes {
        let Some((from, to)) = key.split_once('\u{1f}') else { continue };
        let (from, to) = (BlockId::from_stored(from), BlockId::from_stored(to));
        if let Some(key) = EdgeKey::canonical(&from, &to) {
            // Pairs of ours are in order. One that is not was never there before.
            let before = before.filter(|_| key.from_id == from);
            let known = pairs.entry(key).or_default();
            *known = known.take().or(before);
        }
    }
    pairs
}

fn take_edges(transaction: &mut SqliteTransaction<'_>, notes: Notes) -> Result<usize> {
    let mut taken = 0;
    for (key, image) in pairs(notes) {
        let connection = transaction.connection;
        let old = match image {
            Some(image) => read_image(connection, "edges", edges::COLUMNS, &image, edges::from_row)?,
            None => None,
        };
        let sql = format!("SELECT {} FROM edges WHERE from_id = ?1 AND to_id = ?2", edges::COLUMNS);
        let new = query(connection, &sql, [key.from_id.as_str(), key.to_id.as_str()], edges::from_row)?;
        if old != new {
            let name = format!("{}:{}", key.from_id, key.to_id);
            transaction.recorder.record(Entity::Edge, name, old.as_ref(), new.as_ref());
            taken += 1;
        }
    }
    Ok(taken)
}

fn take_contradictions(transaction: &mut SqliteTransaction<'_>, notes: Notes) -> Result<usize> {
    let mut taken = 0;
    for (key, image) in pairs(notes) {
        let connection = transaction.connection;
        let columns = contradictions::COLUMNS;
        let old = match image {
            Some(image) => read_image(connection, "contradictions", columns, &image, contradictions::from_row)?,
            None => None,
        };
        let sql = format!("SELECT {columns} FROM contradictions WHERE block_a_id = ?1 AND block_b_id = ?2");
        let new = query(connection, &sql, [key.from_id.as_str(), key.to_id.as_str()], contradictions::from_row)?;
        if old != new {
            let name = format!("{}:{}", key.from_id, key.to_id);
            transaction.recorder.record(Entity::Contradiction, name, old.as_ref(), new.as_ref());
            taken += 1;
        }
    }
    Ok(taken)
}

fn take_outcomes(transaction: &mut SqliteTransaction<'_>, notes: Notes) -> Result<usize> {
    let mut taken = 0;
    for (id, image) in notes {
        let connection = transaction.connection;
        let columns = outcomes::COLUMNS;
        let old = match &image {
            Some(image) => read_image(connection, "block_outcomes", columns, image, outcomes::from_row)?,
            None => None,
        };
        // A new one got its outcome's name when it was converted.
        let column = if image.is_some() { "id" } else { "outcome_id" };
        let sql = format!("SELECT {columns} FROM block_outcomes WHERE {column} = ?1");
        let new = query(connection, &sql, [Value::from(id)], outcomes::from_row)?;
        if let Some(record) = new.as_ref().or(old.as_ref()).filter(|_| old != new) {
            let name = format!("{}:{}", record.block_id, record.outcome_id);
            transaction.recorder.record(Entity::Outcome, name, old.as_ref(), new.as_ref());
            taken += 1;
        }
    }
    Ok(taken)
}
