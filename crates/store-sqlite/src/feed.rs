//! Reading for indexes that other processes keep: whole tables at once. What changed since is in the journal.

use elfmem_core::coarse::CoarseVector;
use elfmem_core::edge::effective_weight;
use elfmem_core::{BlockId, EdgeKey, EdgeWeight, time};
use elfmem_store::{BlockFilter, IndexEdge, IndexRow, RankingState, StoreError};
use rusqlite::{Connection, Row, Rows, Statement, ToSql, params};

use crate::blocks::{conversion, glob};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// What stands between the names of scopes in the list of those that are seen.
const SEPARATOR: char = '\u{1f}';

/// Whether a block is in one of the scopes bound as `?1`; answered by the index over ids and scopes alone.
const VISIBLE: &str = "instr(?1, '\u{1f}' || blocks.scope || '\u{1f}')";

/// How many blocks are searched.
pub(crate) fn count_rows(connection: &Connection) -> Result<u64> {
    let mut statement = connection.prepare_cached("SELECT count(*) FROM search_documents").or_store_error()?;
    statement.query_row([], |row| row.get::<_, i64>(0)).map(|count| count as u64).or_store_error()
}

/// Visits every block that is searched, or those among `ids`.
pub(crate) fn visit_rows(
    connection: &Connection,
    scopes: &str,
    model: &str,
    ids: Option<&[BlockId]>,
    visit: &mut dyn FnMut(IndexRow<'_>),
) -> Result<()> {
    let sql = format!(
        "SELECT block_id, length, place, happened_at, asking, source, session, cue, iif(model = ?2, coarse, NULL), origin \
         FROM search_documents WHERE {}{}",
        visible(scopes),
        if ids.is_some() { " AND block_id = ?3" } else { "" }
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let scope = sole(scopes).unwrap_or(scopes);
    each(&mut statement, &[&scope, &model], ids, &mut |row| {
        visit(index_row(row)?);
        Ok(())
    })
}

/// The scope that is seen, if it is the only one.
fn sole(scopes: &str) -> Option<&str> {
    scopes.strip_prefix(SEPARATOR)?.strip_suffix(SEPARATOR).filter(|scope| !scope.contains(SEPARATOR))
}

/// Whether the scope of a row is seen, with [`sole`] or all of them bound as `?1`. This is asked of every row, and looking into a
/// list costs as much as reading three columns.
fn visible(scopes: &str) -> &'static str {
    match sole(scopes) {
        Some(_) => "scope = ?1",
        None => "instr(?1, '\u{1f}' || scope || '\u{1f}')",
    }
}

/// Runs a statement once, or once for each id, which is bound after the other values, and hands its rows on.
fn each(
    statement: &mut Statement<'_>,
    values: &[&dyn ToSql],
    ids: Option<&[BlockId]>,
    take: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<()>,
) -> Result<()> {
    let mut all = |rows: rusqlite::Result<Rows<'_>>| -> Result<()> {
        let mut rows = rows.or_store_error()?;
        while let Some(row) = rows.next().or_store_error()? {
            take(row).or_store_error()?;
        }
        Ok(())
    };
    match ids {
        None => all(statement.query(values)),
        Some(ids) => ids.iter().try_for_each(|id| {
            let id = id.as_str();
            let values: Vec<&dyn ToSql> = values.iter().copied().chain([&id as &dyn ToSql]).collect();
            all(statement.query(values.as_slice()))
        }),
    }
}

fn text<'a>(row: &'a Row<'_>, at: usize) -> rusqlite::Result<&'a str> {
    row.get_ref(at)?.as_str().map_err(|error| conversion(at, error))
}

fn optional<'a>(row: &'a Row<'_>, at: usize) -> rusqlite::Result<Option<&'a str>> {
    row.get_ref(at)?.as_str_or_null().map_err(|error| conversion(at, error))
}

fn index_row<'a>(row: &'a Row<'_>) -> rusqlite::Result<IndexRow<'a>> {
    let coarse = row.get_ref(8)?.as_blob_or_null().map_err(|error| conversion(8, error))?;
    Ok(IndexRow {
        id: BlockId::from_stored(text(row, 0)?),
        length: row.get(1)?,
        order: row.get(2)?,
        happened_at: row.get(3)?,
        asking: row.get(4)?,
        source: text(row, 5)?,
        origin: text(row, 9)?,
        session: optional(row, 6)?,
        cue: optional(row, 7)?.filter(|cue| !cue.is_empty()),
        vector: coarse.and_then(CoarseVector::decode),
    })
}

