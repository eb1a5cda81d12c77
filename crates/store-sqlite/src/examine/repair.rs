//! Making anew what is derived, one transaction for each structure.

use elfmem_core::eviction::eviction_candidate;
use elfmem_core::{BlockId, EdgeKey, LinkEffect, OutcomeRecord, ScopeView};
use elfmem_store::{
    Contradiction, Entity, JournalHeader, ReadBlocks, ReadGraph, StoreError, WriteBlocks, WriteEvidence, WriteGraph,
    WriteJournal,
};
use rusqlite::{Connection, TransactionBehavior};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::counts::{COUNTED_SESSIONS, misnamed_proposals};
use super::edges::Wrong;
use super::integrity::WORTHLESS_ALONE;
use super::journal::{Differing, JournalComparison, list_anew};
use super::lens::{Lens, RowLocation};
use super::vectors::unusable;
use crate::errors::OrStoreError;
use crate::transaction::SqliteTransaction;
use crate::vectors::clear_embedding;
use crate::{blocks, edges, links, outcomes, search};

type Result<T> = std::result::Result<T, StoreError>;

/// Brings one structure in step with its source; what it did, for the journal.
type Repair = fn(&Lens<'_>, &mut SqliteTransaction<'_>) -> Result<&'static str>;

/// In the order in which one rests on the other: what recall reads comes last.
const PARTS: [Repair; 6] = [references, vectors, joins, beliefs, lists, index];

pub(crate) fn repair(connection: &mut Connection, view: &ScopeView, header: &JournalHeader) -> Result<()> {
    for part in PARTS {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).or_store_error()?;
        let lens = Lens::of(&transaction, view)?;
        let mut open = SqliteTransaction::new(&transaction, view);
        let summary = part(&lens, &mut open)?.to_owned();
        open.describe(JournalHeader { summary, ..header.clone() });
        open.finish()?;
        transaction.commit().or_store_error()?;
    }
    Ok(())
}

/// Rows that refer to nothing and say nothing without it.
fn references(lens: &Lens<'_>, open: &mut SqliteTransaction<'_>) -> Result<&'static str> {
    let gone = |column: &str| format!("NOT EXISTS (SELECT 1 FROM blocks WHERE id = {column})");
    let sql = format!("SELECT {} FROM edges WHERE {} OR {}", edges::COLUMNS, gone("from_id"), gone("to_id"));
    let mut statement = lens.connection.prepare(&sql).or_store_error()?;
    let dangling = statement.query_map([], edges::from_row).or_store_error()?;
    let dangling = dangling.collect::<rusqlite::Result<Vec<_>>>().or_store_error()?;
    dangling.iter().try_for_each(|edge| open.remove_edge(edge))?;
    for table in WORTHLESS_ALONE.into_iter().filter(|table| *table != "edges") {
        let ends: &[&str] = match table {
            "contradictions" => &["block_a_id", "block_b_id"],
            "co_retrieval_staging" => &["from_id", "to_id"],
            _ => &["block_id"],
        };
        let ends: Vec<String> = ends.iter().map(|end| gone(end)).collect();
        lens.connection.execute(&format!("DELETE FROM {table} WHERE {}", ends.join(" OR ")), []).or_store_error()?;
    }
    Ok("Removed rows that referred to nothing.")
}

/// A vector that is none is taken away: the next recall makes it anew.
fn vectors(lens: &Lens<'_>, open: &mut SqliteTransaction<'_>) -> Result<&'static str> {
    for id in seen(lens, unusable(lens.connection)?)? {
        if let Some(block) = open.get_block(&id)? {
            clear_embedding(lens.connection, &id)?;
            open.recorder.record_vector(&id, block.embedding_model.as_deref(), None);
        }
    }
    Ok("Removed vectors that were none of their model.")
}

fn seen(lens: &Lens<'_>, ids: Vec<BlockId>) -> Result<Vec<BlockId>> {
    let mut seen = Vec::new();
    for id in ids {
        if lens.sees(&RowLocation::from(id.clone()))? {
            seen.push(id);
        }
    }
    Ok(seen)
}

