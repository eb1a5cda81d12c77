//! Block rows.

use std::collections::HashMap;

use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockStatus, BroughtBy, Category, Confidence, DecayRate, DecayTier,
    Evidence, Scope, SessionId, Tag, Timestamp, time,
};
use elfmem_store::{
    BlockCounts, BlockOrder, BlockQuery, BlockState, BlockText, DocumentQuery, FadingQuery, LearnedState,
    ReplacedQuery, StoreError,
};
use rusqlite::types::{FromSqlError, Type};
use rusqlite::{Connection, OptionalExtension, Row, Statement, ToSql, params};
use serde::de::DeserializeOwned;

use crate::errors::OrStoreError;
use crate::visibility::Sight;

type Result<T> = std::result::Result<T, StoreError>;

/// Every column of a [`Block`], tags as a JSON array; `from_row` reads them by position.
pub(crate) const COLUMNS: &str = "blocks.id, content, category, source, created_at, status, archive_reason, confidence, outcome_evidence, \
    reinforcement_count, decay_lambda, last_reinforced_at, self_alignment, embedding_model, token_count, \
    last_session_id, scope, summary, pinned, cue, event_at, superseded_by, last_scored_at, revision, \
    (SELECT json_group_array(tag) FROM (SELECT tag FROM block_tags WHERE block_id = blocks.id ORDER BY tag)), \
    surface, client, document_name, source_peer, parts_json, replacement_json";

/// How many columns come before a further one in a query.
pub(crate) const COLUMN_COUNT: usize = 31;

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Block> {
    let text = |at: usize| row.get_ref(at)?.as_str().map_err(|error| conversion(at, error));
    let optional = |at: usize| row.get_ref(at)?.as_str_or_null().map_err(|error| conversion(at, error));
    let tags = text(24)?;
    Ok(Block {
        id: BlockId::from_stored(text(0)?),
        content: text(1)?.to_owned(),
        category: Category::from_stored(text(2)?),
        source: text(3)?.to_owned(),
        created_at: stamp(4, text(4)?)?,
        status: status_at(row, 5)?,
        archive_reason: optional(6)?.and_then(ArchiveReason::from_name),
        confidence: Confidence::saturating(row.get(7)?),
        outcome_evidence: Evidence::new(row.get(8)?),
        reinforcement_count: row.get::<_, i64>(9)?.clamp(0, i64::from(u32::MAX)) as u32,
        decay_lambda: DecayRate::new(row.get(10)?),
        last_reinforced_at: ActiveHours::new(row.get(11)?),
        self_alignment: row.get(12)?,
        embedding_model: row.get(13)?,
        token_count: row.get(14)?,
        last_session_id: optional(15)?.map(SessionId::from_stored),
        scope: Scope::from_stored(text(16)?),
        summary: row.get(17)?,
        pinned: row.get(18)?,
        cue: row.get(19)?,
        event_at: optional(20)?.map(|text| stamp(20, text)).transpose()?,
        superseded_by: optional(21)?.map(BlockId::from_stored),
        last_scored_at: optional(22)?.map(|text| stamp(22, text)).transpose()?,
        revision: row.get::<_, i64>(23)?.max(0) as u64,
        tags: if tags == "[]" { Vec::new() } else { from_json(24, tags)? },
        brought_by: BroughtBy {
            surface: row.get(25)?,
            client: row.get(26)?,
            document: row.get(27)?,
            peer: row.get(28)?,
        },
        parts: optional(29)?.map(|json| from_json(29, json)).transpose()?.unwrap_or_default(),
        replacement: optional(30)?.map(|json| from_json(30, json)).transpose()?,
    })
}

/// Reads the JSON in a column.
fn from_json<T: DeserializeOwned>(column: usize, json: &str) -> rusqlite::Result<T> {
    serde_json::from_str(json).map_err(|error| unreadable(column, error.to_string()))
}

/// The places of a block in documents as JSON; none for no places.
fn parts_json(block: &Block) -> Option<String> {
    (!block.parts.is_empty()).then(|| serde_json::json!(block.parts).to_string())
}

/// The replacement of a block as JSON.
fn replacement_json(block: &Block) -> Option<String> {
    block.replacement.as_ref().map(|replacement| serde_json::json!(replacement).to_string())
}

