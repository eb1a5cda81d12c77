//! Link rows, and what links did to blocks.

use elfmem_core::{BlockId, Confidence, Evidence, Link, LinkEffect, LinkEnd, LinkKey, LinkOrigin, LinkType, time};
use elfmem_store::{LinkQuery, StoreError};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use crate::blocks::{stamp, unreadable};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) const COLUMNS: &str = "from_end, link_type, to_end, sequence, origin, event_id, note, links.created_at";

pub(crate) const EFFECT_COLUMNS: &str = "from_end, link_type, to_end, block_id, sequence, confidence_before, \
    confidence_after, evidence_before, link_effects.created_at, ceiling";

/// In the view's scopes, which are bound as `?1`, and with no end at a block that cannot be seen.
pub(crate) const VISIBLE: &str = "instr(?1, '\u{1f}' || links.scope || '\u{1f}') \
    AND (instr(from_end, ':') OR EXISTS (SELECT 1 FROM blocks WHERE id = from_end \
        AND instr(?1, '\u{1f}' || blocks.scope || '\u{1f}'))) \
    AND (instr(to_end, ':') OR EXISTS (SELECT 1 FROM blocks WHERE id = to_end \
        AND instr(?1, '\u{1f}' || blocks.scope || '\u{1f}')))";

fn key_from_row(row: &Row<'_>) -> rusqlite::Result<LinkKey> {
    let (from, name, to): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let link_type = LinkType::parse(&name).ok_or_else(|| unreadable(1, format!("unknown type of link '{name}'")))?;
    Ok(LinkKey { from: LinkEnd::from_stored(&from), link_type, to: LinkEnd::from_stored(&to) })
}

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Link> {
    let origin: String = row.get(4)?;
    Ok(Link {
        key: key_from_row(row)?,
        sequence: row.get::<_, i64>(3)?.max(0) as u64,
        origin: LinkOrigin::from_name(&origin).ok_or_else(|| unreadable(4, format!("unknown origin '{origin}'")))?,
        event_id: row.get(5)?,
        note: row.get(6)?,
        created_at: stamp(7, &row.get::<_, String>(7)?)?,
    })
}

pub(crate) fn effect_from_row(row: &Row<'_>) -> rusqlite::Result<LinkEffect> {
    Ok(LinkEffect {
        key: key_from_row(row)?,
        block_id: BlockId::from_stored(&row.get::<_, String>(3)?),
        sequence: row.get::<_, i64>(4)?.max(0) as u64,
        confidence_before: Confidence::saturating(row.get(5)?),
        confidence_after: Confidence::saturating(row.get(6)?),
        evidence_before: Evidence::new(row.get(7)?),
        created_at: stamp(8, &row.get::<_, String>(8)?)?,
        ceiling: row.get::<_, Option<f64>>(9)?.map(Confidence::saturating),
    })
}

pub(crate) fn get(connection: &Connection, scopes: &str, key: &LinkKey) -> Result<Option<Link>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM links WHERE from_end = ?2 AND link_type = ?3 AND to_end = ?4 AND {VISIBLE} \
         ORDER BY sequence LIMIT 1"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let values = [scopes, key.from.as_str(), key.link_type.as_str(), key.to.as_str()];
    statement.query_row(values, from_row).optional().or_store_error()
}

pub(crate) fn list(connection: &Connection, scopes: &str, query: &LinkQuery) -> Result<Vec<Link>> {
    let mut values: Vec<Value> = vec![scopes.to_owned().into()];
    let mut conditions = vec![VISIBLE.to_owned()];
    for (column, ends) in [("from_end", &query.from), ("to_end", &query.to)] {
        if let Some(ends) = ends {
            values.push(serde_json::to_string(ends).unwrap_or_default().into());
            conditions.push(format!("{column} IN (SELECT value FROM json_each(?{}))", values.len()));
        }
    }
    if let Some(link_type) = query.link_type {
        values.push(link_type.as_str().to_owned().into());
        conditions.push(format!("link_type = ?{}", values.len()));
    }
    if query.unresolved {
        conditions.push(
            "instr(to_end, ':') AND NOT EXISTS (SELECT 1 FROM contexts WHERE id = to_end \
             AND instr(?1, '\u{1f}' || contexts.scope || '\u{1f}'))"
                .to_owned(),
        );
    }
    let sql = format!(
        "SELECT {COLUMNS} FROM links WHERE {} ORDER BY sequence LIMIT {}",
        conditions.join(" AND "),
        query.limit.map_or(-1, i64::from)
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params_from_iter(values), from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The link of a scope of its own.
pub(crate) fn own(connection: &Connection, scope: &str, key: &LinkKey) -> Result<Option<Link>> {
    let sql =
        format!("SELECT {COLUMNS} FROM links WHERE scope = ?1 AND from_end = ?2 AND link_type = ?3 AND to_end = ?4");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let values = [scope, key.from.as_str(), key.link_type.as_str(), key.to.as_str()];
    statement.query_row(values, from_row).optional().or_store_error()
}

/// Stores a link unless the scope has one of its key; whether it was stored.
pub(crate) fn insert(connection: &Connection, scope: &str, link: &Link) -> Result<bool> {
    let sql = "INSERT INTO links (sequence, scope, from_end, link_type, to_end, origin, event_id, note, created_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING";
    write(connection, sql, Some(link.sequence), scope, link)
}

/// Replaces a link of a scope, which keeps its number.
pub(crate) fn update(connection: &Connection, scope: &str, link: &Link) -> Result<()> {
    let sql = "UPDATE links SET origin = ?6, event_id = ?7, note = ?8, created_at = ?9 \
               WHERE scope = ?2 AND from_end = ?3 AND link_type = ?4 AND to_end = ?5 AND ?1 IS NULL";
    write(connection, sql, None, scope, link).map(drop)
}

/// Binds a link to a statement; whether a row was written.
fn write(connection: &Connection, sql: &str, sequence: Option<u64>, scope: &str, link: &Link) -> Result<bool> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![
            sequence.map(|sequence| sequence as i64),
            scope,
            link.key.from.as_str(),
            link.key.link_type.as_str(),
            link.key.to.as_str(),
            link.origin.as_str(),
            link.event_id,
            link.note,
            time::to_iso(link.created_at),
        ])
        .or_store_error()?;
    Ok(written > 0)
}

