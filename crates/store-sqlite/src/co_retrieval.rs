//! Pairs that came up together, on their way to becoming edges.

use elfmem_core::{EdgeKey, SessionId};
use elfmem_store::StoreError;
use rusqlite::{Connection, OptionalExtension, params};

use crate::errors::OrStoreError;

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