fn joins(lens: &Lens<'_>, open: &mut SqliteTransaction<'_>) -> Result<&'static str> {
    let wrong = Wrong::read(lens.connection)?;
    for edge in wrong.backward.into_iter().chain(wrong.ended) {
        let (from, to) = (&edge.key.from_id, &edge.key.to_id);
        if !lens.sees(&RowLocation::pair(from.as_str(), to.as_str()))? {
            continue;
        }
        open.remove_edge(&edge)?;
        if let Some(key) = EdgeKey::canonical(from, to)
            && key != edge.key
            && are_living(open, [from, to])?
            && open.get_edge(&key)?.is_none()
        {
            open.put_edge(&elfmem_core::Edge { key, ..edge })?;
        }
    }
    for found in wrong.backward_contradictions.into_iter().chain(wrong.ended_contradictions) {
        let (a, b) = (found.block_a_id.clone(), found.block_b_id.clone());
        if !lens.sees(&RowLocation::pair(a.as_str(), b.as_str()))? {
            continue;
        }
        open.delete_contradiction(&found)?;
        if let Some(EdgeKey { from_id, to_id }) = EdgeKey::canonical(&a, &b)
            && from_id != a
            && are_living(open, [&a, &b])?
        {
            open.insert_contradiction(&Contradiction { block_a_id: from_id, block_b_id: to_id, ..found })?;
        }
    }
    for id in seen(lens, wrong.crowded)? {
        let mut made = open.get_edges_for_block(&id)?;
        made.retain(|edge| edge.is_machine_made());
        while made.len() > wrong.cap
            && let Some(key) = eviction_candidate(&made).map(|edge| edge.key.clone())
        {
            open.delete_edge(&key)?;
            made.retain(|edge| edge.key != key);
        }
    }
    Ok("Removed edges and contradictions that joined what may not be joined.")
}

fn are_living(open: &SqliteTransaction<'_>, ids: [&BlockId; 2]) -> Result<bool> {
    let statuses = open.get_statuses(&ids.map(BlockId::clone))?;
    Ok(statuses.len() == 2 && statuses.values().all(|status| *status != elfmem_core::BlockStatus::Archived))
}

/// What the journal says last of beliefs and of what moved them.
fn beliefs(lens: &Lens<'_>, open: &mut SqliteTransaction<'_>) -> Result<&'static str> {
    for row in JournalComparison::read(lens)?.differing.into_iter().filter(Differing::is_belief) {
        let block = row.block();
        if !lens.sees(&RowLocation::from(block.clone()))? {
            continue;
        }
        match row.entity {
            Entity::Block => {
                if let Some(stored) = blocks::get(lens.connection, &lens.all, &block)?
                    && let Some(believed) = with::<elfmem_core::Block>(&stored, &row.recorded)
                {
                    open.update_block(&block, &mut |block| {
                        block.confidence = believed.confidence;
                        block.outcome_evidence = believed.outcome_evidence;
                    })?;
                }
            }
            Entity::Outcome => {
                let name = row.id.split_once(':').map(|(block, outcome)| format!("{outcome}:{block}"));
                if let Some(stored) = outcomes::named(lens.connection, &name.unwrap_or_default())?
                    && let Some(record) = with::<OutcomeRecord>(&stored, &row.recorded)
                {
                    open.put_outcome(&record)?;
                }
            }
            _ => {
                for stored in links::effects_on(lens.connection, &lens.all, &block)? {
                    if row.id.ends_with(&stored.key.name())
                        && let Some(effect) = with::<LinkEffect>(&stored, &row.recorded)
                    {
                        open.put_effect(&effect)?;
                    }
                }
            }
        }
    }
    Ok("Set beliefs to what outcomes and links add up to.")
}

/// A row with some of its fields as the journal has them.
fn with<T: serde::Serialize + DeserializeOwned>(stored: &T, recorded: &Map<String, Value>) -> Option<T> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(stored) else { return None };
    fields.extend(recorded.iter().map(|(name, value)| (name.clone(), value.clone())));
    serde_json::from_value(Value::Object(fields)).ok()
}

/// What is counted, named and listed beside rows. None of it is in the journal.
fn lists(lens: &Lens<'_>, _: &mut SqliteTransaction<'_>) -> Result<&'static str> {
    list_anew(lens)?;
    let sql = format!(
        "UPDATE co_retrieval_staging SET count = {COUNTED_SESSIONS} \
         WHERE sessions IS NOT NULL AND count < {COUNTED_SESSIONS}"
    );
    lens.connection.execute(&sql, []).or_store_error()?;
    for (number, subject) in misnamed_proposals(lens.connection)? {
        let sql = "UPDATE OR IGNORE proposals SET subject = ?2 WHERE number = ?1";
        lens.connection.execute(sql, rusqlite::params![number, subject]).or_store_error()?;
    }
    Ok("Counted and listed anew.")
}

/// The full-text index, and what recall reads of each block.
fn index(lens: &Lens<'_>, _: &mut SqliteTransaction<'_>) -> Result<&'static str> {
    search::rebuild(lens.connection)?;
    Ok("Made the full-text index anew.")
}
