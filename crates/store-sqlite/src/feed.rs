//! Reading for indexes that other processes keep: whole tables at once, and what changed since.

use elfmem_core::edge::effective_weight;
use elfmem_core::{BlockId, BlockStatus, EdgeKey, EdgeWeight, time};
use elfmem_store::{Aspect, BlockChange, BlockFilter, IndexRow, LinkRow, Standing, StoreError};
use rusqlite::{Connection, Row, ToSql, params};

use crate::blocks::{conversion, glob, json, stamp, unreadable};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// Whether a block is in one of the scopes bound as `?1`; answered by the index over ids and scopes alone.
const VISIBLE: &str = "instr(?1, '\u{1f}' || blocks.scope || '\u{1f}')";

/// Visits every inbox and active block, or those among `ids`.
pub(crate) fn visit_rows(
    connection: &Connection,
    scopes: &str,
    model: &str,
    ids: Option<&[BlockId]>,
    visit: &mut dyn FnMut(IndexRow<'_>),
) -> Result<()> {
    // Most blocks are wanted, so going through them beats looking each one up in an index: the plus keeps SQLite from it.
    let (source, visible) = match ids {
        Some(_) => ("json_each(?3) AS wanted CROSS JOIN blocks ON blocks.id = wanted.value", VISIBLE),
        None if sees_everything(connection, scopes)? => ("blocks", "?1 IS NOT NULL"),
        None => ("blocks", VISIBLE),
    };
    let sql = format!(
        "SELECT blocks.id, status, pinned, reinforcement_count, confidence, decay_lambda, last_reinforced_at, created_at, \
         event_at, last_session_id, blocks.rowid, cue, CASE WHEN embedding_model = ?2 THEN embedding END, source, \
         content FROM {source} \
         WHERE +status IN ('inbox', 'active') AND {visible}"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let mut rows = match ids {
        Some(ids) => statement.query(params![scopes, model, json(ids)]),
        None => statement.query(params![scopes, model]),
    }
    .or_store_error()?;
    let mut numbers = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        visit(index_row(row, &mut numbers).or_store_error()?);
    }
    Ok(())
}

/// Numbers are read into a list that is used again: a hundred thousand allocations are felt at the start of a program.
fn index_row<'a>(row: &'a Row<'_>, numbers: &'a mut Vec<f32>) -> rusqlite::Result<IndexRow<'a>> {
    let text = |at: usize| row.get_ref(at)?.as_str().map_err(|error| conversion(at, error));
    let optional = |at: usize| row.get_ref(at)?.as_str_or_null().map_err(|error| conversion(at, error));
    let status = text(1)?;
    let happened = match optional(8)? {
        Some(event) => stamp(8, event)?,
        None => stamp(7, text(7)?)?,
    };
    let bytes = row.get_ref(12)?.as_blob_or_null().map_err(|error| conversion(12, error))?;
    numbers.clear();
    numbers.extend(bytes.unwrap_or_default().as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)));
    Ok(IndexRow {
        id: BlockId::from_stored(text(0)?),
        standing: Standing {
            status: BlockStatus::from_name(status)
                .ok_or_else(|| unreadable(1, format!("unknown status '{status}'")))?,
            pinned: row.get(2)?,
            reinforcement_count: row.get::<_, i64>(3)?.clamp(0, i64::from(u32::MAX)) as u32,
            confidence: row.get::<_, f64>(4)?.clamp(0.0, 1.0) as f32,
            decay_lambda: row.get(5)?,
            last_reinforced_at: row.get(6)?,
            happened_at: happened.as_second(),
        },
        source: text(13)?,
        session: optional(9)?,
        order: row.get(10)?,
        asking: text(14)?.trim_end().ends_with('?'),
        cue: optional(11)?.filter(|cue| !cue.is_empty()),
        vector: bytes.is_some().then_some(numbers.as_slice()),
    })
}

/// How many words each searchable block counts as, all of them or those among `ids`.
pub(crate) fn lengths(connection: &Connection, scopes: &str, ids: Option<&[BlockId]>) -> Result<Vec<(BlockId, u32)>> {
    let read = |row: &Row<'_>| {
        let id = row.get_ref(0)?.as_str().map_err(|error| conversion(0, error))?;
        Ok((BlockId::from_stored(id), row.get(1)?))
    };
    let rows = |sql: &str, values: &[&dyn ToSql]| -> Result<Vec<(BlockId, u32)>> {
        let mut statement = connection.prepare_cached(sql).or_store_error()?;
        let rows = statement.query_map(values, read).or_store_error()?;
        rows.collect::<rusqlite::Result<_>>().or_store_error()
    };
    match ids {
        None if sees_everything(connection, scopes)? => rows("SELECT block_id, length FROM search_documents", &[]),
        None => rows(
            &format!(
                "SELECT block_id, length FROM search_documents CROSS JOIN blocks INDEXED BY idx_blocks_id_scope \
                 ON blocks.id = block_id WHERE {VISIBLE}"
            ),
            &[&scopes],
        ),
        Some(ids) => rows(
            &format!(
                "SELECT block_id, length FROM json_each(?2) AS wanted CROSS JOIN search_documents \
                 ON block_id = wanted.value CROSS JOIN blocks ON blocks.id = block_id WHERE {VISIBLE}"
            ),
            &[&scopes, &json(ids)],
        ),
    }
}

