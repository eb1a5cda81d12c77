//! `verify`.

use std::fmt::Write;

use elfmem_engine::{Memory, Verify};
use elfmem_store_sqlite::SqliteStore;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use crate::style::{BAD, DIM, GOOD};

pub(super) fn verify(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let found = memory.verify(input.request::<Verify>()?.progress(progress::listener()))?;
    let mut text = String::new();
    for finding in &found.repaired {
        let _ = writeln!(text, "{GOOD}{:<9}{GOOD:#}{}", "repaired", finding.problem);
    }
    for finding in &found.findings {
        let _ = writeln!(text, "{BAD}{:<9}{BAD:#}{}", "wrong", finding.problem);
        let way_out = match finding.repairable {
            true => "elfmem verify --repair makes it anew.",
            false => "Keep a copy of the file, and go back to a backup.",
        };
        let _ = writeln!(text, "{DIM}{:<9}{way_out}{DIM:#}", "");
    }
    let _ = writeln!(text, "{found}");
    if let Some(digest) = &found.digest {
        let _ = writeln!(text, "{DIM}memory    {DIM:#} {}", digest.memory);
        let _ = writeln!(text, "{DIM}journal   {DIM:#} {}", digest.journal);
        let _ = writeln!(text, "{DIM}everything{DIM:#} {}", digest.everything);
    }
    let output = Output::new(text, &found);
    Ok(if found.sound { output } else { output.failing() })
}
