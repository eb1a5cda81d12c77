//! The whole memory, row by row, and the few tables that only come in from elsewhere.

use std::ops::ControlFlow;

use elfmem_core::{BlockId, BroughtBy, EdgeKey, SessionId, time};
use elfmem_store::{BlockRow, Provenance, Row as MemoryRow, Setting, StagedPair, StoreError, Tombstone};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use crate::blocks::{COLUMN_COUNT, stamp};
use crate::errors::OrStoreError;
use crate::vectors::vector_from_bytes;
use crate::visibility::Sight;
use crate::{blocks, contexts, contradictions, edges, events, frames, links, outcomes, proposals, search, sessions};

type Result<T> = std::result::Result<T, StoreError>;

/// Whoever is shown the rows; it may break off.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(MemoryRow) -> ControlFlow<()>;

/// Shows rows of some kinds.
type Part = fn(&Connection, &str, bool, Visit<'_>) -> Result<ControlFlow<()>>;

/// Rows of one kind, in the order of storing.
fn each<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    mut show: impl FnMut(T) -> ControlFlow<()>,
) -> Result<ControlFlow<()>> {
    let mut statement = connection.prepare(sql).or_store_error()?;
    let mut rows = statement.query(values).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        if show(read(row).or_store_error()?).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Everything the scopes see.
pub(crate) fn visit(connection: &Connection, scopes: &str, vectors: bool, visit: Visit<'_>) -> Result<()> {
    let parts: [Part; 6] = [visit_blocks, visit_joins, visit_beliefs, visit_told, visit_pairs, visit_rest];
    for part in parts {
        if part(connection, scopes, vectors, visit)?.is_break() {
            break;
        }
    }
    Ok(())
}

fn visit_blocks(connection: &Connection, scopes: &str, vectors: bool, visit: Visit<'_>) -> Result<ControlFlow<()>> {
    let sql = format!(
        "SELECT {}, source_peer, share, envelope_json, CASE WHEN ?2 THEN embedding END FROM blocks \
         WHERE instr(?1, '\u{1f}' || scope || '\u{1f}') ORDER BY blocks.position",
        blocks::COLUMNS
    );
    let read = |row: &Row<'_>| {
        let share: Option<String> = row.get(COLUMN_COUNT + 1)?;
        let bytes: Option<Vec<u8>> = row.get(COLUMN_COUNT + 3)?;
        Ok(BlockRow {
            block: blocks::from_row(row)?,
            provenance: Provenance {
                source_peer: row.get(COLUMN_COUNT)?,
                share: share.filter(|share| share != "private"),
                envelope_json: row.get(COLUMN_COUNT + 2)?,
            },
            vector: bytes.map(|bytes| vector_from_bytes(&bytes)).filter(|vector| !vector.is_empty()),
        })
    };
    each(connection, &sql, params![scopes, vectors], read, |row| visit(MemoryRow::Block(Box::new(row))))
}

fn visit_joins(connection: &Connection, scopes: &str, _: bool, visit: Visit<'_>) -> Result<ControlFlow<()>> {
    let sight = Sight { scopes, everything: false };
    let sql = format!("SELECT {} FROM edges WHERE {} ORDER BY from_id, to_id", edges::COLUMNS, sight.of_both());
    if each(connection, &sql, [scopes], edges::from_row, |edge| visit(MemoryRow::Edge(edge)))?.is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let sql = format!(
        "SELECT {} FROM contradictions WHERE {} ORDER BY contradictions.position",
        contradictions::COLUMNS,
        contradictions::VISIBLE
    );
    each(connection, &sql, [scopes], contradictions::from_row, |found| visit(MemoryRow::Contradiction(found)))
}

