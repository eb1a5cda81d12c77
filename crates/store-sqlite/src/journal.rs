//! Journal rows: one per operation with everything it changed, and beside it which ids that was about.

use std::collections::HashSet;

use elfmem_core::{ActiveHours, BlockId, OperationKind, Scope, SessionId, time};
use elfmem_store::{
    Answer, BlockChange, Change, JournalEntry, JournalHeader, JournalLinks, JournalQuery, JournalRecord,
    JournalSelection, JournalVisitor, NumberedChange, Operation, RecordedChange, RecordedOperation, RowEdit,
    StoreError, changed_blocks,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::blocks::stamp;
use crate::chain::{self, ChainLink, ChainedFields};
use crate::changes::{OF_SCOPE, SEPARATOR, decoded, encoded, listed, scope_of, touched};
use crate::errors::OrStoreError;
use crate::uses::shown;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) fn append(connection: &Connection, scope: &str, operation: &RecordedOperation) -> Result<()> {
    let RecordedOperation { header, links, changes } = operation;
    let at = time::to_iso(header.at);
    let fields = ChainedFields {
        at: &at,
        active_hours: header.active_hours.get(),
        session: header.session.as_ref().map(SessionId::as_str),
        actor: &header.actor,
        operation: header.operation.as_str(),
        run: links.run.as_deref(),
        undoes: links.undoes,
    };
    let text = encoded(changes);
    let link = match is_chain_left_out() {
        true => None,
        false => Some(fields.link(&text, chain::newest(connection)?.map(|newest| newest.value))),
    };
    let sql = "INSERT INTO journal (at, active_hours, session_id, actor, operation, summary, run, undoes, changed, \
               changes_json, chain) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let seq = statement
        .insert(params![
            fields.at,
            fields.active_hours,
            fields.session,
            fields.actor,
            fields.operation,
            header.summary,
            fields.run,
            fields.undoes,
            changes.len() as i64,
            text,
            link.map(ChainLink::to_bytes),
        ])
        .or_store_error()?;
    note_touched(connection, seq, Some(scope), changes)
}

#[cfg(feature = "faults")]
use crate::faults::is_chain_left_out;

/// Only a measurement leaves the chain out.
#[cfg(not(feature = "faults"))]
const fn is_chain_left_out() -> bool {
    false
}

fn note_touched(connection: &Connection, seq: i64, scope: Option<&str>, changes: &[RecordedChange]) -> Result<()> {
    let sql = "INSERT INTO journal_touched (seq, ids) VALUES (?1, ?2)";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement.execute(params![seq, touched(scope, changes)]).or_store_error()?;
    Ok(())
}

pub(crate) fn read(connection: &Connection, scopes: &str, query: &JournalQuery) -> Result<Vec<JournalEntry>> {
    let mut entries = Vec::new();
    for Operation { seq, header, links, .. } in operations(connection, scopes, query)? {
        entries.push(JournalEntry { seq, header, links, changes: changes_in(connection, seq)? });
    }
    Ok(entries)
}

/// Operations in the order they ran. One is shown to a view when it changed nothing that is hidden from it.
pub(crate) fn operations(connection: &Connection, scopes: &str, query: &JournalQuery) -> Result<Vec<Operation>> {
    // Which operations were about a block is told by going through the short rows of ids; the journal itself is long.
    let sql = "SELECT journal.seq, at, active_hours, session_id, actor, operation, summary, run, undoes, changed, ids \
        FROM journal_touched CROSS JOIN journal ON journal.seq = journal_touched.seq \
        WHERE journal_touched.seq > ?1 AND journal_touched.seq < ?2 AND (?3 IS NULL OR instr(ids, ?3)) \
        ORDER BY journal_touched.seq DESC";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement
        .query(params![
            query.after.unwrap_or(0),
            query.before.unwrap_or(i64::MAX),
            query.block.as_ref().map(|id| listed(id.as_str())),
        ])
        .or_store_error()?;
    let most = query.limit.map_or(usize::MAX, |limit| limit as usize);
    let mut operations = Vec::new();
    while operations.len() < most
        && let Some(row) = rows.next().or_store_error()?
    {
        let ids = row.get_ref(10).or_store_error()?.as_str().map_err(StoreError::driver)?;
        let scope = scope_of(ids).and_then(|scope| Scope::parse(scope).ok());
        let operation = Operation { scope, ..operation_from_row(row).or_store_error()? };
        let about = match &query.block {
            Some(id) => changes_in(connection, operation.seq)?.iter().any(|change| change.is_about(id.as_str())),
            None => true,
        };
        if about && !is_hidden(connection, scopes, ids)? {
            operations.push(operation);
        }
    }
    operations.reverse();
    Ok(operations)
}

