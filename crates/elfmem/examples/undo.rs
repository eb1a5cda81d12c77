//! Every operation can be undone, and an undo too.
//!
//! Run with `cargo run -p elfmem --example undo`.

#![allow(clippy::print_stdout, reason = "an example prints what it shows")]

use elfmem::{Forget, Memory, Undo};

fn main() -> elfmem::Result<()> {
    let memory = Memory::in_memory()?;
    let block = memory.remember("The office is closed on Friday")?.block_id;
    memory.forget(Forget::new(&block).reason("a mistake"))?;

    let undone = memory.undo(Undo::last())?;
    println!("{undone}");
    assert!(memory.show(&block)?.block.archive_reason.is_none());

    // An undo is an operation too: undoing it brings the change back.
    if let Some(seq) = undone.undo_seq {
        println!("{}", memory.undo(Undo::operation(seq))?);
    }
    assert!(memory.show(&block)?.block.archive_reason.is_some());
    Ok(())
}