/// Removes the links at a block, whatever their scope.
pub(crate) fn delete_at(connection: &Connection, block: &BlockId) -> Result<()> {
    let mut statement =
        connection.prepare_cached("DELETE FROM links WHERE from_end = ?1 OR to_end = ?1").or_store_error()?;
    statement.execute([block.as_str()]).or_store_error()?;
    Ok(())
}

pub(crate) fn delete(connection: &Connection, scope: &str, key: &LinkKey) -> Result<()> {
    let sql = "DELETE FROM links WHERE scope = ?1 AND from_end = ?2 AND link_type = ?3 AND to_end = ?4";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute([scope, key.from.as_str(), key.link_type.as_str(), key.to.as_str()]).or_store_error()?;
    Ok(())
}

/// Effects on blocks in the view's scopes, which are bound as `?1`.
fn effects(connection: &Connection, condition: &str, values: impl rusqlite::Params) -> Result<Vec<LinkEffect>> {
    let sql = format!(
        "SELECT {EFFECT_COLUMNS} FROM link_effects JOIN blocks ON blocks.id = block_id WHERE {condition} \
         AND instr(?1, '\u{1f}' || scope || '\u{1f}') ORDER BY block_id, sequence"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(values, effect_from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn effects_on(connection: &Connection, scopes: &str, block: &BlockId) -> Result<Vec<LinkEffect>> {
    effects(connection, "block_id = ?2", params![scopes, block.as_str()])
}

pub(crate) fn effects_of(connection: &Connection, scopes: &str, key: &LinkKey) -> Result<Vec<LinkEffect>> {
    effects(
        connection,
        "from_end = ?2 AND link_type = ?3 AND to_end = ?4",
        params![scopes, key.from.as_str(), key.link_type.as_str(), key.to.as_str()],
    )
}

pub(crate) fn effect(connection: &Connection, key: &LinkKey, block: &BlockId) -> Result<Option<LinkEffect>> {
    let sql = format!(
        "SELECT {EFFECT_COLUMNS} FROM link_effects \
         WHERE block_id = ?1 AND from_end = ?2 AND link_type = ?3 AND to_end = ?4"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let values = [block.as_str(), key.from.as_str(), key.link_type.as_str(), key.to.as_str()];
    statement.query_row(values, effect_from_row).optional().or_store_error()
}

/// Stores the effect of a link on a block unless there is one; whether it was stored.
pub(crate) fn insert_effect(connection: &Connection, effect: &LinkEffect) -> Result<bool> {
    let sql = "INSERT INTO link_effects (block_id, from_end, link_type, to_end, sequence, confidence_before, \
               confidence_after, evidence_before, created_at, ceiling) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
               ON CONFLICT DO NOTHING";
    write_effect(connection, sql, effect)
}

/// Replaces the effect of a link on a block.
pub(crate) fn update_effect(connection: &Connection, effect: &LinkEffect) -> Result<()> {
    let sql = "UPDATE link_effects SET sequence = ?5, confidence_before = ?6, confidence_after = ?7, evidence_before = ?8, \
               created_at = ?9, ceiling = ?10 WHERE block_id = ?1 AND from_end = ?2 AND link_type = ?3 AND to_end = ?4";
    write_effect(connection, sql, effect).map(drop)
}

/// Binds an effect to a statement; whether a row was written.
fn write_effect(connection: &Connection, sql: &str, effect: &LinkEffect) -> Result<bool> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![
            effect.block_id.as_str(),
            effect.key.from.as_str(),
            effect.key.link_type.as_str(),
            effect.key.to.as_str(),
            effect.sequence as i64,
            effect.confidence_before.get(),
            effect.confidence_after.get(),
            effect.evidence_before.get(),
            time::to_iso(effect.created_at),
            effect.ceiling.map(Confidence::get),
        ])
        .or_store_error()?;
    Ok(written > 0)
}

pub(crate) fn delete_effect(connection: &Connection, key: &LinkKey, block: &BlockId) -> Result<()> {
    let sql = "DELETE FROM link_effects WHERE block_id = ?1 AND from_end = ?2 AND link_type = ?3 AND to_end = ?4";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let values = [block.as_str(), key.from.as_str(), key.link_type.as_str(), key.to.as_str()];
    statement.execute(values).or_store_error()?;
    Ok(())
}
