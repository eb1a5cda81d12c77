//! `outcome`.

use elfmem_engine::{Memory, Outcome};
use elfmem_store_sqlite::SqliteStore;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::DIM;

pub(super) fn outcome(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.outcome(input.request::<Outcome>()?)?;
    let mut text = format!("{result}\n");
    if result.blocks_updated > 0 {
        text.push_str(&format!("{DIM}Take it back with: elfmem outcome --retract {}{DIM:#}", result.outcome_id));
    }
    Ok(Output::new(text, &result))
}