/// Visits how inbox and active blocks stand, all of them or those among `ids`.
pub(crate) fn visit_ranking_states(
    connection: &Connection,
    scopes: &str,
    ids: Option<&[BlockId]>,
    visit: &mut dyn FnMut(&BlockId, RankingState),
) -> Result<()> {
    // Most blocks are searched, so going through all of them beats an index: the plus keeps SQLite from one.
    let sql = format!(
        "SELECT id, pinned, reinforcement_count, confidence, decay_lambda, last_reinforced_at FROM blocks \
         WHERE {} AND +status IN ('inbox', 'active'){}",
        visible(scopes),
        if ids.is_some() { " AND id = ?2" } else { "" }
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let scope = sole(scopes).unwrap_or(scopes);
    each(&mut statement, &[&scope], ids, &mut |row| {
        let standing = RankingState {
            pinned: row.get(1)?,
            reinforcement_count: row.get::<_, i64>(2)?.clamp(0, i64::from(u32::MAX)) as u32,
            confidence: row.get::<_, f64>(3)?.clamp(0.0, 1.0) as f32,
            decay_lambda: row.get(4)?,
            last_reinforced_at: row.get(5)?,
        };
        visit(&BlockId::from_stored(text(row, 0)?), standing);
        Ok(())
    })
}

/// The blocks that hold a word, and how often in the text, the cue and the tags.
/// The terms that begin with a prefix, sorted, in whatever scope.
pub(crate) fn terms(connection: &Connection, prefix: &str) -> Result<Vec<String>> {
    let sql =
        "SELECT DISTINCT term FROM search_instances WHERE term >= ?1 AND term < ?1 || char(1114111) ORDER BY term";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map([prefix], |row| row.get(0)).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn postings(connection: &Connection, scopes: &str, word: &str) -> Result<Vec<(BlockId, [u32; 3])>> {
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
    let sql = "SELECT block_id FROM search_documents WHERE document = ?2 AND instr(?1, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
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

/// Ids of the searched blocks whose text holds the terms that at most `most` documents hold, as many of these terms as it takes until
/// no more than `enough` documents are left; sorted.
pub(crate) fn common_holders(
    connection: &Connection,
    scopes: &str,
    terms: &[String],
    most: usize,
    enough: usize,
) -> Result<Vec<BlockId>> {
    let mut common: Option<Vec<i64>> = None;
    for term in terms {
        let Some(mut documents) = documents_with(connection, term, most)? else { continue };
        documents.retain(|document| common.as_ref().is_none_or(|common| common.contains(document)));
        let is_enough = documents.len() <= enough;
        common = Some(documents);
        if is_enough {
            break;
        }
    }
    let sql = "SELECT block_id FROM search_documents WHERE document = ?2 AND instr(?1, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut holders = Vec::new();
    for document in common.unwrap_or_default() {
        let mut rows = statement.query(params![scopes, document]).or_store_error()?;
        if let Some(row) = rows.next().or_store_error()? {
            holders.push(BlockId::from_stored(row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?));
        }
    }
    holders.sort_unstable();
    Ok(holders)
}

/// Documents whose text holds a term; none if there are more than `most`.
fn documents_with(connection: &Connection, term: &str, most: usize) -> Result<Option<Vec<i64>>> {
    // Ordered by document, so repetitions stand beside each other: DISTINCT would build a table of them.
    let sql = "SELECT doc FROM search_instances WHERE term = ?1 AND col = 'content'";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([term]).or_store_error()?;
    let mut documents: Vec<i64> = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        let document = row.get(0).or_store_error()?;
        if documents.last() != Some(&document) {
            if documents.len() == most {
                return Ok(None);
            }
            documents.push(document);
        }
    }
    Ok(Some(documents))
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
    belonging(scopes, filter, &mut conditions, &mut values);
    let sql = format!("SELECT id FROM blocks WHERE {} ORDER BY id", conditions.join(" AND "));
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let mut rows = statement.query(rusqlite::params_from_iter(values.iter())).or_store_error()?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        found.push(BlockId::from_stored(row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?));
    }
    Ok(found)
}

/// What a filter asks about contexts and events. A block that took the place of another was told by whoever told that one.
fn belonging(scopes: &str, filter: &BlockFilter, conditions: &mut Vec<String>, values: &mut Vec<Box<dyn ToSql>>) {
    const SEEN: &str = "instr(?, '\u{1f}' || {}.scope || '\u{1f}')";
    let listed = |count: usize| vec!["?"; count].join(", ");
    if !filter.contexts.is_empty() || !filter.context_kinds.is_empty() {
        conditions.push(format!(
            "blocks.id IN (SELECT block_id FROM enrolments WHERE {} AND (context_id IN ({}) \
             OR substr(context_id, 1, instr(context_id, ':') - 1) IN ({})))",
            SEEN.replace("{}", "enrolments"),
            listed(filter.contexts.len()),
            listed(filter.context_kinds.len())
        ));
        values.push(Box::new(scopes.to_owned()));
        values.extend(filter.contexts.iter().map(|id| Box::new(id.to_string()) as Box<dyn ToSql>));
        values.extend(filter.context_kinds.iter().map(|kind| Box::new(kind.clone()) as Box<dyn ToSql>));
    }
    if !filter.sources.is_empty() {
        conditions.push(format!(
            "blocks.id IN (WITH RECURSIVE told (id) AS (SELECT block_id FROM events WHERE {} AND source IN ({}) \
             AND block_id IS NOT NULL UNION SELECT superseded_by FROM blocks JOIN told ON told.id = blocks.id \
             WHERE superseded_by IS NOT NULL) SELECT id FROM told)",
            SEEN.replace("{}", "events"),
            listed(filter.sources.len())
        ));
        values.push(Box::new(scopes.to_owned()));
        values.extend(filter.sources.iter().map(|source| Box::new(source.as_str()) as Box<dyn ToSql>));
    }
}

/// The edges of each block to others that are seen too.
pub(crate) fn index_edges(connection: &Connection, scopes: &str, ids: &[BlockId]) -> Result<Vec<IndexEdge>> {
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
            found.push(index_edge(row).or_store_error()?);
        }
    }
    Ok(found)
}

fn index_edge(row: &Row<'_>) -> rusqlite::Result<IndexEdge> {
    let end = |at: usize| -> rusqlite::Result<BlockId> {
        Ok(BlockId::from_stored(row.get_ref(at)?.as_str().map_err(|error| conversion(at, error))?))
    };
    let count = row.get::<_, i64>(3)?.clamp(0, i64::from(u32::MAX)) as u32;
    Ok(IndexEdge {
        key: EdgeKey { from_id: end(0)?, to_id: end(1)? },
        weight: effective_weight(EdgeWeight::saturating(row.get(2)?).get(), count),
        contradicts: row.get(4)?,
    })
}
