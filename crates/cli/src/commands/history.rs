//! `history`.

use std::fmt::Write;

use elfmem_engine::{ListOperations, Memory};
use elfmem_store_sqlite::SqliteStore;
use serde_json::json;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, NAME, NOTE, STRONG};

pub(super) fn history(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let operations = memory.operations(input.request::<ListOperations>()?)?;
    let mut text = String::new();
    for past in &operations {
        let when = past.at.strftime("%Y-%m-%d %H:%M:%S");
        let _ = write!(
            text,
            "{NAME}{:>5}{NAME:#} {DIM}{when} {}{DIM:#} {STRONG}{}{STRONG:#} {}",
            past.seq, past.actor, past.operation, past.summary
        );
        if let Some(by) = past.undone_by {
            let _ = write!(text, " {NOTE}undone by {by}{NOTE:#}");
        }
        text.push('\n');
    }
    if operations.is_empty() {
        text = match input.has_filter() {
            true => "No operation fits.",
            false => "Nothing has happened yet. Store something with: elfmem remember \"…\"",
        }
        .to_owned();
    }
    Ok(Output::new(text, &json!({"count": operations.len(), "operations": operations})))
}