/// Whether no block is hidden from the scopes: most memories have one scope, and reading two tables side by side costs
/// several times as much as reading one after the other.
fn sees_everything(connection: &Connection, scopes: &str) -> Result<bool> {
    let sql = format!("SELECT NOT EXISTS (SELECT 1 FROM blocks INDEXED BY idx_blocks_id_scope WHERE NOT {VISIBLE})");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([scopes], |row| row.get(0)).or_store_error()
}

/// The blocks that hold a word, and how often in the text, the cue and the tags.
pub(crate) fn word_holders(connection: &Connection, scopes: &str, word: &str) -> Result<Vec<(BlockId, [u32; 3])>> {
    let sql = "SELECT doc, col FROM search_instances WHERE term = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([word]).or_store_error()?;
    let mut counted: Vec<(i64, [u32; 3])> = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        let document: i64 = row.get(0).or_store_error()?;
        let column = row.get_ref(1).or_store_error()?.as_str().map_err(StoreError::driver)?;
        let field = match column {
            "content" => 0,
            "cue" => 1,
            _ => 2,
        };
        if counted.last().is_none_or(|(last, _)| *last != document) {
            counted.push((document, [0; 3]));
        }
        if let Some((_, counts)) = counted.last_mut() {
            counts[field] += 1;
        }
    }
    let sql = format!(
        "SELECT block_id FROM search_documents CROSS JOIN blocks INDEXED BY idx_blocks_id_scope \
         ON blocks.id = block_id WHERE document = ?2 AND {VISIBLE}"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let mut holders = Vec::with_capacity(counted.len());
    for (document, counts) in counted {
        let mut rows = statement.query(params![scopes, document]).or_store_error()?;
        if let Some(row) = rows.next().or_store_error()? {
            let id = row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?;
            holders.push((BlockId::from_stored(id), counts));
        }
    }
    Ok(holders)
}

/// What operations after a number changed, each block once with the most that changed about it, in id order.
pub(crate) fn changes_after(connection: &Connection, position: i64) -> Result<Vec<BlockChange>> {
    // The plus keeps SQLite from walking the index over all ids: what is wanted is the newest end of the table.
    let sql = "SELECT entity, +entity_id, other_id, before_json, after_json FROM journal_changes WHERE seq > ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([position]).or_store_error()?;
    let (mut changes, mut apart): (Vec<BlockChange>, Vec<BlockChange>) = Default::default();
    while let Some(row) = rows.next().or_store_error()? {
        let text = |at: usize| -> Result<Option<&str>> {
            row.get_ref(at).or_store_error()?.as_str_or_null().map_err(StoreError::driver)
        };
        let aspect = match text(0)? {
            Some("block") => block_aspect(text(3)?, text(4)?),
            Some("edge") => Aspect::Edges,
            Some("contradiction") => Aspect::Contradictions,
            _ => continue,
        };
        // An edge and a contradiction are followed apart from the rest; of the other aspects the largest says it all.
        let into = if matches!(aspect, Aspect::Edges | Aspect::Contradictions) { &mut apart } else { &mut changes };
        for id in [text(1)?, text(2)?].into_iter().flatten() {
            into.push(BlockChange { id: BlockId::from_stored(id), aspect });
        }
    }
    changes.sort_unstable_by(|a, b| a.id.cmp(&b.id).then(b.aspect.cmp(&a.aspect)));
    changes.dedup_by(|later, kept| later.id == kept.id);
    changes.append(&mut apart);
    changes.sort_unstable_by(|a, b| a.id.cmp(&b.id).then(b.aspect.cmp(&a.aspect)));
    changes.dedup();
    Ok(changes)
}

