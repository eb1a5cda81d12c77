//! Events in contexts, and links between blocks that move confidence.
//!
//! Run with `cargo run -p elfmem --example events`.

#![allow(clippy::print_stdout, reason = "an example prints what it shows")]

use elfmem::{AddLink, Memory, StoreEvent};

fn main() -> elfmem::Result<()> {
    let memory = Memory::in_memory()?;
    let rule =
        StoreEvent::with_payload("constraint", "Never deploy on a Friday").source("user").context_id("project:billing");
    let stored = memory.store_event(&rule)?;
    println!("{stored}");

    let confirmed = StoreEvent::with_payload("fact", "A Friday deploy took the service down").source("validator");
    let proof = memory.store_event(confirmed.context_id("project:billing"))?;
    if let (Some(from), Some(to)) = (&proof.block_id, &stored.block_id) {
        println!("{}", memory.link(AddLink::new(from, "reinforces", to))?);
    }
    println!("{}", memory.recall("may we deploy on Friday?")?);
    Ok(())
}
