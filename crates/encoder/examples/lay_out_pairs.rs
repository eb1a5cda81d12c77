//! Lays out a trained classifier of pairs for the program:
//! `cargo run --release -p elfmem-encoder --example lay_out_pairs -- TRAINED.bin`.
//!
//! Writes the file of the data crate, `crates/pair-data`.

#![allow(clippy::print_stdout, reason = "an example")]

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trained = std::env::args().nth(1).ok_or("usage: lay_out_pairs TRAINED.bin")?;
    let file = elfmem_encoder::lay_out_pairs(&std::fs::read(trained)?)?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("pair-data").join("model/elfmem-pairs.bin");
    std::fs::write(&path, &file)?;
    println!("{} bytes: {}", file.len(), path.display());
    Ok(())
}