pub(crate) fn stamp(column: usize, text: &str) -> rusqlite::Result<Timestamp> {
    time::from_iso(text).ok_or_else(|| unreadable(column, format!("'{text}' is not a time")))
}

pub(crate) fn conversion(column: usize, error: FromSqlError) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
}

pub(crate) fn unreadable(column: usize, reason: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, reason.into())
}

pub(crate) fn get(connection: &Connection, scopes: &str, id: &BlockId) -> Result<Option<Block>> {
    let sql = format!("SELECT {COLUMNS} FROM blocks WHERE id = ?1 AND instr(?2, '\u{1f}' || scope || '\u{1f}')");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row(params![id.as_str(), scopes], from_row).optional().or_store_error()
}

/// Whether a block is there, without reading it.
pub(crate) fn exists(connection: &Connection, scopes: &str, id: &BlockId) -> Result<bool> {
    let sql = "SELECT 1 FROM blocks INDEXED BY idx_blocks_id_scope WHERE id = ?1 AND instr(?2, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.exists(params![id.as_str(), scopes]).or_store_error()
}

/// Whether an id names a block of a scope that is not visible.
pub(crate) fn is_hidden(connection: &Connection, scopes: &str, id: &BlockId) -> Result<bool> {
    let sql = "SELECT 1 FROM blocks INDEXED BY idx_blocks_id_scope \
               WHERE id = ?1 AND NOT instr(?2, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.exists([id.as_str(), scopes]).or_store_error()
}

pub(crate) fn get_many(connection: &Connection, scopes: &str, ids: &[BlockId]) -> Result<Vec<Block>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM json_each(?1) AS wanted CROSS JOIN blocks ON blocks.id = wanted.value \
         WHERE instr(?2, '\u{1f}' || scope || '\u{1f}') ORDER BY wanted.key"
    );
    collect(connection, &sql, params![json(ids), scopes])
}

/// Selects what [`text_of`] reads.
pub(crate) const TEXT_OF: &str =
    "SELECT content, category FROM blocks WHERE id = ?1 AND instr(?2, '\u{1f}' || scope || '\u{1f}')";

/// Reads the text of a block with the prepared [`TEXT_OF`]; none if there is none in the scopes.
pub(crate) fn text_of(statement: &mut Statement<'_>, scopes: &str, id: &BlockId) -> Result<Option<BlockText>> {
    let text = statement.query_row(params![id.as_str(), scopes], |row| {
        let category = row.get_ref(1)?.as_str().map_err(|error| conversion(1, error))?;
        Ok(BlockText { id: id.clone(), content: row.get(0)?, category: Category::from_stored(category) })
    });
    text.optional().or_store_error()
}

pub(crate) fn texts(connection: &Connection, scopes: &str, ids: &[BlockId]) -> Result<Vec<BlockText>> {
    let mut statement = connection.prepare_cached(TEXT_OF).or_store_error()?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.extend(text_of(&mut statement, scopes, id)?);
    }
    Ok(found)
}

pub(crate) fn inbox_ids(connection: &Connection, scopes: &str) -> Result<Vec<BlockId>> {
    let sql = "SELECT id FROM blocks WHERE status = 'inbox' AND instr(?1, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map([scopes], |row| {
        Ok(BlockId::from_stored(row.get_ref(0)?.as_str().map_err(|error| conversion(0, error))?))
    });
    rows.or_store_error()?.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn statuses(
    connection: &Connection,
    scopes: &str,
    ids: &[BlockId],
) -> Result<HashMap<BlockId, BlockStatus>> {
    let sql = "SELECT status FROM blocks WHERE id = ?1 AND instr(?2, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut found = HashMap::with_capacity(ids.len());
    for id in ids {
        let status: Option<String> =
            statement.query_row(params![id.as_str(), scopes], |row| row.get(0)).optional().or_store_error()?;
        if let Some(status) = status.as_deref().and_then(BlockStatus::from_name) {
            found.insert(id.clone(), status);
        }
    }
    Ok(found)
}

pub(crate) fn find_ids(connection: &Connection, scopes: &str, prefix: &str, limit: u32) -> Result<Vec<BlockId>> {
    let sql = "SELECT id FROM blocks WHERE id >= ?1 AND id < ?1 || char(1114111) AND instr(?2, '\u{1f}' || scope || '\u{1f}') ORDER BY id LIMIT ?3";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query(params![prefix, scopes, limit]).or_store_error()?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        found.push(BlockId::from_stored(row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?));
    }
    Ok(found)
}

