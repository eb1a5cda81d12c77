//! `contradictions`.

use std::fmt::Write;

use elfmem_engine::{ListContradictions, Memory};
use elfmem_store_sqlite::SqliteStore;
use serde_json::json;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, GOOD, NAME};

pub(super) fn list(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let found = memory.contradictions(input.request::<ListContradictions>()?)?;
    let mut text = String::new();
    for contradiction in &found {
        for side in [&contradiction.a, &contradiction.b] {
            let _ = writeln!(
                text,
                "{NAME}{}{NAME:#} {} {DIM}(confidence {:.2}, stored {}){DIM:#}",
                side.block_id.short(),
                side.content,
                side.confidence,
                side.created_at.strftime("%Y-%m-%d")
            );
        }
        let reason = contradiction.reason.as_deref().unwrap_or("no reason was given");
        let _ = writeln!(text, "    {reason} {DIM}({:.2}){DIM:#}", contradiction.score);
        if contradiction.resolved {
            let note = contradiction.note.as_deref().unwrap_or("both hold");
            let _ = writeln!(text, "    {GOOD}settled{GOOD:#}: {note}");
        }
        text.push('\n');
    }
    if found.is_empty() {
        text = "No contradictions are open.".to_owned();
    }
    Ok(Output::new(text, &json!({"count": found.len(), "contradictions": found})))
}
