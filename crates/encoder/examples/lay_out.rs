//! Lays out a trained model for the program:
//! `cargo run --release -p elfmem-encoder --example lay_out -- TRAINED.bin`.
//!
//! Writes the parts into the data crates, `crates/encoder-data-1` and `crates/encoder-data-2`.

#![allow(clippy::print_stdout, reason = "an example")]

use std::path::Path;

/// Rows of the table in the first part, so that both packages are about as large: the registry's limit is 10 MB.
const FIRST_PART_ROWS: usize = 6500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trained = std::env::args().nth(1).ok_or("usage: lay_out TRAINED.bin")?;
    let parts = elfmem_encoder::lay_out(&std::fs::read(trained)?, FIRST_PART_ROWS)?;
    for (part, number) in parts.iter().zip(1..) {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(format!("encoder-data-{number}"));
        let path = crates.join(format!("model/elfmem-encoder-256.part-{number}"));
        std::fs::write(&path, part)?;
        println!("{} bytes: {}", part.len(), path.display());
    }
    Ok(())
}
