//! Rows of any kind: the primitives that [`elfmem_store::ReadRows`] and [`elfmem_store::WriteRows`] ask for.
//!
//! The statements themselves are in the module of each table.

mod blocks;
mod scan;
pub(crate) mod tables;

use std::ops::ControlFlow;

use elfmem_core::{BlockId, Timestamp};
use elfmem_store::{Row, RowEdit, RowKey, RowKind, RowQuery, Setting, StoreError};
use rusqlite::{Connection, OptionalExtension};

pub(crate) use blocks::set_provenance;
pub(crate) use scan::{pair_from_row, scan};

use crate::errors::OrStoreError;
use crate::transaction::SqliteTransaction;
use crate::{contexts, contradictions, edges, events, frames, links, outcomes, proposals, sessions};

type Result<T> = std::result::Result<T, StoreError>;

/// Reads the visible row of a key.
pub(crate) fn get(open: &SqliteTransaction<'_>, key: &RowKey) -> Result<Option<Row>> {
    let (connection, scopes) = (open.connection, open.scopes.as_str());
    let sees = |block: &BlockId| crate::blocks::exists(connection, scopes, block);
    Ok(match key {
        RowKey::Block(id) => blocks::get(connection, scopes, id)?.map(|row| Row::Block(Box::new(row))),
        RowKey::Edge(key) => edges::get(connection, open.sight()?, key)?.map(Row::Edge),
        RowKey::Contradiction(key) => {
            contradictions::get(connection, scopes, &key.from_id, &key.to_id)?.map(Row::Contradiction)
        }
        RowKey::Outcome { block_id, outcome_id } if sees(block_id)? => {
            outcomes::named(connection, &outcomes::row_id(outcome_id, block_id))?.map(Row::Outcome)
        }
        RowKey::Proposal(number) => proposals::get(connection, scopes, *number)?.map(Row::Proposal),
        RowKey::Event(id) => events::get(connection, scopes, id)?.map(|event| Row::Event(Box::new(event))),
        RowKey::Context(id) => contexts::first(connection, scopes, id)?.map(Row::Context),
        RowKey::Enrolment { block_id, context_id } => {
            let all = contexts::enrolments_of(connection, scopes, std::slice::from_ref(block_id))?;
            all.into_iter().find(|enrolment| enrolment.context_id == *context_id).map(Row::Enrolment)
        }
        RowKey::Link(key) => links::get(connection, scopes, key)?.map(Row::Link),
        RowKey::Effect { block_id, key } if sees(block_id)? => {
            links::effect(connection, key, block_id)?.map(Row::Effect)
        }
        RowKey::Pair(key) if sees(&key.from_id)? && sees(&key.to_id)? => tables::pair(connection, key)?.map(Row::Pair),
        RowKey::Outcome { .. } | RowKey::Effect { .. } | RowKey::Pair(_) => None,
        RowKey::Session(id) => sessions::get(connection, id)?.map(Row::Session),
        RowKey::Frame(name) => frames::get(connection, name)?.map(Row::Frame),
        RowKey::Tombstone(id) => tables::tombstone(connection, scopes, id)?.map(Row::Tombstone),
        RowKey::Setting(name) => {
            let value = sessions::get_config(connection, name)?;
            value.map(|value| Row::Setting(Setting { key: name.clone(), value }))
        }
    })
}

/// Reads the row that the view may replace or remove: of contexts, enrolments and links the one of its own scope.
pub(crate) fn writable(open: &SqliteTransaction<'_>, key: &RowKey) -> Result<Option<Row>> {
    let (connection, scope) = (open.connection, open.own_scope());
    Ok(match key {
        RowKey::Context(id) => contexts::own(connection, scope, id)?.map(Row::Context),
        RowKey::Enrolment { block_id, context_id } => {
            contexts::enrolment(connection, scope, block_id, context_id)?.map(Row::Enrolment)
        }
        RowKey::Link(key) => links::own(connection, scope, key)?.map(Row::Link),
        _ => get(open, key)?,
    })
}

/// Stores a row unless its key is taken; whether it was stored.
pub(crate) fn insert(connection: &Connection, scope: &str, row: &Row) -> Result<bool> {
    match row {
        Row::Block(row) => blocks::insert(connection, row),
        Row::Edge(edge) => edges::insert(connection, edge),
        Row::Contradiction(found) => contradictions::insert(connection, found),
        Row::Outcome(record) => outcomes::insert(connection, record),
        Row::Proposal(proposal) => proposals::insert(connection, proposal),
        Row::Event(event) => events::insert(connection, scope, event),
        Row::Context(context) => contexts::insert(connection, scope, context),
        Row::Enrolment(enrolment) => contexts::insert_enrolment(connection, scope, enrolment),
        Row::Link(link) => links::insert(connection, scope, link),
        Row::Effect(effect) => links::insert_effect(connection, effect),
        Row::Pair(pair) => tables::insert_pair(connection, pair),
        Row::Session(session) => sessions::insert(connection, session),
        Row::Frame(frame) => frames::insert(connection, frame, Timestamp::UNIX_EPOCH),
        Row::Tombstone(tombstone) => tables::insert_tombstone(connection, scope, tombstone),
        Row::Setting(setting) => sessions::insert_config(connection, &setting.key, &setting.value),
    }
}

