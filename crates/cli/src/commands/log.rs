//! `log`.

use std::fmt::Write;

use elfmem_engine::{Memory, ReadLog};
use elfmem_store_sqlite::SqliteStore;
use serde_json::json;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, NAME, STRONG};

pub(super) fn log(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let entries = memory.log(input.request::<ReadLog>()?)?;
    let mut text = String::new();
    for entry in &entries {
        let header = &entry.header;
        let when = header.at.strftime("%Y-%m-%d %H:%M:%S");
        let _ = writeln!(
            text,
            "{NAME}{:>5}{NAME:#} {DIM}{when} {}{DIM:#} {STRONG}{}{STRONG:#} {}",
            entry.seq, header.actor, header.operation, header.summary
        );
    }
    if entries.is_empty() {
        text = "Nothing has changed yet. Store something with: elfmem remember \"…\"".to_owned();
    }
    Ok(Output::new(text, &json!({"count": entries.len(), "operations": entries})))
}
