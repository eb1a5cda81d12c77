//! Outcomes move confidence: blocks that helped are believed more, blocks that misled less, and a
//! retracted outcome leaves no trace.
//!
//! Run with `cargo run -p elfmem --example outcome`.

#![allow(clippy::print_stdout, reason = "an example prints what it shows")]

use elfmem::{Dream, Memory, Outcome};

fn main() -> elfmem::Result<()> {
    let memory = Memory::in_memory()?;
    let good = memory.remember("Restart the worker before the queue is drained")?.block_id;
    memory.dream(Dream::new())?;
    let confidence = || memory.show(&good).map(|details| details.block.confidence);

    println!("before: {}", confidence()?);
    let recorded = memory.outcome(Outcome::new([&good], 1.0))?;
    println!("after it helped: {}", confidence()?);
    memory.retract_outcome(&recorded.outcome_id)?;
    println!("after retracting: {}", confidence()?);
    Ok(())
}
