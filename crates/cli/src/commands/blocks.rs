//! `ls` and `show`.

use std::borrow::Cow;
use std::fmt::Write;

use elfmem_core::{BlockStatus, DocumentPart, Tag, time};
use elfmem_engine::render::{mark_untrusted, without_headings};
use elfmem_engine::{BlockDetails, Clock, ListBlocks, ListedBlock, Memory, ShowBlock, SystemClock};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::fence::quote;
use elfmem_text::phrase::{counted, excerpt, one_line};
use elfmem_text::terms::escape_hidden;
use serde_json::json;

use super::cut::cut_note;
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::local_time::local;
use crate::output::Output;
use crate::style::{DIM, GOOD, HANG, NAME, NOTE, Style};

/// Characters of a block that `ls` shows.
const LINE: usize = 100;

pub(super) fn list(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let blocks = memory.list_with_trust(input.request::<ListBlocks>()?)?;
    let mut text = String::new();
    for block in &blocks {
        let _ = writeln!(text, "{}", line(block));
    }
    if blocks.is_empty() {
        text = why_nothing(input, memory)?;
    }
    let total = memory.count(input.request::<ListBlocks>()?)?;
    let cut = cut_note(blocks.len(), Some(total), "all of them: elfmem ls --limit 0");
    let answer = json!({"count": blocks.len(), "total": total, "blocks": blocks});
    Ok(Output::new(text, &answer).talking("", cut))
}

fn line(ListedBlock { block, trusted, .. }: &ListedBlock) -> String {
    let shown = excerpt(&opening(&block.content, &block.parts), LINE);
    let age = time::age_in_words(block.created_at, SystemClock.now());
    let mut line = format!(
        "{NAME}{}{NAME:#} {} {DIM}{age:>10}{DIM:#}  {HANG}{shown}",
        block.id.short(),
        status_word(block.status)
    );
    for tag in &block.tags {
        let _ = write!(line, " {DIM}#{}{DIM:#}", one_line(tag.as_str()));
    }
    if !trusted {
        let _ = write!(line, " {NOTE}(not trusted){NOTE:#}");
    }
    line
}

/// Returns a text for one line. The heading above it in a document leads to it, unless the text begins with its words.
fn opening<'a>(content: &'a str, parts: &[DocumentPart]) -> Cow<'a, str> {
    let text = without_headings(content, parts);
    let headings = content.trim_start().strip_suffix(text).unwrap_or_default();
    match headings.trim_end().lines().next_back().map(|line| line.trim_matches('#').trim()) {
        Some(heading) if !text.starts_with(heading) => Cow::Owned(format!("{heading} › {text}")),
        _ => Cow::Borrowed(text),
    }
}

fn status_style(status: BlockStatus) -> Style {
    match status {
        BlockStatus::Inbox => NOTE,
        BlockStatus::Active => GOOD,
        BlockStatus::Archived => DIM,
    }
}

fn status_word(status: BlockStatus) -> String {
    let style = status_style(status);
    format!("{style}{:<8}{style:#}", status.as_str())
}

fn why_nothing(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<String, Failure> {
    let status = memory.status()?;
    let total = status.inbox_count + status.active_count + status.archived_count;
    let filtered = input.has_filter();
    Ok(if total == 0 || !filtered {
        "Nothing is stored yet. Store something with: elfmem remember \"…\"".to_owned()
    } else {
        "No stored block fits. List them all with: elfmem ls".to_owned()
    })
}

pub(super) fn show(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let details = memory.show(input.request::<ShowBlock>()?)?;
    Ok(Output::stored(details_text(&details), &details))
}

fn details_text(details: &BlockDetails) -> String {
    let block = &details.block;
    // Whoever looks at a block sees all of it, what is meant to be unseen too.
    let mut text = format!("{}\n\n", quote(&mark_untrusted(&escape_hidden(&block.content), details.trusted)));
    let mut field = |name: &str, value: String| {
        let _ = writeln!(text, "{DIM}{name:<12}{DIM:#} {HANG}{}", one_line(&value));
    };
    field("id", format!("{NAME}{}{NAME:#}", block.id));
    let reason = block.archive_reason.map(|reason| format!(" ({})", reason.as_str())).unwrap_or_default();
    let style = status_style(block.status);
    field("status", format!("{style}{}{style:#}{reason}", block.status));
    if let Some(head) = &details.leads_to {
        let content = one_line(&head.content);
        let content = mark_untrusted(&content, head.trusted);
        field("leads to", format!("{NAME}{}{NAME:#} {content}", head.block_id));
    } else if let Some(successor) = &block.superseded_by {
        field("successor", format!("{successor} (no longer there)"));
    }
    for stronger in &details.contradicted_by {
        field("contradicted", format!("by {NAME}{stronger}{NAME:#}"));
    }
    for other in &details.contradicts {
        field("contradicts", format!("{NAME}{other}{NAME:#}"));
    }
    if block.pinned {
        field("pinned", "yes".to_owned());
    }
    if let Some(cue) = &block.cue {
        field("cue", escape_hidden(cue).replace('\n', " | "));
    }
    field("category", block.category.to_string());
    let tags: Vec<&str> = block.tags.iter().map(Tag::as_str).collect();
    field("tags", if tags.is_empty() { "none".to_owned() } else { one_line(&tags.join(", ")) });
    field("confidence", format!("{} (evidence {:.1})", block.confidence, block.outcome_evidence.get()));
    field("decay", format!("{}, recency {:.2}", details.tier, details.recency));
    field("used", counted(u64::from(block.reinforcement_count), "time"));
    if let Some(at) = block.event_at {
        field("happened", local(at));
    }
    field("stored", format!("{} by {}", local(block.created_at), one_line(&block.source)));
    let trust = if details.trusted { "" } else { " (not trusted)" };
    field("came by", format!("{}{trust}", escape_hidden(&block.brought_by.in_words())));
    for part in &block.parts {
        field("document", escape_hidden(&part.in_words()).into_owned());
    }
    if let Some(replacement) = &block.replacement {
        field("replaced", format!("{}: {}", replacement.kind.as_str(), replacement.reason));
    }
    if details.edges.is_empty() {
        field("edges", "none".to_owned());
    }
    for edge in &details.edges {
        let direction = match &edge.asserted_from {
            Some(end) if *end == block.id => "→ ",
            Some(_) => "← ",
            None => "",
        };
        let note = edge.note.as_ref().map(|note| format!(" {DIM}{note}{DIM:#}")).unwrap_or_default();
        let other = edge.key.other(&block.id).short();
        field("edge", format!("{direction}{other} {} {}{note}", edge.relation_type, edge.weight));
    }
    text
}
