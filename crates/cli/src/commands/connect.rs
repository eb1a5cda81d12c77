//! `connect --by-query` and `connects`.

use std::fmt::Write;

use elfmem_engine::{ConnectByQuery, ConnectByQueryResult, ConnectMany, Memory};
use elfmem_store_sqlite::SqliteStore;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{BAD, DIM, NAME};

pub(super) fn by_query(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.connect_by_query(input.request::<ConnectByQuery>()?)?;
    Ok(Output::new(matches_text(&result), &result))
}

/// What was done, and both blocks to check.
fn matches_text(result: &ConnectByQueryResult) -> String {
    let mut text = format!("{result}\n");
    let sides = [
        ("source", &result.source_id, &result.source_content, result.source_confidence),
        ("target", &result.target_id, &result.target_content, result.target_confidence),
    ];
    for (side, id, content, confidence) in sides {
        let _ = match (id, content) {
            (Some(id), Some(content)) => {
                writeln!(text, "{DIM}{side}{DIM:#} {NAME}{}{NAME:#} {confidence:.2} {content}", id.short())
            }
            _ => writeln!(text, "{DIM}{side}{DIM:#} nothing in the memory is about that"),
        };
    }
    text
}

pub(super) fn connects(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.connects(input.request::<ConnectMany>()?)?;
    let mut text = format!("{result}\n");
    for edge in &result.results {
        let _ = writeln!(text, "{edge}");
    }
    for error in &result.errors {
        let _ = writeln!(text, "{BAD}!{BAD:#} {error}");
    }
    Ok(Output::new(text, &result))
}