/// Selects the kinds of [`OperationKind::is_answer`]. The condition is that of `idx_journal_handed_out`, word for word.
const IS_ANSWER: &str = "operation IN ('recall', 'frame')";

/// The ids of the blocks that answers of a session showed, the newest answers first.
pub(crate) fn shown_ids(connection: &Connection, session: &SessionId, limit: u32) -> Result<Vec<BlockId>> {
    let sql = format!(
        "SELECT ids FROM journal JOIN journal_touched ON journal_touched.seq = journal.seq \
        WHERE session_id = ?1 AND {IS_ANSWER} ORDER BY journal.seq DESC"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let mut rows = statement.query([session.as_str()]).or_store_error()?;
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    while let Some(row) = rows.next().or_store_error()? {
        let ids = row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?;
        for id in ids.split(SEPARATOR).filter(|id| !id.is_empty() && !id.starts_with(OF_SCOPE)) {
            if found.len() == limit as usize {
                return Ok(found);
            }
            let id = BlockId::from_stored(id);
            if known.insert(id.clone()) {
                found.push(id);
            }
        }
    }
    Ok(found)
}

/// What answers of a scope showed, in the order they were given. What they changed are the blocks that were shown, in their
/// order, and then edges.
pub(crate) fn answers_after(connection: &Connection, scope: &str, position: i64, limit: u32) -> Result<Vec<Answer>> {
    // Without an index: the newest rows stand together, whoever's they are.
    let sql = format!(
        "SELECT session_id, changes_json, at FROM journal NOT INDEXED JOIN journal_touched ON journal_touched.seq = journal.seq \
        WHERE journal.seq > ?1 AND {IS_ANSWER} AND session_id IS NOT NULL AND instr(ids, ?2) \
        ORDER BY journal.seq DESC LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let mut rows = statement.query(params![position, listed(&format!("{OF_SCOPE}{scope}")), limit]).or_store_error()?;
    let mut answers = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        let text = |at| row.get_ref(at).or_store_error()?.as_str().map_err(StoreError::driver);
        let at = stamp(2, text(2)?).or_store_error()?;
        answers.push(shown::answer(at, SessionId::from_stored(text(0)?), text(1)?)?);
    }
    answers.reverse();
    Ok(answers)
}

/// Whether one of some ids is a block of another scope, or the scope itself is another.
fn is_hidden(connection: &Connection, scopes: &str, ids: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM blocks INDEXED BY idx_blocks_id_scope \
               WHERE id = ?1 AND NOT instr(?2, '\u{1f}' || scope || '\u{1f}')";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    for id in ids.split(SEPARATOR).filter(|id| !id.is_empty()) {
        if let Some(scope) = id.strip_prefix(OF_SCOPE) {
            if !scopes.contains(&listed(scope)) {
                return Ok(true);
            }
            continue;
        }
        if statement.exists([id, scopes]).or_store_error()? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn operation_from_row(row: &Row<'_>) -> rusqlite::Result<Operation> {
    let session: Option<String> = row.get(3)?;
    Ok(Operation {
        seq: row.get(0)?,
        header: JournalHeader {
            at: stamp(1, &row.get::<_, String>(1)?)?,
            active_hours: ActiveHours::new(row.get(2)?),
            session: session.as_deref().map(SessionId::from_stored),
            actor: row.get(4)?,
            operation: OperationKind::from_name(row.get_ref(5)?.as_str()?),
            summary: row.get(6)?,
        },
        links: JournalLinks { run: row.get(7)?, undoes: row.get(8)? },
        changed: row.get::<_, i64>(9)? as u64,
        scope: None,
    })
}

/// What one operation changed.
fn changes_in(connection: &Connection, seq: i64) -> Result<Vec<Change>> {
    let mut statement =
        connection.prepare_cached("SELECT changes_json FROM journal WHERE seq = ?1").or_store_error()?;
    let mut rows = statement.query([seq]).or_store_error()?;
    match rows.next().or_store_error()? {
        Some(row) => decoded(row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?),
        None => Ok(Vec::new()),
    }
}

fn numbered(seq: i64, changes: impl IntoIterator<Item = Change>) -> impl Iterator<Item = NumberedChange> {
    changes.into_iter().map(move |change| NumberedChange { seq, change })
}

/// What some operations changed, in the order it happened.
pub(crate) fn changes_of(connection: &Connection, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
    let mut seqs = seqs.to_vec();
    seqs.sort_unstable();
    seqs.dedup();
    let mut all = Vec::new();
    for seq in seqs {
        all.extend(numbered(seq, changes_in(connection, seq)?));
    }
    Ok(all)
}

/// What others changed, after the first of some operations, of what those touched.
pub(crate) fn later_changes(connection: &Connection, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
    let Some(first) = seqs.iter().min() else { return Ok(Vec::new()) };
    let changed = changes_of(connection, seqs)?;
    let mine: HashSet<&str> = changed
        .iter()
        .flat_map(|numbered| {
            let (id, other) = numbered.change.ends();
            std::iter::once(id).chain(other)
        })
        .collect();
    let is_mine = |change: &Change| change.touched().any(|id| mine.contains(id));
    let mut statement = connection
        .prepare_cached("SELECT seq, ids FROM journal_touched WHERE seq > ?1 ORDER BY seq")
        .or_store_error()?;
    let mut rows = statement.query([first]).or_store_error()?;
    let mut later = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        let seq: i64 = row.get(0).or_store_error()?;
        let ids = row.get_ref(1).or_store_error()?.as_str().map_err(StoreError::driver)?;
        if !seqs.contains(&seq) && ids.split(SEPARATOR).any(|id| mine.contains(id)) {
            later.extend(numbered(seq, changes_in(connection, seq)?.into_iter().filter(is_mine)));
        }
    }
    Ok(later)
}

/// Every change of a block, its edges and its contradictions, the newest first.
pub(crate) fn block_changes(connection: &Connection, id: &BlockId) -> Result<Vec<NumberedChange>> {
    let mut all = Vec::new();
    for seq in touching(connection, id.as_str())? {
        let changes = changes_in(connection, seq)?.into_iter().filter(|change| change.is_about(id.as_str()));
        all.extend(numbered(seq, changes));
    }
    all.reverse();
    Ok(all)
}

/// The operations that named an id, in order.
pub(crate) fn touching(connection: &Connection, id: &str) -> Result<Vec<i64>> {
    let sql = "SELECT seq FROM journal_touched WHERE instr(ids, ?1) ORDER BY seq";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map([listed(id)], |row| row.get(0)).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Lists the blocks that operations after a number changed. Of each operation only its changes are read.
pub(crate) fn blocks_changed_after(connection: &Connection, position: i64) -> Result<Vec<BlockChange>> {
    let mut statement =
        connection.prepare_cached("SELECT changes_json FROM journal WHERE seq > ?1").or_store_error()?;
    let mut rows = statement.query([position]).or_store_error()?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next().or_store_error()? {
        changes.extend(decoded(row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?)?);
    }
    Ok(changed_blocks(&changes))
}

/// Visits operations with a number above `after`, whatever their scope, the newest first.
pub(crate) fn scan(connection: &Connection, after: i64, visit: JournalVisitor<'_>) -> Result<()> {
    let sql = "SELECT journal.seq, at, active_hours, session_id, actor, operation, summary, run, undoes, changed, ids, \
        changes_json FROM journal LEFT JOIN journal_touched ON journal_touched.seq = journal.seq \
        WHERE journal.seq > ?1 ORDER BY journal.seq DESC";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([after]).or_store_error()?;
    while let Some(row) = rows.next().or_store_error()? {
        if visit(&record_from_row(row)?).is_break() {
            break;
        }
    }
    Ok(())
}

fn record_from_row(row: &Row<'_>) -> Result<JournalRecord> {
    let Operation { seq, header, links, changed, .. } = operation_from_row(row).or_store_error()?;
    let ids = row.get_ref(10).or_store_error()?.as_str_or_null().map_err(StoreError::driver)?;
    let scope = ids.and_then(scope_of).map(Scope::from_stored);
    let changes = decoded(row.get_ref(11).or_store_error()?.as_str().map_err(StoreError::driver)?)?;
    Ok(JournalRecord { seq, scope, header, links, changed, changes })
}

/// The number of the newest operation before the last `days` days on which one ran; 0 when there is none.
pub(crate) fn position_before_days(connection: &Connection, days: u32) -> Result<i64> {
    let sql = "SELECT seq, substr(at, 1, 10) FROM journal ORDER BY seq DESC";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([]).or_store_error()?;
    let mut seen: HashSet<String> = HashSet::new();
    while let Some(row) = rows.next().or_store_error()? {
        let day = row.get_ref(1).or_store_error()?.as_str().map_err(StoreError::driver)?;
        if !seen.contains(day) {
            if seen.len() == days as usize {
                return row.get(0).or_store_error();
            }
            seen.insert(day.to_owned());
        }
    }
    Ok(0)
}

/// Shows `edit` the selected operations, and does with each what it says.
pub(crate) fn rewrite(
    connection: &Connection,
    JournalSelection { mentioning, after, up_to }: JournalSelection<'_>,
    edit: &mut dyn FnMut(&mut JournalRecord) -> RowEdit,
) -> Result<()> {
    let sql = "SELECT journal.seq, at, active_hours, session_id, actor, operation, summary, run, undoes, changed, ids, \
        changes_json FROM journal LEFT JOIN journal_touched ON journal_touched.seq = journal.seq \
        WHERE journal.seq > ?1 AND journal.seq <= ?2 ORDER BY journal.seq";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([after, up_to]).or_store_error()?;
    let (mut rewritten, mut removed) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next().or_store_error()? {
        let text = |at| row.get_ref(at).or_store_error()?.as_str().map_err(StoreError::driver);
        let (summary, changes) = (text(6)?, text(11)?);
        if mentioning.is_empty() || mentioning.iter().any(|text| changes.contains(text) || summary.contains(text)) {
            let mut record = record_from_row(row)?;
            match edit(&mut record) {
                RowEdit::Keep => {}
                RowEdit::Replace => rewritten.push(record),
                RowEdit::Remove => removed.push(record.seq),
            }
        }
    }
    let sql = "UPDATE journal SET summary = ?2, changes_json = ?3 WHERE seq = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    for JournalRecord { seq, header, changes, .. } in rewritten {
        let changes: Vec<RecordedChange> = changes.into_iter().map(RecordedChange::from).collect();
        statement.execute(params![seq, header.summary, encoded(&changes)]).or_store_error()?;
    }
    for table in ["journal", "journal_touched"] {
        let sql = format!("DELETE FROM {table} WHERE seq = ?1");
        let mut statement = connection.prepare_cached(&sql).or_store_error()?;
        for seq in &removed {
            statement.execute([seq]).or_store_error()?;
        }
    }
    Ok(())
}

/// A scope that nobody has: what cannot be told whose it is, is nobody's.
const NOBODY: &str = "\0";

/// Counts and lists anew what an operation changed. Where its scope is not on record, it is the only one there is.
pub(crate) fn list_anew(connection: &Connection, seq: i64, only_scope: Option<&str>) -> Result<()> {
    let ids: Option<String> = connection
        .query_row("SELECT ids FROM journal_touched WHERE seq = ?1", [seq], |row| row.get(0))
        .optional()
        .or_store_error()?;
    let scope = ids.as_deref().and_then(scope_of).or(only_scope).unwrap_or(NOBODY).to_owned();
    let changes = changes_in(connection, seq)?.into_iter().map(RecordedChange::from).collect::<Vec<_>>();
    connection
        .execute("UPDATE journal SET changed = ?2 WHERE seq = ?1", params![seq, changes.len() as i64])
        .or_store_error()?;
    connection.execute("DELETE FROM journal_touched WHERE seq = ?1", [seq]).or_store_error()?;
    note_touched(connection, seq, Some(&scope), &changes)
}

/// Operations that took back another, the newest first.
pub(crate) fn undos(connection: &Connection) -> Result<Vec<(i64, i64)>> {
    let sql = "SELECT seq, undoes FROM journal WHERE undoes IS NOT NULL ORDER BY seq DESC";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The operations of a run, in order.
pub(crate) fn run(connection: &Connection, run: &str) -> Result<Vec<i64>> {
    let mut statement =
        connection.prepare_cached("SELECT seq FROM journal WHERE run = ?1 ORDER BY seq").or_store_error()?;
    let rows = statement.query_map([run], |row| row.get(0)).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The number of the newest operation.
pub(crate) fn position(connection: &Connection) -> Result<i64> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM journal").or_store_error()?;
    statement.query_row([], |row| row.get(0)).or_store_error()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_condition_names_every_kind_of_answer() {
        let answers = OperationKind::KNOWN.iter().filter(|kind| kind.is_answer());
        let names: Vec<String> = answers.map(|kind| format!("'{kind}'")).collect();
        assert_eq!(IS_ANSWER, format!("operation IN ({})", names.join(", ")));
    }
}
