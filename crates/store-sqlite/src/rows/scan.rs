//! Scanning the rows of one kind.

use std::ops::ControlFlow;

use elfmem_core::{BlockId, EdgeKey, SessionId};
use elfmem_store::{
    BlockRow, Provenance, Row as MemoryRow, RowKind, RowQuery, Setting, StagedPair, StoreError, Tombstone, Vectors,
};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params, params_from_iter};

use crate::blocks::{self, COLUMN_COUNT, json, stamp};
use crate::errors::OrStoreError;
use crate::vectors::vector_from_bytes;
use crate::{contexts, contradictions, edges, events, frames, links, outcomes, proposals, sessions};

type Result<T> = std::result::Result<T, StoreError>;

/// Receives rows with their positions and, for kinds that have one, their scopes.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&MemoryRow, i64, &str) -> ControlFlow<()>;

/// A row as it was read: with its position and its scope.
type Read = (MemoryRow, i64, String);

/// Visits the rows that a query selects and that some scopes see.
pub(crate) fn scan(connection: &Connection, scopes: &str, query: RowQuery<'_>, visit: Visit<'_>) -> Result<()> {
    if query.kind == RowKind::Block {
        return scan_blocks(connection, scopes, query, visit);
    }
    let (sql, read) = statement(query);
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let ids = query.blocks.map(json);
    let mut rows = statement.query(params![scopes, ids]).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        let (row, position, scope) = read(row).or_store_error()?;
        if visit(&row, position, &scope).is_break() {
            break;
        }
    }
    Ok(())
}

/// Whether a block in a column is visible, with the scopes bound as `?1`.
fn sees(column: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM blocks INDEXED BY idx_blocks_id_scope WHERE blocks.id = {column} \
         AND instr(?1, '\u{1f}' || blocks.scope || '\u{1f}'))"
    )
}

/// The statement for the rows of a kind: scopes are bound as `?1`, ids of blocks as a JSON array or null as `?2`.
fn statement(query: RowQuery<'_>) -> (String, fn(&Row<'_>) -> rusqlite::Result<Read>) {
    let of = |columns: &[&str]| match query.blocks {
        None => "?2 IS NULL".to_owned(),
        Some(_) => {
            let among: Vec<String> =
                columns.iter().map(|column| format!("{column} IN (SELECT value FROM json_each(?2))")).collect();
            format!("({})", among.join(" OR "))
        }
    };
    match query.kind {
        RowKind::Block => (String::new(), |_| Err(rusqlite::Error::InvalidQuery)),
        RowKind::Edge => (
            format!(
                "SELECT {} FROM edges WHERE {} AND {} AND {} ORDER BY from_id, to_id",
                edges::COLUMNS,
                of(&["from_id", "to_id"]),
                sees("from_id"),
                sees("to_id")
            ),
            |row| Ok((MemoryRow::Edge(edges::from_row(row)?), 0, String::new())),
        ),
        RowKind::Contradiction => (
            format!(
                "SELECT {}, position FROM contradictions WHERE {} AND {} ORDER BY position",
                contradictions::COLUMNS,
                of(&["block_a_id", "block_b_id"]),
                contradictions::VISIBLE
            ),
            |row| Ok((MemoryRow::Contradiction(contradictions::from_row(row)?), row.get("position")?, String::new())),
        ),
        RowKind::Outcome => (
            format!(
                "SELECT {}, position FROM block_outcomes WHERE outcome_id IS NOT NULL AND evidence_before IS NOT NULL \
                 AND {} AND {} ORDER BY position",
                outcomes::COLUMNS,
                of(&["block_id"]),
                sees("block_id")
            ),
            |row| Ok((MemoryRow::Outcome(outcomes::from_row(row)?), row.get("position")?, String::new())),
        ),
        RowKind::Proposal => (
            format!(
                "SELECT {} FROM proposals WHERE {} AND {} ORDER BY number",
                proposals::COLUMNS,
                of(&["block_id", "other_id"]),
                proposals::VISIBLE
            ),
            |row| {
                let proposal = proposals::from_row(row)?;
                let number = proposal.number;
                Ok((MemoryRow::Proposal(proposal), number, String::new()))
            },
        ),
        RowKind::Event => (
            format!(
                "SELECT {}, number, events.scope AS scope FROM events WHERE {} AND {} ORDER BY number",
                events::COLUMNS,
                of(&["block_id"]),
                events::VISIBLE
            ),
            |row| Ok((MemoryRow::Event(Box::new(events::from_row(row)?)), row.get("number")?, row.get("scope")?)),
        ),
        RowKind::Context => (
            // A context belongs to no block.
            format!(
                "SELECT id, created_at, scope FROM contexts WHERE ?2 IS NULL AND {} ORDER BY id, scope",
                contexts::VISIBLE
            ),
            |row| Ok((MemoryRow::Context(contexts::from_row(row)?), 0, row.get("scope")?)),
        ),
        RowKind::Enrolment => (
            format!(
                "SELECT {}, enrolments.scope AS scope FROM enrolments JOIN blocks ON blocks.id = block_id WHERE {} AND {} \
                 ORDER BY block_id, context_id, enrolments.scope",
                contexts::ENROLMENT_COLUMNS,
                of(&["block_id"]),
                contexts::ENROLMENT_VISIBLE
            ),
            |row| Ok((MemoryRow::Enrolment(contexts::enrolment_from_row(row)?), 0, row.get("scope")?)),
        ),
        RowKind::Link => (
            format!(
                "SELECT {}, links.scope AS scope FROM links WHERE {} AND {} ORDER BY sequence",
                links::COLUMNS,
                of(&["from_end", "to_end"]),
                links::VISIBLE
            ),
            |row| Ok((MemoryRow::Link(links::from_row(row)?), row.get("sequence")?, row.get("scope")?)),
        ),
        RowKind::Effect => (
            format!(
                "SELECT {} FROM link_effects WHERE {} AND {} ORDER BY block_id, sequence",
                links::EFFECT_COLUMNS,
                of(&["block_id"]),
                sees("block_id")
            ),
            |row| Ok((MemoryRow::Effect(links::effect_from_row(row)?), 0, String::new())),
        ),
        RowKind::Pair => (
            format!(
                "SELECT from_id, to_id, count, sessions FROM co_retrieval_staging WHERE {} AND {} AND {} \
                 ORDER BY from_id, to_id",
                of(&["from_id", "to_id"]),
                sees("from_id"),
                sees("to_id")
            ),
            |row| Ok((MemoryRow::Pair(pair_from_row(row)?), 0, String::new())),
        ),
        RowKind::Session => (
            format!(
                "SELECT {}, position FROM sessions WHERE ?1 IS NOT NULL AND ?2 IS NULL ORDER BY position",
                sessions::COLUMNS
            ),
            |row| Ok((MemoryRow::Session(sessions::from_row(row)?), row.get("position")?, String::new())),
        ),
        RowKind::Frame => (
            format!("SELECT {} FROM frames WHERE ?1 IS NOT NULL AND ?2 IS NULL ORDER BY name", frames::COLUMNS),
            |row| Ok((MemoryRow::Frame(frames::from_row(row)?), 0, String::new())),
        ),
        RowKind::Tombstone => (
            "SELECT block_id, purged_at, actor, position, scope FROM tombstones \
             WHERE ?2 IS NULL AND instr(?1, '\u{1f}' || scope || '\u{1f}') ORDER BY position"
                .to_owned(),
            |row| Ok((MemoryRow::Tombstone(tombstone_from_row(row)?), row.get("position")?, row.get("scope")?)),
        ),
        RowKind::Setting => (
            // A setting of a scope names it in its key: `elfmem_store::scope_key`.
            "SELECT key, value FROM system_config WHERE ?2 IS NULL \
             AND (NOT instr(key, '@') OR instr(?1, '\u{1f}' || substr(key, instr(key, '@') + 1) || '\u{1f}')) ORDER BY key"
                .to_owned(),
            |row| Ok((MemoryRow::Setting(Setting { key: row.get(0)?, value: row.get(1)? }), 0, String::new())),
        ),
    }
}

