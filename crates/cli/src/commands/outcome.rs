//! `outcome`.

use elfmem_engine::{Memory, Outcome};
use elfmem_store_sqlite::SqliteStore;

use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::DIM;

pub(crate) fn outcome(arguments: &args::Outcome, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    if let Some(id) = &arguments.retract {
        return Ok(Output::sentence(&memory.retract_outcome(id)?));
    }
    let result = memory.outcome(&Outcome {
        weight: arguments.weight,
        source: arguments.source.clone(),
        outcome_id: arguments.id.clone(),
        // Without one the arguments would not have been accepted.
        ..Outcome::new(&arguments.blocks, arguments.signal.unwrap_or(f64::NAN))
    })?;
    let mut text = format!("{result}\n");
    if result.blocks_updated > 0 {
        text.push_str(&format!("{DIM}Take it back with: elfmem outcome --retract {}{DIM:#}", result.outcome_id));
    }
    Ok(Output::new(text, &result))
}