/// What a changed row of a block means, told by the names of the fields that differ.
fn block_aspect(before: Option<&str>, after: Option<&str>) -> Aspect {
    const USE: [&str; 2] = ["reinforcement_count", "last_reinforced_at"];
    const TEXT: [&str; 8] =
        ["status", "tags", "cue", "content", "embedding_model", "category", "last_session_id", "event_at"];
    let (Some(_), Some(after)) = (before, after) else { return Aspect::Text };
    let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(after) else { return Aspect::Text };
    if fields.keys().all(|name| USE.contains(&name.as_str())) {
        Aspect::Use
    } else if fields.keys().any(|name| TEXT.contains(&name.as_str())) {
        Aspect::Text
    } else {
        Aspect::Standing
    }
}

/// Ids of inbox and active blocks that a filter lets in.
pub(crate) fn filtered(connection: &Connection, scopes: &str, filter: &BlockFilter) -> Result<Vec<BlockId>> {
    const MATCHES: &str = "tag GLOB ? AND tag >= ? AND tag <= ?";
    let mut conditions = vec![
        "instr(?, '\u{1f}' || scope || '\u{1f}')".to_owned(),
        // Few blocks carry a given tag and most are active: the plus keeps SQLite from starting with the status.
        "+status IN ('inbox', 'active')".to_owned(),
    ];
    let mut values: Vec<Box<dyn ToSql>> = vec![Box::new(scopes.to_owned())];
    // The range lets the index find where a pattern can match at all: a plan is kept whatever is bound.
    let bound = |tag: &String| -> [Box<dyn ToSql>; 3] {
        let prefix = tag.split('%').next().unwrap_or_default();
        [Box::new(glob(tag)), Box::new(prefix.to_owned()), Box::new(format!("{prefix}\u{10ffff}"))]
    };
    if !filter.any_tag.is_empty() {
        let any = vec![format!("SELECT block_id FROM block_tags WHERE {MATCHES}"); filter.any_tag.len()];
        conditions.push(format!("blocks.id IN ({})", any.join(" UNION ")));
        values.extend(filter.any_tag.iter().flat_map(bound));
    }
    for tag in &filter.all_tags {
        conditions.push(format!("blocks.id IN (SELECT block_id FROM block_tags WHERE {MATCHES})"));
        values.extend(bound(tag));
    }
    if !filter.categories.is_empty() {
        conditions.push(format!("category IN ({})", vec!["?"; filter.categories.len()].join(", ")));
        values.extend(filter.categories.iter().map(|category| Box::new(category.clone()) as Box<dyn ToSql>));
    }
    for (bound, condition) in
        [(filter.since, "coalesce(event_at, created_at) >= ?"), (filter.until, "coalesce(event_at, created_at) < ?")]
    {
        if let Some(at) = bound {
            conditions.push(condition.to_owned());
            values.push(Box::new(time::to_iso(at)));
        }
    }
    let sql = format!("SELECT id FROM blocks WHERE {} ORDER BY id", conditions.join(" AND "));
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let mut rows = statement.query(rusqlite::params_from_iter(values.iter())).or_store_error()?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        found.push(BlockId::from_stored(row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?));
    }
    Ok(found)
}

/// The edges of each block to others that are seen too.
pub(crate) fn links_of(connection: &Connection, scopes: &str, ids: &[BlockId]) -> Result<Vec<LinkRow>> {
    const COLUMNS: &str = "from_id, to_id, weight, edges.reinforcement_count, relation_type = 'contradicts'";
    let sql = format!(
        "SELECT {COLUMNS} FROM edges CROSS JOIN blocks INDEXED BY idx_blocks_id_scope ON blocks.id = to_id \
         WHERE from_id = ?2 AND {VISIBLE} UNION ALL \
         SELECT {COLUMNS} FROM edges CROSS JOIN blocks INDEXED BY idx_blocks_id_scope ON blocks.id = from_id \
         WHERE to_id = ?2 AND {VISIBLE}"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let mut found = Vec::new();
    for id in ids {
        let mut rows = statement.query(params![scopes, id.as_str()]).or_store_error()?;
        while let Some(row) = rows.next().or_store_error()? {
            found.push(link_row(row).or_store_error()?);
        }
    }
    Ok(found)
}

fn link_row(row: &Row<'_>) -> rusqlite::Result<LinkRow> {
    let end = |at: usize| -> rusqlite::Result<BlockId> {
        Ok(BlockId::from_stored(row.get_ref(at)?.as_str().map_err(|error| conversion(at, error))?))
    };
    let count = row.get::<_, i64>(3)?.clamp(0, i64::from(u32::MAX)) as u32;
    Ok(LinkRow {
        key: EdgeKey { from_id: end(0)?, to_id: end(1)? },
        weight: effective_weight(EdgeWeight::saturating(row.get(2)?).get(), count),
        contradicts: row.get(4)?,
    })
}
