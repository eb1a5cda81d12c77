//! `undo`, after a question where it takes back more than one thing.

use std::fmt::Write;

use elfmem_engine::{Memory, Undo, UndoResult};
use elfmem_store_sqlite::SqliteStore;

use super::confirm::answer_to;
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::DIM;

pub(super) fn undo(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    // Whoever names an operation knows which; without a number it may be a whole dream.
    if !input.fields.contains_key("seq") && !input.fields.contains_key("dry_run") {
        ask_first(input, memory)?;
    }
    let result = memory.undo(input.request::<Undo>()?)?;
    let mut text = format!("{}\n", render(&result));
    let summary = as_typed(&result.summary);
    if !summary.is_empty() {
        let _ = writeln!(text, "{DIM}It had said: {summary}{DIM:#}");
    }
    if result.dry_run {
        for effect in &result.effects {
            let _ = writeln!(text, "{effect}");
        }
        let more = result.counts.total().saturating_sub(result.effects.len());
        if more > 0 {
            let _ = writeln!(text, "{DIM}and {more} more{DIM:#}");
        }
    }
    Ok(Output::new(text, &result))
}

fn render(result: &UndoResult) -> String {
    as_typed(&result.to_string())
}

/// Says on a terminal what would be taken back, if that is a whole dream, and asks.
fn ask_first(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<(), Failure> {
    let rehearsed = memory.undo(input.request::<Undo>()?.dry_run())?;
    if rehearsed.consolidated.is_none() {
        return Ok(());
    }
    match answer_to(&format!("{}\nGo on?", render(&rehearsed)), "[Y/n]")?.as_deref() {
        None | Some("" | "y" | "yes") => Ok(()),
        Some(_) => Err(Failure::unconfirmed("Nothing was undone.")),
    }
}
