//! `secrets scan`, after a question where it takes something away.

use std::fmt::Write;

use elfmem_engine::{Memory, ScanSecrets};
use elfmem_store_sqlite::SqliteStore;

use super::confirm::confirm;
use crate::args::{VerbInput, YES};
use crate::failure::Failure;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{DIM, NAME};

pub(super) fn scan(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let asked = input.request::<ScanSecrets>()?;
    let redacts = input.fields.contains_key("redact");
    let mut scan = memory.scan_secrets(ScanSecrets::new())?;
    if redacts && !scan.blocks.is_empty() {
        if !input.has_flag(YES) {
            let question = format!("{scan}\n\nTake them out for good? It cannot be undone.");
            confirm(
                &question,
                "Redacting cannot be undone, and there is no terminal to ask on.",
                "Nothing was redacted.",
            )?;
        }
        scan = memory.scan_secrets(asked)?;
    }
    let mut text = format!("{}\n", as_typed(&scan.to_string()));
    for block in &scan.blocks {
        let now = block.replaced_by.as_ref().map(|id| format!(", now {}", id.short())).unwrap_or_default();
        let _ = writeln!(
            text,
            "{NAME}{}{NAME:#} {DIM}{}{DIM:#} {}{now}",
            block.block_id.short(),
            block.status,
            block.found
        );
    }
    Ok(Output::new(text, &scan))
}
