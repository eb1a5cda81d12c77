//! `undo`.

use std::fmt::Write;

use elfmem_engine::{Memory, Undo};
use elfmem_store_sqlite::SqliteStore;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::DIM;

pub(super) fn undo(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.undo(input.request::<Undo>()?)?;
    let mut text = format!("{result}\n");
    if result.dry_run {
        let _ = writeln!(text, "{DIM}It had said: {}{DIM:#}", result.summary);
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