pub(crate) fn list(connection: &Connection, scopes: &str, query: &BlockQuery) -> Result<Vec<Block>> {
    let order = match query.order {
        BlockOrder::OldestFirst => "created_at, position",
        BlockOrder::NewestFirst => "created_at DESC, position DESC",
        BlockOrder::RecentlyUsedFirst => "last_reinforced_at DESC, created_at DESC, position DESC",
    };
    let QueryConditions { sql: conditions, values } = QueryConditions::of(scopes, query);
    let limit = query.limit.map_or_else(String::new, |limit| format!(" LIMIT {limit}"));
    let sql = format!("SELECT {COLUMNS} FROM blocks WHERE {} ORDER BY {order}{limit}", conditions.join(" AND "));
    collect(connection, &sql, rusqlite::params_from_iter(values.iter()))
}

/// How many blocks meet every condition of a query.
pub(crate) fn count(connection: &Connection, scopes: &str, query: &BlockQuery) -> Result<u64> {
    let QueryConditions { sql: conditions, values } = QueryConditions::of(scopes, query);
    let limit = query.limit.map_or_else(String::new, |limit| format!(" LIMIT {limit}"));
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM blocks WHERE {}{limit})", conditions.join(" AND "));
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let count: i64 =
        statement.query_row(rusqlite::params_from_iter(values.iter()), |row| row.get(0)).or_store_error()?;
    Ok(count.unsigned_abs())
}

/// The conditions of a query, and the values that are bound to them.
struct QueryConditions {
    sql: Vec<&'static str>,
    values: Vec<Box<dyn ToSql>>,
}

impl QueryConditions {
    fn of(scopes: &str, query: &BlockQuery) -> Self {
        let mut all =
            Self { sql: vec!["instr(?1, '\u{1f}' || scope || '\u{1f}')"], values: vec![Box::new(scopes.to_owned())] };
        if let Some(status) = query.status {
            // Few blocks carry a given tag and most are active, so a tag leads the search where there is one (the plus
            // keeps SQLite from starting with the status).
            let led = query.tag_pattern.is_some() || query.document.is_some();
            all.add(if led { "+status = ?" } else { "status = ?" }, vec![Box::new(status.as_str())]);
        }
        if let Some(pattern) = &query.tag_pattern {
            // GLOB, unlike LIKE, minds the case of letters. The range lets the index find where the pattern can match at all.
            let prefix = pattern.split('%').next().unwrap_or_default();
            all.add(
                "blocks.id IN (SELECT block_id FROM block_tags WHERE tag GLOB ? AND tag >= ? AND tag <= ?)",
                vec![Box::new(glob(pattern)), Box::new(prefix.to_owned()), Box::new(format!("{prefix}\u{10ffff}"))],
            );
        }
        if let Some(category) = &query.category {
            all.add("category = ?", vec![Box::new(category.as_str().to_owned())]);
        }
        match &query.document {
            Some(DocumentQuery::Any) => all.add("parts_json IS NOT NULL", vec![]),
            Some(DocumentQuery::Named(name)) => all.add(
                "parts_json IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(parts_json) WHERE value ->> 'document' = ?)",
                vec![Box::new(name.clone())],
            ),
            Some(DocumentQuery::OfSource(source)) => all.add(
                "parts_json IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(parts_json) WHERE value ->> 'source' = ?)",
                vec![Box::new(source.clone())],
            ),
            None => {}
        }
        match query.replaced {
            Some(ReplacedQuery::All) => all.add("replacement_json IS NOT NULL AND +status = 'archived'", vec![]),
            Some(ReplacedQuery::Unreviewed) => all.add(
                "replacement_json IS NOT NULL AND +status = 'archived' \
                 AND NOT coalesce(replacement_json ->> 'reviewed', 0)",
                vec![],
            ),
            None => {}
        }
        all
    }

    fn add(&mut self, sql: &'static str, values: Vec<Box<dyn ToSql>>) {
        self.sql.push(sql);
        self.values.extend(values);
    }
}