fn visit_beliefs(connection: &Connection, scopes: &str, _: bool, visit: Visit<'_>) -> Result<ControlFlow<()>> {
    let sql = format!(
        "SELECT {} FROM block_outcomes JOIN blocks ON blocks.id = block_id WHERE outcome_id IS NOT NULL \
         AND evidence_before IS NOT NULL AND instr(?1, '\u{1f}' || scope || '\u{1f}') ORDER BY block_outcomes.position",
        outcomes::COLUMNS
    );
    if each(connection, &sql, [scopes], outcomes::from_row, |record| visit(MemoryRow::Outcome(record)))?.is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let sql = format!("SELECT {} FROM proposals WHERE {} ORDER BY number", proposals::COLUMNS, proposals::VISIBLE);
    each(connection, &sql, [scopes], proposals::from_row, |proposal| visit(MemoryRow::Proposal(proposal)))
}

/// Events, contexts and links: contexts before what belongs to them, links before what they did.
fn visit_told(connection: &Connection, scopes: &str, _: bool, visit: Visit<'_>) -> Result<ControlFlow<()>> {
    let sql = format!("SELECT {} FROM events WHERE {} ORDER BY number", events::COLUMNS, events::VISIBLE);
    if each(connection, &sql, [scopes], events::from_row, |event| visit(MemoryRow::Event(Box::new(event))))?.is_break()
    {
        return Ok(ControlFlow::Break(()));
    }
    let sql = format!("SELECT id, created_at FROM contexts WHERE {} ORDER BY id", contexts::VISIBLE);
    if each(connection, &sql, [scopes], contexts::from_row, |context| visit(MemoryRow::Context(context)))?.is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let sql = format!(
        "SELECT {} FROM enrolments JOIN blocks ON blocks.id = block_id WHERE {} ORDER BY block_id, context_id",
        contexts::ENROLMENT_COLUMNS,
        contexts::ENROLMENT_VISIBLE
    );
    let enrolled = each(connection, &sql, [scopes], contexts::enrolment_from_row, |enrolment| {
        visit(MemoryRow::Enrolment(enrolment))
    })?;
    if enrolled.is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let sql = format!("SELECT {} FROM links WHERE {} ORDER BY sequence", links::COLUMNS, links::VISIBLE);
    if each(connection, &sql, [scopes], links::from_row, |link| visit(MemoryRow::Link(link)))?.is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let sql = format!(
        "SELECT {} FROM link_effects JOIN blocks ON blocks.id = block_id \
         WHERE instr(?1, '\u{1f}' || scope || '\u{1f}') \
         AND EXISTS (SELECT 1 FROM links WHERE links.from_end = link_effects.from_end \
             AND links.link_type = link_effects.link_type AND links.to_end = link_effects.to_end AND {}) \
         ORDER BY block_id, sequence",
        links::EFFECT_COLUMNS,
        links::VISIBLE
    );
    each(connection, &sql, [scopes], links::effect_from_row, |effect| visit(MemoryRow::Effect(effect)))
}

/// Sessions stand one a line, see [`crate::co_retrieval`].
fn visit_pairs(connection: &Connection, scopes: &str, _: bool, visit: Visit<'_>) -> Result<ControlFlow<()>> {
    const SEEN: &str = "(SELECT 1 FROM blocks WHERE blocks.id = {} AND instr(?1, '\u{1f}' || scope || '\u{1f}'))";
    let sql = format!(
        "SELECT from_id, to_id, count, sessions FROM co_retrieval_staging WHERE EXISTS {} AND EXISTS {} \
         ORDER BY from_id, to_id",
        SEEN.replace("{}", "from_id"),
        SEEN.replace("{}", "to_id")
    );
    let read = |row: &Row<'_>| {
        let id = |at: usize| Ok::<_, rusqlite::Error>(BlockId::from_stored(&row.get::<_, String>(at)?));
        let sessions: Option<String> = row.get(3)?;
        let named = sessions.iter().flat_map(|all| all.split('\n')).filter(|name| !name.is_empty());
        Ok(StagedPair {
            key: EdgeKey { from_id: id(0)?, to_id: id(1)? },
            count: row.get::<_, i64>(2)?.clamp(0, i64::from(u32::MAX)) as u32,
            sessions: named.map(SessionId::from_stored).collect(),
        })
    };
    each(connection, &sql, [scopes], read, |pair| visit(MemoryRow::Pair(pair)))
}

