//! `dream` and `migrate-embeddings`.

use std::fmt::Write;

use elfmem_engine::render::{MAX_CONTRADICTIONS, mark_untrusted, more_contradictions};
use elfmem_engine::{ConsolidateResult, Dream, ListPending, Memory, MigrateEmbeddings};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::one_line;
use serde_json::json;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use crate::spoken::as_typed;
use crate::style::{DIM, NAME};

pub(super) fn dream(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.dream(input.request::<Dream>()?.progress(progress::listener()))?;
    let hint = match result.contradictions.is_empty() || result.dry_run {
        true => String::new(),
        false => {
            format!("{DIM}Settle what contradicts with: elfmem contradictions{DIM:#}")
        }
    };
    Ok(Output::stored(decisions(&result), &result).between(as_typed(&result.to_string()), hint))
}

fn decisions(result: &ConsolidateResult) -> String {
    let mut text = String::new();
    for decision in &result.decisions {
        let _ = writeln!(text, "{decision}");
    }
    for contradiction in result.contradictions.iter().take(MAX_CONTRADICTIONS) {
        let _ = writeln!(text, "{contradiction}");
    }
    text.push_str(more_contradictions(result.contradictions.len()).trim_start());
    text
}

pub(super) fn pending(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let blocks = memory.pending(input.request::<ListPending>()?)?;
    let mut text = String::new();
    for block in &blocks {
        let content = one_line(&block.content);
        let content = mark_untrusted(&content, block.trusted);
        let _ = writeln!(text, "{NAME}{}{NAME:#} {content}", block.block_id);
    }
    if blocks.is_empty() {
        text = "Nothing waits to be consolidated.".to_owned();
    }
    Ok(Output::new(text, &json!({"count": blocks.len(), "blocks": blocks})))
}

pub(super) fn migrate(memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.migrate_embeddings(MigrateEmbeddings::new().progress(progress::listener()))?))
}
