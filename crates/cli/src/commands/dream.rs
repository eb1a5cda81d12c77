//! `dream` and `migrate-embeddings`.

use std::fmt::Write;

use elfmem_engine::{ConsolidateResult, Dream, ListPending, Memory, MigrateEmbeddings};
use elfmem_store_sqlite::SqliteStore;
use serde_json::json;

use super::learn::text_of;
use super::request;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use crate::style::{DIM, NAME};

pub(crate) fn dream(arguments: &args::Dream, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    if arguments.pending {
        return pending(&request(&json!({"max": arguments.max}))?, memory);
    }
    let mut dream = request::<Dream>(&json!({
        "max": arguments.max, "dry_run": arguments.dry_run, "rescore": arguments.rescore,
    }))?;
    if let Some(file) = &arguments.analyses {
        let analyses = serde_json::from_str(&text_of(file)?).map_err(|error| Failure::bad_analyses(&error))?;
        dream = dream.analyses(analyses);
    }
    let result = memory.dream(dream.progress(progress::listener()))?;
    Ok(Output::new(text(&result), &result))
}

fn text(result: &ConsolidateResult) -> String {
    let mut text = format!("{result}\n");
    for decision in &result.decisions {
        let _ = writeln!(text, "{decision}");
    }
    for contradiction in &result.contradictions {
        let _ = writeln!(text, "{contradiction}");
    }
    if !result.contradictions.is_empty() && !result.dry_run {
        let _ = writeln!(text, "{DIM}Settle them with: elfmem contradictions resolve BLOCK OTHER --keep BLOCK{DIM:#}");
    }
    text
}

fn pending(asked: &ListPending, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let blocks = memory.pending(asked)?;
    let mut text = String::new();
    for block in &blocks {
        let _ = writeln!(text, "{NAME}{}{NAME:#} {}", block.block_id, block.content);
    }
    if blocks.is_empty() {
        text = "Nothing waits to be consolidated.".to_owned();
    }
    Ok(Output::new(text, &json!({"count": blocks.len(), "blocks": blocks})))
}

pub(crate) fn migrate(memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.migrate_embeddings(MigrateEmbeddings::new().progress(progress::listener()))?))
}