fn visit_rest(connection: &Connection, scopes: &str, _: bool, visit: Visit<'_>) -> Result<ControlFlow<()>> {
    let sql = format!("SELECT {} FROM sessions ORDER BY sessions.position", sessions::COLUMNS);
    if each(connection, &sql, [], sessions::from_row, |session| visit(MemoryRow::Session(session)))?.is_break() {
        return Ok(ControlFlow::Break(()));
    }
    for frame in frames::list(connection)? {
        if visit(MemoryRow::Frame(frame)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    let sql = "SELECT block_id, purged_at, actor FROM tombstones WHERE instr(?1, '\u{1f}' || scope || '\u{1f}') \
               ORDER BY tombstones.position";
    let read = |row: &Row<'_>| {
        let block_id = BlockId::from_stored(&row.get::<_, String>(0)?);
        Ok(Tombstone { block_id, purged_at: stamp(1, &row.get::<_, String>(1)?)?, actor: row.get(2)? })
    };
    if each(connection, sql, [scopes], read, |tombstone| visit(MemoryRow::Tombstone(tombstone)))?.is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let read = |row: &Row<'_>| Ok(Setting { key: row.get(0)?, value: row.get(1)? });
    // Those of a scope name it: `elfmem_store::scope_key`.
    let sql = "SELECT key, value FROM system_config \
               WHERE NOT instr(key, '@') OR instr(?1, '\u{1f}' || substr(key, instr(key, '@') + 1) || '\u{1f}') ORDER BY key";
    each(connection, sql, [scopes], read, |setting| visit(MemoryRow::Setting(setting)))
}

/// Whether there is no block, whatever its scope.
pub(crate) fn is_blank(connection: &Connection) -> Result<bool> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM blocks LIMIT 1").or_store_error()?;
    Ok(!statement.exists([]).or_store_error()?)
}

pub(crate) fn put_pair(connection: &Connection, pair: &StagedPair) -> Result<()> {
    let sql = "INSERT INTO co_retrieval_staging (from_id, to_id, count, sessions) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (from_id, to_id) DO NOTHING";
    let lines: String = pair.sessions.iter().map(|session| format!("{session}\n")).collect();
    let sessions = (!lines.is_empty()).then(|| format!("\n{lines}"));
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement
        .execute(params![pair.key.from_id.as_str(), pair.key.to_id.as_str(), pair.count, sessions])
        .or_store_error()?;
    Ok(())
}

pub(crate) fn set_provenance(connection: &Connection, id: &BlockId, provenance: &Provenance) -> Result<()> {
    let sql = "UPDATE blocks SET source_peer = ?2, share = ?3, envelope_json = ?4 WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let share = provenance.share.as_deref().unwrap_or("private");
    statement
        .execute(params![id.as_str(), provenance.source_peer, share, provenance.envelope_json])
        .or_store_error()?;
    let way = "SELECT surface, client, document_name, source_peer FROM blocks WHERE id = ?1";
    let mut statement = connection.prepare_cached(way).or_store_error()?;
    let read = |row: &Row<'_>| {
        Ok(BroughtBy { surface: row.get(0)?, client: row.get(1)?, document: row.get(2)?, peer: row.get(3)? })
    };
    if let Some(brought_by) = statement.query_row([id.as_str()], read).optional().or_store_error()? {
        search::set_origin(connection, id, &brought_by)?;
    }
    Ok(())
}

pub(crate) fn put_tombstone(connection: &Connection, scope: &str, tombstone: &Tombstone) -> Result<()> {
    let sql = "INSERT INTO tombstones (block_id, scope, purged_at, actor) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (block_id) DO NOTHING";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement
        .execute(params![tombstone.block_id.as_str(), scope, time::to_iso(tombstone.purged_at), tombstone.actor])
        .or_store_error()?;
    Ok(())
}
