//! `dream` and `migrate-embeddings`.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use elfmem_core::BlockId;
use elfmem_engine::{ConsolidateResult, DEFAULT_PENDING, Dream, HostAnalysis, Memory, Rescore};
use elfmem_store_sqlite::SqliteStore;
use serde_json::json;

use super::learn::text_of;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use crate::style::{DIM, NAME};

pub(crate) fn dream(arguments: &args::Dream, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    if arguments.pending {
        return pending(arguments.max.unwrap_or(DEFAULT_PENDING), memory);
    }
    let host_analyses = match &arguments.analyses {
        Some(file) => analyses(file, memory)?,
        None => HashMap::new(),
    };
    let dream = Dream {
        max: arguments.max,
        dry_run: arguments.dry_run,
        host_analyses,
        progress: progress::listener(),
        ..Dream::default()
    };
    let mut result = memory.dream(&dream)?;
    if let Some(max) = arguments.rescore.filter(|_| !arguments.dry_run) {
        result.merge(memory.rescore(Rescore { max, ..Rescore::default() }, &dream)?);
    }
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

fn pending(limit: u32, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let blocks = memory.pending(limit)?;
    let mut text = String::new();
    for block in &blocks {
        let _ = writeln!(text, "{NAME}{}{NAME:#} {}", block.block_id, block.content);
    }
    if blocks.is_empty() {
        text = "Nothing waits to be consolidated.".to_owned();
    }
    Ok(Output::new(text, &json!({"count": blocks.len(), "blocks": blocks})))
}

fn analyses(file: &Path, memory: &Memory<SqliteStore>) -> Result<HashMap<BlockId, HostAnalysis>, Failure> {
    let given: HashMap<String, HostAnalysis> =
        serde_json::from_str(&text_of(file)?).map_err(|error| Failure::bad_analyses(&error))?;
    Ok(memory.analyses_by_block(given)?)
}

pub(crate) fn migrate(memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.migrate_embeddings(progress::listener().as_ref())?))
}
