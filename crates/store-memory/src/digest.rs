//! Checksums and the size of a state.

use elfmem_store::{BlockRow, Digest, Row, RowKind, StoreError};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::Result;
use crate::state::State;
use crate::table::Stored;

/// Settings that only report the last check.
const REPORTS: [&str; 1] = ["last_finding"];

/// Computes the checksums. Rows are summed in the order of their texts, so the order in which they were stored does not matter.
pub(crate) fn digest(state: &State) -> Result<Digest> {
    let (mut memory, mut everything) = (Vec::new(), Vec::new());
    for stored in rows(state) {
        if matches!(&*stored.row, Row::Setting(setting) if REPORTS.contains(&setting.key.as_str())) {
            continue;
        }
        let scope = if stored.row.kind().has_scope() { stored.scope.as_str() } else { "" };
        everything.push(format!("{scope} {}", json(&stored.whole())?));
        if !matches!(stored.row.kind(), RowKind::Session | RowKind::Setting) {
            memory.push(format!("{scope} {}", json(&remembered(&stored.row))?));
        }
    }
    let journal = journal(state)?;
    everything.extend(journal.iter().cloned());
    Ok(Digest { memory: sum(memory), journal: sum(journal), everything: sum(everything) })
}

/// Adds up the lengths of all rows and operations as text.
pub(crate) fn size(state: &State) -> Result<u64> {
    let mut size = 0;
    for stored in rows(state) {
        size += json(&stored.whole())?.len() as u64;
    }
    Ok(size + journal(state)?.iter().map(|text| text.len() as u64).sum::<u64>())
}

fn rows(state: &State) -> impl Iterator<Item = &Stored> {
    state.rows().map(|(_, stored)| stored)
}

/// A row without what an export leaves out: vectors, and counters of the store.
fn remembered(row: &Row) -> Row {
    match row {
        Row::Block(row) => {
            let mut row = BlockRow { vector: None, ..(**row).clone() };
            (row.block.embedding_model, row.block.revision) = (None, 0);
            Row::Block(Box::new(row))
        }
        other => other.clone(),
    }
}

fn journal(state: &State) -> Result<Vec<String>> {
    let text = |value: serde_json::Result<Value>| value.map(|value| value.to_string()).map_err(StoreError::driver);
    state
        .journal
        .iter()
        .map(|record| {
            let header = text(serde_json::to_value(&record.header))?;
            let links = text(serde_json::to_value(&record.links))?;
            Ok(format!("{} {header} {links} {}", record.seq, text(serde_json::to_value(&record.changes))?))
        })
        .collect()
}

fn json(row: &Row) -> Result<String> {
    Ok(serde_json::to_value(row).map_err(StoreError::driver)?.to_string())
}

fn sum(mut texts: Vec<String>) -> String {
    texts.sort_unstable();
    let mut sum = Sha256::new();
    for text in texts {
        sum.update((text.len() as u64).to_le_bytes());
        sum.update(text);
    }
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
