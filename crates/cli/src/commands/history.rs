//! `history`.

use std::fmt::Write;

use elfmem_engine::{ListOperations, Memory};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::one_line;
use serde_json::json;

use super::cut::cut_note;
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::local_time::local;
use crate::output::Output;
use crate::style::{DIM, HANG, NAME, NOTE};

pub(super) fn history(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let operations = memory.operations(input.request::<ListOperations>()?)?;
    let mut text = String::new();
    for past in &operations {
        let when = local(past.at);
        // As seed 001 writes it: a call and its answer.
        let line = one_line(&past.to_string());
        let _ = write!(text, "{NAME}{:>5}{NAME:#} {DIM}{when} {}{DIM:#} {HANG}{line}", past.seq, one_line(&past.actor));
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
    let total = memory.count_operations(input.request::<ListOperations>()?, operations.len())?;
    let mut notes = cut_note(operations.len(), total, "more of them: elfmem history --limit COUNT");
    let undo_window = memory.undo_window()?;
    if let Some(window) = &undo_window {
        let _ = writeln!(notes, "{DIM}{window}{DIM:#}");
    }
    let answer =
        json!({"count": operations.len(), "total": total, "operations": operations, "undo_window": undo_window});
    Ok(Output::new(text, &answer).talking("", notes))
}
