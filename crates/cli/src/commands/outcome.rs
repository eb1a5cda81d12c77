//! `outcome`.

use elfmem_engine::{Memory, Outcome};
use elfmem_store_sqlite::SqliteStore;

use serde_json::json;

use super::request;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::DIM;

pub(crate) fn outcome(arguments: &args::Outcome, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    if let Some(id) = &arguments.retract {
        return Ok(Output::sentence(&memory.retract_outcome(id)?));
    }
    let result = memory.outcome(request::<Outcome>(&json!({
        "block_ids": arguments.blocks, "signal": arguments.signal, "weight": arguments.weight,
        "source": arguments.source, "outcome_id": arguments.id,
    }))?)?;
    let mut text = format!("{result}\n");
    if result.blocks_updated > 0 {
        text.push_str(&format!("{DIM}Take it back with: elfmem outcome --retract {}{DIM:#}", result.outcome_id));
    }
    Ok(Output::new(text, &result))
}
