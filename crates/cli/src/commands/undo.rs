//! `undo`.

use std::fmt::Write;

use elfmem_engine::{Memory, Undo};
use elfmem_store_sqlite::SqliteStore;

use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::DIM;

pub(crate) fn undo(arguments: &args::Undo, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let asked = arguments.seq.map_or_else(Undo::last, Undo::operation);
    let result = memory.undo(if arguments.dry_run { asked.dry_run() } else { asked })?;
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
