//! Pairs that came up together, on their way to becoming edges.

use std::collections::HashSet;

use elfmem_core::{EdgeKey, SessionId, Timestamp, time};
use elfmem_store::{StagedPair, StoreError};
use rusqlite::{Connection, OptionalExtension, params};

use crate::errors::OrStoreError;
use crate::rows::pair_from_row;

type Result<T> = std::result::Result<T, StoreError>;

/// Counts a session for each pair, unless it was counted already; the counts as they are now.
pub(crate) fn stage(connection: &Connection, pairs: &[EdgeKey], session: &SessionId) -> Result<Vec<(EdgeKey, u32)>> {
    // The sessions stand one a line: there are three of them at most before the pair becomes an edge.
    let sql = "INSERT INTO co_retrieval_staging (from_id, to_id, count, sessions) VALUES (?1, ?2, 1, char(10) || ?3 || char(10)) \
               ON CONFLICT (from_id, to_id) DO UPDATE SET count = count + 1, sessions = coalesce(sessions, char(10)) || ?3 || char(10) \
               WHERE coalesce(instr(sessions, char(10) || ?3 || char(10)), 0) = 0 RETURNING count";
    // What was counted already is not touched, and then nothing comes back.
    let read = "SELECT count FROM co_retrieval_staging WHERE from_id = ?1 AND to_id = ?2";
    let mut read = connection.prepare_cached(read).or_store_error()?;
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut counts = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let (from, to) = (pair.from_id.as_str(), pair.to_id.as_str());
        let counted = statement.query_row(params![from, to, session.as_str()], |row| row.get(0));
        let count: i64 = match counted.optional().or_store_error()? {
            Some(count) => count,
            None => read.query_row([from, to], |row| row.get(0)).or_store_error()?,
        };
        counts.push((pair.clone(), count.clamp(0, i64::from(u32::MAX)) as u32));
    }
    Ok(counts)
}

pub(crate) fn unstage(connection: &Connection, pair: &EdgeKey) -> Result<()> {
    let sql = "DELETE FROM co_retrieval_staging WHERE from_id = ?1 AND to_id = ?2";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute([pair.from_id.as_str(), pair.to_id.as_str()]).or_store_error()?;
    Ok(())
}

/// Forgets pairs of sessions that were last seen before `since`, of at most `most` pairs after `after`; the last of those when there
/// may be more.
pub(crate) fn forget_stale(
    connection: &Connection,
    since: Timestamp,
    after: Option<&EdgeKey>,
    most: u32,
) -> Result<Option<EdgeKey>> {
    let sql = "SELECT id FROM sessions WHERE coalesce(last_seen_at, started_at) < ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let ids = statement.query_map([time::to_iso(since)], |row| row.get::<_, String>(0)).or_store_error()?;
    let over: HashSet<SessionId> =
        ids.map(|id| Ok(SessionId::from_stored(&id?))).collect::<rusqlite::Result<_>>().or_store_error()?;
    let sql = "SELECT from_id, to_id, count, sessions FROM co_retrieval_staging WHERE (from_id, to_id) > (?1, ?2) \
               ORDER BY from_id, to_id LIMIT ?3";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let (from, to) = after.map_or(("", ""), |after| (after.from_id.as_str(), after.to_id.as_str()));
    let pairs: Vec<StagedPair> = statement
        .query_map(params![from, to, most], pair_from_row)
        .or_store_error()?
        .collect::<rusqlite::Result<_>>()
        .or_store_error()?;
    for pair in pairs.iter().filter(|pair| pair.is_stale(&over)) {
        unstage(connection, &pair.key)?;
    }
    let stopped = pairs.len() >= most as usize;
    Ok(pairs.into_iter().next_back().filter(|_| stopped).map(|pair| pair.key))
}