/// A pattern in which `%` stands for anything, as SQLite's GLOB writes it.
pub(crate) fn glob(pattern: &str) -> String {
    pattern
        .chars()
        .map(|c| match c {
            '%' => "*".to_owned(),
            '*' | '?' | '[' => format!("[{c}]"),
            other => other.to_string(),
        })
        .collect()
}

pub(crate) fn counts(connection: &Connection, Sight { scopes, everything }: Sight<'_>) -> Result<BlockCounts> {
    // The index of statuses alone is a small part of the pages that the rows lie on.
    let sql = match everything {
        true => "SELECT status, count(*) FROM blocks INDEXED BY idx_blocks_status WHERE ?1 IS NOT NULL GROUP BY status",
        false => "SELECT status, count(*) FROM blocks WHERE instr(?1, '\u{1f}' || scope || '\u{1f}') GROUP BY status",
    };
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([scopes]).or_store_error()?;
    let mut counts = BlockCounts::default();
    while let Some(row) = rows.next().or_store_error()? {
        let count: i64 = row.get(1).or_store_error()?;
        let status: String = row.get(0).or_store_error()?;
        match BlockStatus::from_name(&status) {
            Some(BlockStatus::Inbox) => counts.inbox = count as u64,
            Some(BlockStatus::Active) => counts.active = count as u64,
            Some(BlockStatus::Archived) => counts.archived = count as u64,
            None => {}
        }
    }
    Ok(counts)
}

/// Blocks whose place one took, directly or through others, and those that took its place; without itself, in id order.
pub(crate) fn lineage(connection: &Connection, scopes: &str, id: &BlockId) -> Result<Vec<BlockId>> {
    // `CROSS` keeps SQLite from going through all blocks to find the few kin of one.
    let sql = "WITH RECURSIVE kin (id) AS (VALUES (?1) \
                   UNION SELECT blocks.id FROM kin CROSS JOIN blocks INDEXED BY idx_blocks_superseded_by \
                   ON blocks.superseded_by = kin.id WHERE instr(?2, '\u{1f}' || scope || '\u{1f}') \
                   UNION SELECT blocks.superseded_by FROM kin CROSS JOIN blocks ON blocks.id = kin.id \
                   WHERE blocks.superseded_by IS NOT NULL AND instr(?2, '\u{1f}' || scope || '\u{1f}')) \
               SELECT blocks.id FROM kin CROSS JOIN blocks ON blocks.id = kin.id \
               WHERE blocks.id <> ?1 AND instr(?2, '\u{1f}' || scope || '\u{1f}') ORDER BY blocks.id";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map([id.as_str(), scopes], |row| row.get::<_, String>(0)).or_store_error()?;
    let ids: Vec<String> = rows.collect::<rusqlite::Result<_>>().or_store_error()?;
    Ok(ids.iter().map(|id| BlockId::from_stored(id)).collect())
}

/// Active blocks in a band of recency that were of use, those closest to fading away first.
pub(crate) fn fading(connection: &Connection, scopes: &str, fading: &FadingQuery) -> Result<Vec<Block>> {
    // Recency is exp(-rate × hours), so the band is one of the exponent. No block fades faster than an ephemeral one, so those
    // that were of use since are not looked at: the index over the stamps finds the others.
    let (least, most) = (-fading.up_to.ln(), -fading.above.ln());
    let unused_since = fading.now.get() - least / DecayTier::Ephemeral.rate().get();
    let sql = format!(
        "SELECT {COLUMNS} FROM blocks INDEXED BY idx_blocks_last_reinforced WHERE last_reinforced_at <= ?8 \
         AND status = 'active' AND pinned = 0 \
         AND decay_lambda * (?2 - last_reinforced_at) >= ?3 AND decay_lambda * (?2 - last_reinforced_at) < ?4 \
         AND (reinforcement_count >= ?5 OR (confidence >= ?6 AND outcome_evidence > 0.0)) \
         AND instr(?1, '\u{1f}' || scope || '\u{1f}') \
         ORDER BY decay_lambda * (?2 - last_reinforced_at) DESC, blocks.id LIMIT ?7"
    );
    let (now, uses, confidence) = (fading.now.get(), fading.least_uses, fading.least_confidence);
    let values = params![scopes, now, least, most, uses, confidence, fading.limit, unused_since];
    collect(connection, &sql, values)
}

