//! `recall` and `why`.

use std::fmt::Write;

use elfmem_core::BlockStatus;
use elfmem_engine::{Explanation, Memory, Recall, RecallResult, ScoredBlock, Why, WhyResult};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::terms::strip_hidden;

use crate::args::{EXPLAIN, VerbInput};
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, NAME, NOTE};

pub(super) fn recall(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.recall(input.request::<Recall>()?)?;
    Ok(Output::new(text(&result, input.has_flag(EXPLAIN)), &result))
}

pub(super) fn why(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.why(input.request::<Why>()?)?;
    Ok(Output::new(why_text(&result), &result))
}

/// The best first: a line about each block, then its text; what the whole answer is worth comes last.
fn text(result: &RecallResult, explain: bool) -> String {
    let mut text = String::new();
    for block in &result.blocks {
        write_block(&mut text, block);
        if explain {
            text.push_str(&table(&block.explain, block.relevance));
        }
    }
    for left in &result.left_out {
        let _ = writeln!(text, "{DIM}left out: {}{DIM:#}", left.detail);
    }
    if let Some(message) = &result.message {
        let _ = match result.blocks.is_empty() {
            true => writeln!(text, "{message}"),
            false => writeln!(text, "{NOTE}{message}{NOTE:#}"),
        };
    }
    text
}

pub(super) fn write_block(text: &mut String, block: &ScoredBlock) {
    let _ = write!(text, "{NAME}{}{NAME:#} {DIM}{:.2}{DIM:#}", block.id.short(), block.score);
    if block.status == BlockStatus::Inbox {
        let _ = write!(text, " {NOTE}inbox{NOTE:#}");
    }
    if !block.trusted {
        let _ = write!(text, " {NOTE}not trusted{NOTE:#}");
    }
    for tag in &block.tags {
        let _ = write!(text, " {DIM}#{tag}{DIM:#}");
    }
    text.push('\n');
    // Only what we write begins at the edge, whatever signs a text has for the end of a line.
    for line in strip_hidden(&block.content).lines() {
        let _ = writeln!(text, "  {line}");
    }
}

/// A small table: what was found, and what the score is made of.
fn table(explain: &Explanation, relevance: Option<f64>) -> String {
    let mut found: Vec<String> = Vec::new();
    if let Some(relevance) = relevance {
        found.push(format!("relevance {relevance:.2}"));
    }
    found.push(format!("words {:.2}", explain.words));
    found.extend(explain.meaning.map(|cosine| format!("meaning {cosine:.2}")));
    found.extend(explain.cue.map(|cosine| format!("cue {cosine:.2}")));
    for (name, value) in [("context", explain.context), ("who", explain.who)] {
        if value > 0.0 {
            found.push(format!("{name} {value:.2}"));
        }
    }
    found.extend(explain.time.map(|fit| format!("time {fit:.2}")));
    let parts = &explain.components;
    let made_of = format!(
        "similarity {:.2}, confidence {:.2}, recency {:.2}, centrality {:.2}, reinforcement {:.2}",
        parts.similarity, parts.confidence, parts.recency, parts.centrality, parts.reinforcement
    );
    let mut table = format!("  {DIM}found by  {}{DIM:#}\n  {DIM}score of  {made_of}{DIM:#}\n", found.join(", "));
    if let Some(via) = &explain.via {
        let edge = format!("{} ({} {:.2})", via.block_id.short(), via.relation, via.weight);
        let _ = writeln!(table, "  {DIM}by way of {edge}{DIM:#}");
    }
    for left in &explain.displaced {
        let _ = writeln!(table, "  {DIM}displaced {}{DIM:#}", left.detail);
    }
    table
}

fn why_text(result: &WhyResult) -> String {
    format!("{result}\n{}", table(&result.explain, Some(result.relevance)))
}
