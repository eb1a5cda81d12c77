//! `recall`.

use std::fmt::Write;

use elfmem::core::BlockStatus;
use elfmem::{Memory, RecallResult};
use elfmem_store_sqlite::SqliteStore;

use super::learn::given_text;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, NAME, NOTE};

pub(crate) fn recall(arguments: &args::Recall, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let query = given_text(&arguments.query)?;
    let result = memory.recall(&query, arguments.top_k)?;
    Ok(Output::new(text(&result), &result))
}

/// The best first: a line about each block, then its text.
fn text(result: &RecallResult) -> String {
    if let Some(message) = &result.message {
        return message.clone();
    }
    let mut text = String::new();
    for block in &result.blocks {
        let _ = write!(text, "{NAME}{}{NAME:#} {DIM}{:.2}{DIM:#}", block.id.short(), block.score);
        if block.status == BlockStatus::Inbox {
            let _ = write!(text, " {NOTE}inbox{NOTE:#}");
        }
        for tag in &block.tags {
            let _ = write!(text, " {DIM}#{tag}{DIM:#}");
        }
        text.push('\n');
        for line in block.content.lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}