pub(crate) fn insert(connection: &Connection, block: &Block) -> Result<()> {
    let sql = "INSERT INTO blocks (id, content, category, source, created_at, status, archive_reason, confidence, \
        outcome_evidence, reinforcement_count, decay_lambda, last_reinforced_at, self_alignment, embedding_model, \
        token_count, last_session_id, scope, summary, pinned, cue, event_at, superseded_by, last_scored_at, revision, \
        surface, client, document_name, source_peer, parts_json, replacement_json, share) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, \
        ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, 'private') ON CONFLICT (id) DO NOTHING";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let inserted = statement
        .execute(params![
            block.id.as_str(),
            block.content,
            block.category.as_str(),
            block.source,
            time::to_iso(block.created_at),
            block.status.as_str(),
            block.archive_reason.map(ArchiveReason::as_str),
            block.confidence.get(),
            block.outcome_evidence.get(),
            block.reinforcement_count,
            block.decay_lambda.get(),
            block.last_reinforced_at.get(),
            block.self_alignment,
            block.embedding_model,
            block.token_count,
            block.last_session_id.as_ref().map(SessionId::as_str),
            block.scope.as_str(),
            block.summary,
            block.pinned,
            block.cue,
            block.event_at.map(time::to_iso),
            block.superseded_by.as_ref().map(BlockId::as_str),
            block.last_scored_at.map(time::to_iso),
            block.revision as i64,
            block.brought_by.surface,
            block.brought_by.client,
            block.brought_by.document,
            block.brought_by.peer,
            parts_json(block),
            replacement_json(block),
        ])
        .or_store_error()?;
    if inserted == 0 {
        return Err(StoreError::Duplicate { id: block.id.clone() });
    }
    add_tags(connection, &block.id, &block.tags)
}

/// Writes the columns that differ between two states of a block; revision last, so there is always one.
pub(crate) fn update(connection: &Connection, before: &Block, after: &Block) -> Result<()> {
    let mut names: Vec<&str> = Vec::new();
    let mut values: Vec<Box<dyn ToSql>> = Vec::new();
    let mut set = |name: &'static str, differs: bool, value: &dyn Fn() -> Box<dyn ToSql>| {
        if differs {
            names.push(name);
            values.push(value());
        }
    };
    macro_rules! column {
        ($field:ident, $value:expr) => {
            set(stringify!($field), before.$field != after.$field, &|| Box::new($value))
        };
    }
    column!(content, after.content.clone());
    column!(category, after.category.as_str().to_owned());
    column!(source, after.source.clone());
    column!(created_at, time::to_iso(after.created_at));
    column!(status, after.status.as_str());
    column!(archive_reason, after.archive_reason.map(ArchiveReason::as_str));
    column!(confidence, after.confidence.get());
    column!(outcome_evidence, after.outcome_evidence.get());
    column!(reinforcement_count, after.reinforcement_count);
    column!(decay_lambda, after.decay_lambda.get());
    column!(last_reinforced_at, after.last_reinforced_at.get());
    column!(self_alignment, after.self_alignment);
    column!(token_count, after.token_count);
    column!(last_session_id, after.last_session_id.as_ref().map(|id| id.as_str().to_owned()));
    column!(summary, after.summary.clone());
    column!(pinned, after.pinned);
    column!(cue, after.cue.clone());
    column!(event_at, after.event_at.map(time::to_iso));
    column!(superseded_by, after.superseded_by.as_ref().map(|id| id.as_str().to_owned()));
    column!(last_scored_at, after.last_scored_at.map(time::to_iso));
    let (was, is) = (&before.brought_by, &after.brought_by);
    set("surface", was.surface != is.surface, &|| Box::new(is.surface.clone()));
    set("client", was.client != is.client, &|| Box::new(is.client.clone()));
    set("document_name", was.document != is.document, &|| Box::new(is.document.clone()));
    set("source_peer", was.peer != is.peer, &|| Box::new(is.peer.clone()));
    set("parts_json", before.parts != after.parts, &|| Box::new(parts_json(after)));
    set("replacement_json", before.replacement != after.replacement, &|| Box::new(replacement_json(after)));
    set("revision", true, &|| Box::new(after.revision as i64));
    values.push(Box::new(after.id.as_str().to_owned()));
    let assignments: Vec<String> = names.iter().map(|name| format!("{name} = ?")).collect();
    let sql = format!("UPDATE blocks SET {} WHERE id = ?", assignments.join(", "));
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.execute(rusqlite::params_from_iter(values.iter())).or_store_error()?;
    if before.tags != after.tags {
        let removed: Vec<&Tag> = before.tags.iter().filter(|tag| !after.tags.contains(tag)).collect();
        for tag in removed {
            let mut statement = connection
                .prepare_cached("DELETE FROM block_tags WHERE block_id = ?1 AND tag = ?2")
                .or_store_error()?;
            statement.execute(params![after.id.as_str(), tag.as_str()]).or_store_error()?;
        }
        add_tags(connection, &after.id, &after.tags)?;
    }
    Ok(())
}

