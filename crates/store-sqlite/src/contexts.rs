//! Context rows, and which blocks belong to which.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, time};
use elfmem_store::{Context, ContextQuery, CountedContext, Enrolment, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::blocks::{json, stamp};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// Living blocks that the view sees, enrolled in the context of the row.
const REFERENCES: &str = "(SELECT count(DISTINCT block_id) FROM enrolments JOIN blocks ON blocks.id = block_id \
    WHERE context_id = contexts.id AND status <> 'archived' AND instr(?1, '\u{1f}' || enrolments.scope || '\u{1f}') \
    AND instr(?1, '\u{1f}' || blocks.scope || '\u{1f}'))";

/// In the view's scopes, which are bound as `?1`.
pub(crate) const VISIBLE: &str = "instr(?1, '\u{1f}' || contexts.scope || '\u{1f}')";

pub(crate) const ENROLMENT_COLUMNS: &str = "block_id, context_id, is_primary, enrolments.created_at";

/// Where the enrolment and its block are both seen.
pub(crate) const ENROLMENT_VISIBLE: &str = "instr(?1, '\u{1f}' || enrolments.scope || '\u{1f}') \
    AND instr(?1, '\u{1f}' || blocks.scope || '\u{1f}')";

fn counted_from_row(row: &Row<'_>) -> rusqlite::Result<CountedContext> {
    let context = from_row(row)?;
    Ok(CountedContext { context, reference_count: row.get::<_, i64>(2)?.max(0) as u64 })
}

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Context> {
    let id = ContextId::from_stored(&row.get::<_, String>(0)?);
    Ok(Context { id, created_at: stamp(1, &row.get::<_, String>(1)?)? })
}

pub(crate) fn enrolment_from_row(row: &Row<'_>) -> rusqlite::Result<Enrolment> {
    Ok(Enrolment {
        block_id: BlockId::from_stored(&row.get::<_, String>(0)?),
        context_id: ContextId::from_stored(&row.get::<_, String>(1)?),
        primary: row.get(2)?,
        created_at: stamp(3, &row.get::<_, String>(3)?)?,
    })
}

pub(crate) fn get(connection: &Connection, scopes: &str, id: &ContextId) -> Result<Option<CountedContext>> {
    let sql = format!("SELECT id, min(created_at), {REFERENCES} FROM contexts WHERE id = ?2 AND {VISIBLE} GROUP BY id");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([scopes, id.as_str()], counted_from_row).optional().or_store_error()
}

/// Returns the statement that selects the contexts of a query. `?2` to `?4` are its kind, its text and its least number of references.
fn selected_sql() -> String {
    format!(
        "SELECT id, min(created_at) AS created_at, {REFERENCES} AS reference_count FROM contexts WHERE {VISIBLE} \
         AND (?2 IS NULL OR substr(id, 1, instr(id, ':') - 1) = ?2) AND (?3 IS NULL OR instr(id, ?3)) \
         GROUP BY id HAVING reference_count >= ?4"
    )
}

pub(crate) fn list(connection: &Connection, scopes: &str, query: &ContextQuery) -> Result<Vec<CountedContext>> {
    let sql = format!(
        "SELECT id, created_at, reference_count FROM ({}) ORDER BY reference_count DESC, id LIMIT ?5 OFFSET ?6",
        selected_sql()
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let limit = query.limit.map_or(-1, i64::from);
    let least = i64::try_from(query.least_references).unwrap_or(i64::MAX);
    let values = params![scopes, query.kind, query.text, least, limit, query.offset];
    let rows = statement.query_map(values, counted_from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn count(connection: &Connection, scopes: &str, query: &ContextQuery) -> Result<Vec<(String, u64)>> {
    let sql = format!(
        "SELECT substr(id, 1, instr(id, ':') - 1) AS kind, count(*) FROM ({}) GROUP BY kind ORDER BY kind",
        selected_sql()
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let least = i64::try_from(query.least_references).unwrap_or(i64::MAX);
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?.max(0) as u64));
    let rows = statement.query_map(params![scopes, query.kind, query.text, least], read).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Stores a context unless it is there; whether it was stored.
pub(crate) fn insert(connection: &Connection, scope: &str, context: &Context) -> Result<bool> {
    let sql = "INSERT INTO contexts (scope, id, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let stored =
        statement.execute(params![scope, context.id.as_str(), time::to_iso(context.created_at)]).or_store_error()?;
    Ok(stored > 0)
}

/// The earliest row of a context that some scopes see.
pub(crate) fn first(connection: &Connection, scopes: &str, id: &ContextId) -> Result<Option<Context>> {
    let sql = format!("SELECT id, created_at FROM contexts WHERE id = ?2 AND {VISIBLE} ORDER BY created_at LIMIT 1");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([scopes, id.as_str()], from_row).optional().or_store_error()
}

/// Replaces a context of a scope.
pub(crate) fn update(connection: &Connection, scope: &str, context: &Context) -> Result<()> {
    let sql = "UPDATE contexts SET created_at = ?3 WHERE scope = ?1 AND id = ?2";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute(params![scope, context.id.as_str(), time::to_iso(context.created_at)]).or_store_error()?;
    Ok(())
}

pub(crate) fn own(connection: &Connection, scope: &str, id: &ContextId) -> Result<Option<Context>> {
    let sql = "SELECT id, created_at FROM contexts WHERE scope = ?1 AND id = ?2";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.query_row([scope, id.as_str()], from_row).optional().or_store_error()
}

pub(crate) fn delete(connection: &Connection, scope: &str, id: &ContextId) -> Result<()> {
    let mut statement =
        connection.prepare_cached("DELETE FROM contexts WHERE scope = ?1 AND id = ?2").or_store_error()?;
    statement.execute([scope, id.as_str()]).or_store_error()?;
    Ok(())
}

pub(crate) fn enrolments_of(connection: &Connection, scopes: &str, blocks: &[BlockId]) -> Result<Vec<Enrolment>> {
    let sql = format!(
        "SELECT {ENROLMENT_COLUMNS} FROM enrolments JOIN blocks ON blocks.id = block_id \
         WHERE block_id IN (SELECT value FROM json_each(?2)) AND {ENROLMENT_VISIBLE} \
         ORDER BY block_id, is_primary DESC, enrolments.created_at, context_id"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params![scopes, json(blocks)], enrolment_from_row).or_store_error()?;
    let mut found: Vec<Enrolment> = rows.collect::<rusqlite::Result<_>>().or_store_error()?;
    // Two scopes may hold the same enrolment.
    found.dedup_by(|later, kept| later.block_id == kept.block_id && later.context_id == kept.context_id);
    Ok(found)
}

pub(crate) fn enrolled(connection: &Connection, scopes: &str, context: &ContextId) -> Result<Vec<Enrolment>> {
    let sql = format!(
        "SELECT {ENROLMENT_COLUMNS} FROM enrolments JOIN blocks ON blocks.id = block_id \
         WHERE context_id = ?2 AND status <> 'archived' AND {ENROLMENT_VISIBLE} GROUP BY block_id \
         ORDER BY enrolments.created_at, blocks.position"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map([scopes, context.as_str()], enrolment_from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn enrolment(
    connection: &Connection,
    scope: &str,
    block: &BlockId,
    context: &ContextId,
) -> Result<Option<Enrolment>> {
    let sql =
        format!("SELECT {ENROLMENT_COLUMNS} FROM enrolments WHERE scope = ?1 AND block_id = ?2 AND context_id = ?3");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([scope, block.as_str(), context.as_str()], enrolment_from_row).optional().or_store_error()
}

/// Stores an enrolment unless the scope has one of the two; whether it was stored.
pub(crate) fn insert_enrolment(connection: &Connection, scope: &str, enrolment: &Enrolment) -> Result<bool> {
    let sql = "INSERT INTO enrolments (scope, block_id, context_id, is_primary, created_at) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (block_id, context_id, scope) DO NOTHING";
    write_enrolment(connection, sql, scope, enrolment)
}

/// Replaces an enrolment of a scope.
pub(crate) fn update_enrolment(connection: &Connection, scope: &str, enrolment: &Enrolment) -> Result<()> {
    let sql = "UPDATE enrolments SET is_primary = ?4, created_at = ?5 \
               WHERE scope = ?1 AND block_id = ?2 AND context_id = ?3";
    write_enrolment(connection, sql, scope, enrolment).map(drop)
}

/// Binds an enrolment to a statement; whether a row was written.
fn write_enrolment(connection: &Connection, sql: &str, scope: &str, enrolment: &Enrolment) -> Result<bool> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![
            scope,
            enrolment.block_id.as_str(),
            enrolment.context_id.as_str(),
            enrolment.primary,
            time::to_iso(enrolment.created_at),
        ])
        .or_store_error()?;
    Ok(written > 0)
}

pub(crate) fn delete_enrolment(connection: &Connection, scope: &str, enrolment: &Enrolment) -> Result<()> {
    let sql = "DELETE FROM enrolments WHERE scope = ?1 AND block_id = ?2 AND context_id = ?3";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute([scope, enrolment.block_id.as_str(), enrolment.context_id.as_str()]).or_store_error()?;
    Ok(())
}
