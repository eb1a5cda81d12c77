//! `undo`.

use std::fmt::Write;

use elfmem_engine::Memory;
use elfmem_store_sqlite::SqliteStore;

use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::DIM;

pub(crate) fn undo(arguments: &args::Undo, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.undo(arguments.seq, arguments.dry_run)?;
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