/// Reads block rows in the order of their positions, or of the ids asked for.
fn scan_blocks(connection: &Connection, scopes: &str, query: RowQuery<'_>, visit: Visit<'_>) -> Result<()> {
    let (source, order) = match query.blocks {
        Some(_) => ("json_each(?3) AS wanted CROSS JOIN blocks ON blocks.id = wanted.value", "wanted.key"),
        None => ("blocks", "blocks.position"),
    };
    let sql = format!(
        "SELECT {}, share, envelope_json, CASE WHEN ?2 THEN embedding END, position FROM {source} \
         WHERE instr(?1, '\u{1f}' || scope || '\u{1f}') ORDER BY {order}",
        blocks::COLUMNS
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let vectors = query.vectors == Vectors::Include;
    let mut values: Vec<Value> = vec![scopes.to_owned().into(), vectors.into()];
    values.extend(query.blocks.map(|ids| Value::from(json(ids))));
    let mut rows = statement.query(params_from_iter(values)).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        let position = row.get(COLUMN_COUNT + 3).or_store_error()?;
        let block = block_row(row).or_store_error()?;
        if visit(&MemoryRow::Block(Box::new(block)), position, "").is_break() {
            break;
        }
    }
    Ok(())
}

fn block_row(row: &Row<'_>) -> rusqlite::Result<BlockRow> {
    let block = blocks::from_row(row)?;
    let share: Option<String> = row.get(COLUMN_COUNT)?;
    let provenance = Provenance {
        source_peer: block.brought_by.peer.clone(),
        share: share.filter(|share| share != "private"),
        envelope_json: row.get(COLUMN_COUNT + 1)?,
    };
    let bytes: Option<Vec<u8>> = row.get(COLUMN_COUNT + 2)?;
    let vector = bytes.map(|bytes| vector_from_bytes(&bytes)).filter(|vector| !vector.is_empty());
    Ok(BlockRow { block, provenance, vector })
}

/// Sessions are stored one a line, see [`crate::co_retrieval`].
pub(crate) fn pair_from_row(row: &Row<'_>) -> rusqlite::Result<StagedPair> {
    let id = |at: usize| Ok::<_, rusqlite::Error>(BlockId::from_stored(&row.get::<_, String>(at)?));
    let sessions: Option<String> = row.get(3)?;
    let named = sessions.iter().flat_map(|all| all.split('\n')).filter(|name| !name.is_empty());
    Ok(StagedPair {
        key: EdgeKey { from_id: id(0)?, to_id: id(1)? },
        count: row.get::<_, i64>(2)?.clamp(0, i64::from(u32::MAX)) as u32,
        sessions: named.map(SessionId::from_stored).collect(),
    })
}

pub(super) fn tombstone_from_row(row: &Row<'_>) -> rusqlite::Result<Tombstone> {
    let block_id = BlockId::from_stored(&row.get::<_, String>(0)?);
    Ok(Tombstone { block_id, purged_at: stamp(1, &row.get::<_, String>(1)?)?, actor: row.get(2)? })
}