/// Replaces a row that exists, in a scope if its kind has one.
pub(crate) fn replace(connection: &Connection, scope: &str, before: &Row, after: &Row) -> Result<()> {
    match (before, after) {
        (Row::Block(before), Row::Block(after)) => blocks::replace(connection, before, after),
        (_, Row::Block(_)) => Ok(()),
        (_, Row::Edge(edge)) => edges::update(connection, edge),
        (_, Row::Contradiction(found)) => contradictions::update(connection, found),
        (_, Row::Outcome(record)) => outcomes::replace(connection, record),
        (_, Row::Proposal(proposal)) => proposals::update(connection, proposal),
        (_, Row::Event(event)) => events::update(connection, event),
        (_, Row::Context(context)) => contexts::update(connection, scope, context),
        (_, Row::Enrolment(enrolment)) => contexts::update_enrolment(connection, scope, enrolment),
        (_, Row::Link(link)) => links::update(connection, scope, link),
        (_, Row::Effect(effect)) => links::update_effect(connection, effect),
        (_, Row::Pair(pair)) => tables::update_pair(connection, pair),
        (_, Row::Session(session)) => sessions::update(connection, session),
        (_, Row::Frame(frame)) => frames::update(connection, frame),
        (_, Row::Tombstone(tombstone)) => tables::update_tombstone(connection, tombstone),
        (_, Row::Setting(setting)) => sessions::set_config(connection, &setting.key, &setting.value),
    }
}

/// Removes a row that exists, from a scope if its kind has one.
pub(crate) fn remove(connection: &Connection, scope: &str, row: &Row) -> Result<()> {
    match row {
        Row::Block(row) => blocks::remove(connection, &row.block),
        Row::Edge(edge) => edges::delete(connection, &edge.key).map(drop),
        Row::Contradiction(found) => contradictions::delete(connection, found),
        Row::Outcome(record) => outcomes::delete(connection, record),
        Row::Proposal(proposal) => proposals::delete(connection, proposal.number),
        Row::Event(event) => events::delete(connection, &event.id),
        Row::Context(context) => contexts::delete(connection, scope, &context.id),
        Row::Enrolment(enrolment) => contexts::delete_enrolment(connection, scope, enrolment),
        Row::Link(link) => links::delete(connection, scope, &link.key),
        Row::Effect(effect) => links::delete_effect(connection, &effect.key, &effect.block_id),
        Row::Pair(pair) => crate::co_retrieval::unstage(connection, &pair.key),
        Row::Session(session) => tables::delete(connection, "sessions", "id", session.id.as_str()),
        Row::Frame(frame) => frames::delete(connection, &frame.name),
        Row::Tombstone(stone) => tables::delete(connection, "tombstones", "block_id", stone.block_id.as_str()),
        Row::Setting(setting) => tables::delete(connection, "system_config", "key", &setting.key),
    }
}

/// Shows `edit` the rows that a query selects, whatever their scope, and does with each what it says.
pub(crate) fn rewrite(
    connection: &Connection,
    query: RowQuery<'_>,
    edit: &mut dyn FnMut(&mut Row) -> RowEdit,
) -> Result<()> {
    let mut edits = Vec::new();
    scan(connection, &every_scope(connection)?, query, &mut |row, _, scope| {
        let mut edited = row.clone();
        match edit(&mut edited) {
            RowEdit::Keep => {}
            RowEdit::Replace => edits.push((scope.to_owned(), row.clone(), Some(edited))),
            RowEdit::Remove => edits.push((scope.to_owned(), row.clone(), None)),
        }
        ControlFlow::Continue(())
    })?;
    edits.iter().try_for_each(|(scope, before, after)| match after {
        Some(after) => replace(connection, scope, before, after),
        None => remove(connection, scope, before),
    })
}

/// Every scope there is, between separators.
pub(crate) fn every_scope(connection: &Connection) -> Result<String> {
    let sql = "SELECT scope FROM blocks UNION SELECT scope FROM events UNION SELECT scope FROM contexts \
               UNION SELECT scope FROM links UNION SELECT scope FROM enrolments UNION SELECT scope FROM tombstones";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let scopes = statement.query_map([], |row| row.get::<_, String>(0)).or_store_error()?;
    let mut all = "\u{1f}".to_owned();
    for scope in scopes {
        all = all + &scope.or_store_error()? + "\u{1f}";
    }
    Ok(all)
}

/// Returns a number that no row of a kind ever had.
pub(crate) fn next_number(connection: &Connection, kind: RowKind) -> Result<i64> {
    let table = if kind == RowKind::Link { "links" } else { "proposals" };
    let mut statement =
        connection.prepare_cached("SELECT seq + 1 FROM sqlite_sequence WHERE name = ?1").or_store_error()?;
    Ok(statement.query_row([table], |row| row.get(0)).optional().or_store_error()?.unwrap_or(1))
}

/// Whether there is no block, whatever its scope.
pub(crate) fn is_empty(connection: &Connection) -> Result<bool> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM blocks LIMIT 1").or_store_error()?;
    Ok(!statement.exists([]).or_store_error()?)
}
