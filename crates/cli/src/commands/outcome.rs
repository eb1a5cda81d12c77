//! `outcome`.

use elfmem_engine::{Memory, Outcome};
use elfmem_store_sqlite::SqliteStore;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::DIM;

pub(super) fn outcome(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.outcome(input.request::<Outcome>()?)?;
    if let Some(id) = result.unknown_block() {
        return Err(elfmem_engine::Error::UnknownBlock { id: id.to_owned() }.into());
    }
    let mut text = format!("{}\n", as_typed(&result.to_string()));
    if result.blocks_updated > 0 {
        text.push_str(&format!("{DIM}Take it back with: elfmem outcome --retract {}{DIM:#}", result.outcome_id));
    }
    Ok(Output::new(text, &result))
}
