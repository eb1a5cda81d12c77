//! `log`.

use std::fmt::Write;

use elfmem_engine::{Memory, ReadLog};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::one_line;
use serde_json::json;

use super::cut::{MAX_COUNTED, cut_note};
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::local_time::local;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{DIM, HANG, NAME, STRONG};

pub(super) fn log(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let entries = memory.log(input.request::<ReadLog>()?)?;
    let mut text = String::new();
    for entry in &entries {
        let header = &entry.header;
        let when = local(header.at);
        let _ = writeln!(
            text,
            "{NAME}{:>5}{NAME:#} {DIM}{when} {}{DIM:#} {HANG}{STRONG}{}{STRONG:#} {}",
            entry.seq,
            one_line(&header.actor),
            header.operation,
            as_typed(&one_line(&header.summary))
        );
    }
    if entries.is_empty() {
        text = "Nothing has changed yet. Store something with: elfmem remember \"…\"".to_owned();
    }
    let counted = memory.log(input.request::<ReadLog>()?.limit(MAX_COUNTED + 1))?.len() as u64;
    let total = Some(counted).filter(|counted| *counted <= u64::from(MAX_COUNTED));
    let cut = cut_note(entries.len(), total, "more of them: elfmem log --limit COUNT");
    Ok(Output::new(text, &json!({"count": entries.len(), "operations": entries})).talking("", cut))
}
