//! `frame` and `frame ls`.

use std::fmt::Write;

use elfmem_core::Frame;
use elfmem_engine::{Memory, RenderFrame};
use elfmem_store_sqlite::SqliteStore;
use serde_json::json;

use super::recall::left_out_text;
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::print::{self, Content};
use crate::spoken::as_typed;
use crate::style::{DIM, HANG, NAME};

pub(super) fn render(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.frame(input.request::<RenderFrame>()?)?;
    for left in &result.left_out {
        print::talk(left_out_text(left).trim_end(), Content::Text);
    }
    // The rendering is meant to be piped on.
    let message = result.message.as_deref().map(as_typed).unwrap_or_default();
    Ok(Output::fenced(result.text.clone(), &result).talking(message, ""))
}

pub(super) fn list(memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let frames = memory.frames()?;
    let mut text = String::new();
    for frame in &frames {
        let _ = writeln!(text, "{}", line(frame));
    }
    Ok(Output::new(text, &json!({"count": frames.len(), "frames": frames})))
}

fn line(frame: &Frame) -> String {
    let weights = frame.weights;
    let mut line = format!(
        "{NAME}{:<12}{NAME:#} {:>5} tokens  {HANG}similarity {:.2} confidence {:.2} recency {:.2} centrality {:.2} reinforcement {:.2}",
        frame.name,
        frame.token_budget,
        weights.similarity,
        weights.confidence,
        weights.recency,
        weights.centrality,
        weights.reinforcement
    );
    for (name, patterns) in
        [("only", &frame.filters.tag_patterns), ("not", &frame.filters.exclude_tags), ("always", &frame.guarantees)]
    {
        if !patterns.is_empty() {
            let _ = write!(line, " {DIM}{name} {}{DIM:#}", patterns.join(" "));
        }
    }
    line
}
