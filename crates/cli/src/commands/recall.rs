//! `recall` and `why`.

use std::fmt::Write;
use std::io::IsTerminal;

use elfmem_core::{BlockStatus, DocumentPart};
use elfmem_engine::render::{UNTRUSTED_BAR, UNTRUSTED_MARK, mark_untrusted, without_headings};
use elfmem_engine::{Explanation, LeftOut, Memory, Recall, RecallResult, ScoredBlock, Why, WhyResult};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::fence::{BAR, quote, safe_text};
use elfmem_text::phrase::one_line;
use elfmem_text::snippet::{SnippetPiece, snippet};

use crate::args::{EXPLAIN, FULL, VerbInput};
use crate::failure::Failure;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{DIM, NAME, NOTE, STRONG};

/// The age of what was stored today.
const TODAY: &str = "today";
/// Characters of a text that a terminal shows of it.
const MOST_SHOWN: usize = 280;
/// What is typed here is not named: it is what people expect.
const OWN_SURFACE: &str = "cli";

pub(super) fn recall(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.recall(input.request::<Recall>()?)?;
    let detail = Detail {
        explain: input.has_flag(EXPLAIN),
        // What reads from a pipe gets everything.
        snippets: std::io::stdout().is_terminal() && !input.has_flag(FULL),
    };
    let mut parts: Vec<String> = result.blocks.iter().map(|block| block_text(block, &result.query, detail)).collect();
    // What was left out is stored text like the rest, and stands inside the same fence.
    parts.extend(result.left_out.iter().map(left_out_text));
    Ok(Output::stored(parts.join("\n"), &result).talking(message(&result), ""))
}

/// How much of each block is shown.
#[derive(Debug, Clone, Copy)]
struct Detail {
    explain: bool,
    snippets: bool,
}

pub(super) fn why(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.why(input.request::<Why>()?)?;
    Ok(Output::new(why_text(&result), &result))
}

/// A line about a block, then its text.
fn block_text(block: &ScoredBlock, question: &str, detail: Detail) -> String {
    let mut text = headline(block);
    let _ = match detail.snippets {
        true => writeln!(text, "{}", emphasised(block, question)),
        false => writeln!(text, "{}", quote(&mark_untrusted(&block.content, block.trusted))),
    };
    if detail.explain {
        text.push_str(&table(&block.explain, block.relevance));
    }
    text
}

/// The part of a text that the question is about, behind bars, with the words of the question emphasised.
fn emphasised(block: &ScoredBlock, question: &str) -> String {
    let (mark, bar) = match block.trusted {
        true => ("", BAR.to_owned()),
        false => (UNTRUSTED_MARK, format!("{BAR}{UNTRUSTED_BAR}")),
    };
    let mut text = format!("{BAR}{mark}");
    for SnippetPiece { text: piece, matches } in
        snippet(without_headings(&block.content, block.part.as_slice()), question, MOST_SHOWN)
    {
        let piece = safe_text(&piece);
        let _ = match matches {
            true => write!(text, "{STRONG}{piece}{STRONG:#}"),
            false => write!(text, "{}", piece.replace('\n', &format!("\n{bar}"))),
        };
    }
    text
}

/// What the whole answer is worth. It comes first.
fn message(result: &RecallResult) -> String {
    match &result.message {
        Some(message) if result.blocks.is_empty() => as_typed(message),
        Some(message) => {
            let message = as_typed(message).replacen("is known about this.", "is known about this; nearest:", 1);
            format!("{NOTE}{message}{NOTE:#}\n")
        }
        None => String::new(),
    }
}

/// Why a block was left out, and its text if a block of the answer contradicts it.
pub(super) fn left_out_text(left: &LeftOut) -> String {
    let mut text = format!("{DIM}left out: {}{DIM:#}\n", left.detail);
    if let Some(content) = &left.content {
        let _ = writeln!(text, "{}", quote(&mark_untrusted(content, left.trusted)));
    }
    text
}

fn headline(block: &ScoredBlock) -> String {
    let shown = block.relevance.unwrap_or(block.score);
    let mut text = String::new();
    let _ = write!(text, "{NAME}{}{NAME:#} {DIM}{shown:.2}{DIM:#}", block.id.short());
    if block.status == BlockStatus::Inbox {
        let _ = write!(text, " {NOTE}inbox{NOTE:#}");
    }
    if !block.trusted {
        let _ = write!(text, " {NOTE}not trusted{NOTE:#}");
    }
    // The time of today is in the answer for programs.
    let date = Some(format!(", {}", block.date)).filter(|_| block.age != TODAY).unwrap_or_default();
    let _ = write!(text, " {DIM}{}{date}{DIM:#}", block.age);
    let said_by = [&block.said_by].into_iter().filter(|name| !name.is_empty() && *name != OWN_SURFACE);
    let place = block.part.as_ref().map(DocumentPart::in_words).or_else(|| block.document.clone());
    for name in said_by.chain(&place) {
        let _ = write!(text, " {DIM}{}{DIM:#}", safe_text(&one_line(name)));
    }
    if let Some(head) = &block.superseded_by {
        let _ = write!(text, " {NOTE}replaced by {}{NOTE:#}", head.short());
    }
    if let Some(newer) = &block.newer {
        let _ = write!(text, " {NOTE}older than {}{NOTE:#}", newer.short());
    }
    if let Some(stronger) = block.contradicted_by.first() {
        let _ = write!(text, " {NOTE}contradicted by {}{NOTE:#}", stronger.short());
    }
    for tag in &block.tags {
        let _ = write!(text, " {DIM}#{}{DIM:#}", one_line(tag.as_str()));
    }
    text.push('\n');
    text
}

/// Rounds to hundredths, so that no small negative number is shown as `-0.00`.
fn without_sign(cosine: f64) -> f64 {
    (cosine * 100.0).round() / 100.0 + 0.0
}

/// A small table: what was found, and what the score is made of.
fn table(explain: &Explanation, relevance: Option<f64>) -> String {
    let mut found: Vec<String> = Vec::new();
    if let Some(relevance) = relevance {
        found.push(format!("relevance {relevance:.2}"));
    }
    found.push(format!("words {:.2}", explain.words));
    found.extend(explain.meaning.map(|cosine| format!("meaning {:.2}", without_sign(cosine))));
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
    if explain.placed_by_time {
        let _ = writeln!(table, "  {DIM}placed    by time: the latest about what is asked{DIM:#}");
    }
    for left in &explain.displaced {
        let _ = writeln!(table, "  {DIM}displaced {}{DIM:#}", left.detail);
    }
    table
}

fn why_text(result: &WhyResult) -> String {
    format!("{}\n{}", as_typed(&result.to_string()), table(&result.explain, Some(result.relevance)))
}
