//! What the Python elfmem 0.17 to 0.20 keeps in columns that 0.15 does not have.

use elfmem_core::BlockId;
use elfmem_store::{Proposal, ProposalKind, ProposalState, ReadProposals, WriteProposals};
use rusqlite::Connection;

use super::{Adoption, Result};
use crate::blocks::stamp;
use crate::errors::OrStoreError;
use crate::schema::columns_of;
use crate::transaction::SqliteTransaction;

/// Pairs of near-duplicates on their way from `contradictions` to proposals.
const SET_ASIDE: &str = "adopted_near_duplicates";

/// Belief as the counts of good and bad outcomes have it. They begin at a half each; confidence is the share of the good
/// ones, evidence what goes beyond the two halves. Where the columns agree with the counts, they stay as they are.
const BELIEF_OF_COUNTS: &str = "UPDATE blocks SET confidence = success_count / (success_count + failure_count), \
     outcome_evidence = max(success_count + failure_count - 1.0, 0.0) \
     WHERE success_count >= 0 AND failure_count >= 0 AND success_count + failure_count > 0 \
     AND (abs(confidence - success_count / (success_count + failure_count)) > 1e-9 \
         OR abs(outcome_evidence - max(success_count + failure_count - 1.0, 0.0)) > 1e-9)";

fn has(connection: &Connection, table: &str, column: &str) -> Result<bool> {
    Ok(columns_of(connection, table)?.iter().any(|name| name == column))
}

/// Puts rows where our tables have them.
pub(super) fn convert(connection: &Connection, report: &mut Adoption) -> Result<()> {
    if has(connection, "blocks", "success_count")? && has(connection, "blocks", "failure_count")? {
        let count = connection.execute(BELIEF_OF_COUNTS, []).or_store_error()?;
        report.changed(count, "confidence and evidence are what the counts of outcomes say");
    }
    if has(connection, "blocks", "volatility_class")? {
        let sql = "SELECT count(volatility_class) FROM blocks";
        let count: i64 = connection.query_row(sql, [], |row| row.get(0)).or_store_error()?;
        report.removed(
            usize::try_from(count).unwrap_or_default(),
            "the column volatility_class of blocks; tags and category say the same, and nothing reads it",
        );
    }
    if has(connection, "edges", "declared_by")? && !has(connection, "edges", "asserted_from")? {
        connection.execute("ALTER TABLE edges ADD COLUMN asserted_from TEXT", []).or_store_error()?;
    }
    convert_columns(connection)?;
    set_near_duplicates_aside(connection, report)
}

/// Converts columns that hold what ours of another name hold. Belief is not among them: later versions of the Python
/// elfmem write it into the columns of 0.15 as well.
pub(super) fn convert_columns(connection: &Connection) -> Result<()> {
    let mut sql = String::new();
    if has(connection, "blocks", "pinned")? {
        sql += "UPDATE blocks SET pinned = 0 WHERE pinned IS NULL;";
    }
    if has(connection, "edges", "declared_by")? {
        sql += "UPDATE edges SET asserted_from = declared_by \
                WHERE asserted_from IS NULL AND declared_by IN (from_id, to_id);";
    }
    connection.execute_batch(&sql).or_store_error()
}

/// Near-duplicates are no contradictions: both texts are right, and one may be superfluous.
pub(super) fn set_near_duplicates_aside(connection: &Connection, report: &mut Adoption) -> Result<()> {
    if !has(connection, "contradictions", "kind")? {
        return Ok(());
    }
    connection
        .execute_batch(&format!(
            "CREATE TEMP TABLE {SET_ASIDE} AS SELECT block_a_id, block_b_id, score, resolved, created_at \
             FROM contradictions WHERE kind = 'near_duplicate'"
        ))
        .or_store_error()?;
    let count = connection.execute("DELETE FROM contradictions WHERE kind = 'near_duplicate'", []).or_store_error()?;
    report.changed(count, "near-duplicates became proposals; they were stored as contradictions");
    Ok(())
}

/// Makes a proposal of every pair that was set aside. A resolved one was decided: both are kept.
pub(super) fn propose_near_duplicates(transaction: &mut SqliteTransaction<'_>) -> Result<()> {
    if columns_of(transaction.connection, SET_ASIDE)?.is_empty() {
        return Ok(());
    }
    let read = |row: &rusqlite::Row<'_>| {
        let id = |at: usize| Ok::<_, rusqlite::Error>(BlockId::from_stored(&row.get::<_, String>(at)?));
        let created_at = stamp(4, &row.get::<_, String>(4)?)?;
        let resolved: bool = row.get(3)?;
        let score: f64 = row.get(2)?;
        Ok(Proposal {
            number: 0,
            kind: ProposalKind::NearDuplicate,
            block_id: id(0)?,
            other_id: Some(id(1)?),
            tag: None,
            text: None,
            score: score.clamp(0.0, 1.0),
            reason: format!("Similarity {score:.2}, kept separate by the Python elfmem."),
            state: if resolved { ProposalState::Rejected } else { ProposalState::Open },
            created_at,
            settled_at: resolved.then_some(created_at),
        })
    };
    let proposals: Vec<Proposal> = {
        // The younger block is proposed to take the place of the older.
        let sql = format!(
            "SELECT younger.id, older.id, score, resolved, pairs.created_at FROM {SET_ASIDE} AS pairs \
             JOIN blocks AS younger ON younger.id IN (block_a_id, block_b_id) \
             JOIN blocks AS older ON older.id IN (block_a_id, block_b_id) \
             WHERE (younger.created_at, younger.position) > (older.created_at, older.position) \
             AND 'archived' NOT IN (younger.status, older.status) ORDER BY pairs.rowid"
        );
        let mut statement = transaction.connection.prepare(&sql).or_store_error()?;
        let rows = statement.query_map([], read).or_store_error()?;
        rows.collect::<rusqlite::Result<_>>().or_store_error()?
    };
    transaction.connection.execute_batch(&format!("DROP TABLE temp.{SET_ASIDE}")).or_store_error()?;
    for proposal in proposals {
        if transaction.find_proposal(&proposal.subject())?.is_none() {
            transaction.insert_proposal(&proposal)?;
        }
    }
    Ok(())
}
