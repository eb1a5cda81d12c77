//! The loop of an agent: recall before a task, remember what was found out, say what helped,
//! consolidate at a pause.
//!
//! Run with `cargo run -p elfmem --example agent_loop`.

#![allow(clippy::print_stdout, reason = "an example prints what it shows")]

use elfmem::{Dream, Memory, Outcome, Recall};

fn main() -> elfmem::Result<()> {
    let memory = Memory::in_memory()?;
    for fact in ["The staging database listens on port 5433", "Deploys go out on Tuesdays", "Maria reviews migrations"]
    {
        println!("{}", memory.remember(fact)?);
    }

    // Before a task: what is known about it.
    let task = "prepare the deploy of the new migration";
    let found = memory.recall(Recall::new(task).top_k(2))?;
    for block in &found.blocks {
        println!("  {} {}", block.id.short(), block.content);
    }

    // After it: what was found out, and how well the recalled blocks served.
    memory.remember("The new migration takes four minutes on staging")?;
    let used = found.blocks.iter().map(|block| block.id.as_str());
    println!("{}", memory.outcome(Outcome::new(used, 0.9))?);

    // At a pause: consolidate.
    println!("{}", memory.dream(Dream::new())?);
    println!("{}", memory.status()?);
    Ok(())
}
