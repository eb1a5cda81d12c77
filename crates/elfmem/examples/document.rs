//! A document becomes a chain of blocks, split at headings and sentences, and is found by its parts.
//!
//! Run with `cargo run -p elfmem --example document`.

#![allow(clippy::print_stdout, reason = "an example prints what it shows")]

use elfmem::{LearnDocument, Memory, Recall};

const HANDBOOK: &str = "\
# On-call handbook

## Paging
The pager rotates every Monday at nine. Whoever hands over writes a summary of open incidents.

## Databases
Backups run at two in the morning. A restore into staging takes about forty minutes.
";

fn main() -> elfmem::Result<()> {
    let memory = Memory::in_memory()?;
    let stored = memory.learn_document(LearnDocument::new(HANDBOOK).name("handbook.md").chunk_words(24))?;
    println!("{stored}");

    let found = memory.recall(Recall::new("how long does it take to restore a backup?").top_k(1))?;
    println!("{}", found.blocks[0].content);
    Ok(())
}
