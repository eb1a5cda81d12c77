//! Proposal rows. A proposal is seen only where its blocks are.

use elfmem_core::{BlockId, time};
use elfmem_store::{Proposal, ProposalKind, ProposalState, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::blocks::{stamp, unreadable};
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) const COLUMNS: &str = "number, kind, block_id, other_id, tag, score, reason, state, created_at, settled_at, \
    text";

/// Every block in the view's scopes, which are bound as `?1`.
pub(crate) const VISIBLE: &str = "EXISTS (SELECT 1 FROM blocks WHERE id = block_id AND instr(?1, '\u{1f}' || scope || '\u{1f}')) \
    AND (other_id IS NULL \
        OR EXISTS (SELECT 1 FROM blocks WHERE id = other_id AND instr(?1, '\u{1f}' || scope || '\u{1f}')))";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Proposal> {
    let text = |at: usize| row.get::<_, String>(at);
    let unknown = |at: usize, name: &str| unreadable(at, format!("unknown word '{name}' in a proposal"));
    let (kind, state) = (text(1)?, text(7)?);
    let settled: Option<String> = row.get(9)?;
    Ok(Proposal {
        number: row.get(0)?,
        kind: ProposalKind::from_name(&kind).ok_or_else(|| unknown(1, &kind))?,
        block_id: BlockId::from_stored(&text(2)?),
        other_id: row.get::<_, Option<String>>(3)?.map(|id| BlockId::from_stored(&id)),
        tag: row.get(4)?,
        score: row.get(5)?,
        reason: text(6)?,
        state: ProposalState::from_name(&state).ok_or_else(|| unknown(7, &state))?,
        created_at: stamp(8, &text(8)?)?,
        settled_at: settled.map(|text| stamp(9, &text)).transpose()?,
        text: row.get(10)?,
    })
}

pub(crate) fn list(connection: &Connection, scopes: &str, state: Option<ProposalState>) -> Result<Vec<Proposal>> {
    let sql = format!("SELECT {COLUMNS} FROM proposals WHERE (?2 IS NULL OR state = ?2) AND {VISIBLE} ORDER BY number");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    let rows = statement.query_map(params![scopes, state.map(ProposalState::as_str)], from_row).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

pub(crate) fn get(connection: &Connection, scopes: &str, number: i64) -> Result<Option<Proposal>> {
    let sql = format!("SELECT {COLUMNS} FROM proposals WHERE number = ?2 AND {VISIBLE}");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row(params![scopes, number], from_row).optional().or_store_error()
}

pub(crate) fn find(connection: &Connection, scopes: &str, subject: &str) -> Result<Option<Proposal>> {
    let sql = format!("SELECT {COLUMNS} FROM proposals WHERE subject = ?2 AND {VISIBLE}");
    let mut statement = connection.prepare_cached(&sql).or_store_error()?;
    statement.query_row([scopes, subject], from_row).optional().or_store_error()
}

/// Stores a proposal unless its number or its subject is taken; whether it was stored.
pub(crate) fn insert(connection: &Connection, proposal: &Proposal) -> Result<bool> {
    let sql = "INSERT INTO proposals (number, subject, kind, block_id, other_id, tag, score, reason, state, created_at, \
               settled_at, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) \
               ON CONFLICT DO NOTHING";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let written = statement
        .execute(params![
            proposal.number,
            proposal.subject(),
            proposal.kind.as_str(),
            proposal.block_id.as_str(),
            proposal.other_id.as_ref().map(BlockId::as_str),
            proposal.tag,
            proposal.score,
            proposal.reason,
            proposal.state.as_str(),
            time::to_iso(proposal.created_at),
            proposal.settled_at.map(time::to_iso),
            proposal.text,
        ])
        .or_store_error()?;
    Ok(written > 0)
}

pub(crate) fn update(connection: &Connection, proposal: &Proposal) -> Result<()> {
    let sql = "UPDATE proposals SET score = ?2, reason = ?3, state = ?4, created_at = ?5, settled_at = ?6, text = ?7 \
               WHERE number = ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    statement
        .execute(params![
            proposal.number,
            proposal.score,
            proposal.reason,
            proposal.state.as_str(),
            time::to_iso(proposal.created_at),
            proposal.settled_at.map(time::to_iso),
            proposal.text,
        ])
        .or_store_error()?;
    Ok(())
}

pub(crate) fn delete(connection: &Connection, number: i64) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM proposals WHERE number = ?1").or_store_error()?;
    statement.execute([number]).or_store_error()?;
    Ok(())
}