fn add_tags(connection: &Connection, id: &BlockId, tags: &[Tag]) -> Result<()> {
    for tag in tags {
        let mut statement = connection
            .prepare_cached("INSERT OR IGNORE INTO block_tags (block_id, tag) VALUES (?1, ?2)")
            .or_store_error()?;
        statement.execute(params![id.as_str(), tag.as_str()]).or_store_error()?;
    }
    Ok(())
}

pub(crate) fn state(connection: &Connection, scopes: &str, id: &BlockId) -> Result<Option<BlockState>> {
    let sql = "SELECT confidence, outcome_evidence, reinforcement_count, decay_lambda, last_reinforced_at, status, superseded_by \
               FROM blocks WHERE id = ?1 AND instr(?2, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let read = |row: &Row<'_>| {
        let learned = LearnedState {
            confidence: Confidence::saturating(row.get(0)?),
            outcome_evidence: Evidence::new(row.get(1)?),
            reinforcement_count: row.get::<_, i64>(2)?.clamp(0, i64::from(u32::MAX)) as u32,
            decay_lambda: DecayRate::new(row.get(3)?),
            last_reinforced_at: ActiveHours::new(row.get(4)?),
        };
        let superseded_by = row.get_ref(6)?.as_str_or_null().map_err(|error| conversion(6, error))?;
        Ok(BlockState { status: status_at(row, 5)?, superseded_by: superseded_by.map(BlockId::from_stored), learned })
    };
    statement.query_row(params![id.as_str(), scopes], read).optional().or_store_error()
}

fn status_at(row: &Row<'_>, at: usize) -> rusqlite::Result<BlockStatus> {
    let status = row.get_ref(at)?.as_str().map_err(|error| conversion(at, error))?;
    BlockStatus::from_name(status).ok_or_else(|| unreadable(at, format!("unknown status '{status}'")))
}

/// The stamp of the last use has an index, which need not hear of a change of the others.
pub(crate) fn update_learned_state(
    connection: &Connection,
    id: &BlockId,
    before: &LearnedState,
    after: &LearnedState,
) -> Result<()> {
    let same_stamp = before.last_reinforced_at == after.last_reinforced_at;
    let sql = if same_stamp {
        "UPDATE blocks SET confidence = ?2, outcome_evidence = ?3, reinforcement_count = ?4, decay_lambda = ?5, \
         revision = revision + 1 WHERE id = ?1 AND ?6 IS NOT NULL"
    } else {
        "UPDATE blocks SET confidence = ?2, outcome_evidence = ?3, reinforcement_count = ?4, decay_lambda = ?5, \
         last_reinforced_at = ?6, revision = revision + 1 WHERE id = ?1"
    };
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement
        .execute(params![
            id.as_str(),
            after.confidence.get(),
            after.outcome_evidence.get(),
            after.reinforcement_count,
            after.decay_lambda.get(),
            after.last_reinforced_at.get(),
        ])
        .or_store_error()?;
    Ok(())
}

pub(crate) fn delete(connection: &Connection, id: &BlockId) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM blocks WHERE id = ?1").or_store_error()?;
    statement.execute([id.as_str()]).or_store_error()?;
    Ok(())
}

/// A list of ids as one bound value, so that no list is too long for a statement.
pub(crate) fn json(ids: &[BlockId]) -> String {
    serde_json::Value::from_iter(ids.iter().map(BlockId::as_str)).to_string()
}

pub(crate) fn collect(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Block>> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map(values, from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}
