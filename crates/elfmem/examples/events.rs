//! Events in contexts, and links between blocks that move confidence.
//!
//! Run with `cargo run -p elfmem --example events`.

use elfmem::{Memory, NewEvent};

fn main() -> elfmem::Result<()> {
    let memory = Memory::in_memory()?;
    let rule = NewEvent::new("constraint", "Never deploy on a Friday").source("user").context("project:billing");
    let stored = memory.store_event(&rule)?;
    println!("{stored}");

    let confirmed = NewEvent::new("fact", "A Friday deploy took the service down").source("validator");
    let proof = memory.store_event(&confirmed.context("project:billing"))?;
    if let (Some(from), Some(to)) = (&proof.block_id, &stored.block_id) {
        println!("{}", memory.link(from.as_str(), "reinforces", to.as_str(), None)?);
    }
    println!("{}", memory.recall("may we deploy on Friday?")?);
    Ok(())
}
