//! `event store`, `event ls` and `retrieve`.

use std::fmt::Write;

use elfmem_engine::render::mark_untrusted;
use elfmem_engine::{ListContexts, ListEvents, ListLinks, Memory, RetrieveMemories, RetrieveResult, StoreEvent};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::one_line;
use serde_json::json;

use super::cut::cut_note;
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::local_time::local;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{DIM, HANG, NAME, NOTE};

/// The library names everything that is wrong with an event at once.
pub(super) fn store(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.store_event(StoreEvent::from_map(&input.fields))?))
}

pub(super) fn list(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let listing = memory.list_events(input.request::<ListEvents>()?)?;
    let mut text = String::new();
    for event in &listing.events {
        let style = if event.kind.is_admitted() { NAME } else { DIM };
        let (at, kind, source) = (local(event.recorded_at), event.kind.as_str(), event.source.as_str());
        let place = event.context_id.as_ref().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(
            text,
            "{style}{}{style:#} {HANG}{at} {kind} {source} {place} {}",
            event.id,
            mark_untrusted(&one_line(&event.content), event.trusted)
        );
    }
    if text.is_empty() {
        text.push_str(match input.has_filter() {
            true => "No event fits. List them all with: elfmem event ls",
            false => "No events yet. Store one with: elfmem event store",
        });
    }
    let others = format!("the others: elfmem event ls --page {}", listing.page + 1);
    let cut = cut_note(listing.events.len(), Some(listing.total), &others);
    Ok(Output::new(text, &listing).talking("", cut))
}

pub(super) fn contexts(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let listing = memory.list_contexts(input.request::<ListContexts>()?)?;
    let others = format!("the others: elfmem context ls --page {}", listing.page + 1);
    let cut = cut_note(listing.contexts.len(), Some(listing.total), &others);
    Ok(Output::new(as_typed(&listing.to_string()), &listing).talking("", cut))
}

pub(super) fn links(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let reply = memory.invoke(input.verb().name, &input.fields).map_err(|error| input.failure(error))?;
    let shown = reply.json["count"].as_u64().unwrap_or_default() as usize;
    let total = memory.links(input.request::<ListLinks>()?.limit(0))?.len() as u64;
    let cut = cut_note(shown, Some(total), "all of them: elfmem links --limit 0");
    Ok(Output::new(as_typed(&reply.text), &reply.json).talking("", cut))
}

pub(super) fn retrieve(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.retrieve_memories(input.request::<RetrieveMemories>()?)?;
    let text = match input.text("format") {
        "json" => return Ok(Output::exact_json(&json!(result.items), &result)),
        _ => memories(&result),
    };
    Ok(if result.items.is_empty() { Output::new(text, &result) } else { Output::stored(text, &result) })
}

/// One memory a line, for people.
fn memories(result: &RetrieveResult) -> String {
    let mut text = String::new();
    for item in &result.items {
        let content = one_line(&item.text);
        let content = mark_untrusted(&content, item.trusted);
        let _ = write!(text, "{NAME}{}{NAME:#} {:.2} {content}", item.block_id.short(), item.match_score);
        let _ = write!(text, " {DIM}({}, {}, {:.2}){DIM:#}", item.event_kind, one_line(&item.source), item.confidence);
        if item.contradicted {
            let _ = write!(text, " {NOTE}contradicted{NOTE:#}");
        }
        text.push('\n');
    }
    if result.has_more {
        let _ = writeln!(text, "{DIM}There are more: elfmem retrieve … --offset {}{DIM:#}", result.next_offset());
    }
    if text.is_empty() { "None found.".to_owned() } else { text }
}
