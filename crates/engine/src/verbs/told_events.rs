//! Answers about events, contexts and links, as plain text. What was stored is data.

use crate::render::fence_text;
use crate::results::excerpt;
use elfmem_core::{Link, time};
use elfmem_store::Event;
use serde_json::json;

use super::Reply;
use crate::{Chain, ContextDetails, GraduateResult, InsightResult, RetrieveResult};

/// How much of a text one line shows.
const SHOWN: usize = 120;

pub(super) fn events(events: &[Event], total: u64, page: u32) -> Reply {
    let line = |event: &Event| {
        let at = time::to_iso(event.recorded_at);
        let place = event.context_id.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        let what = excerpt(&event.content, SHOWN);
        format!("{} {at} {} {}{place} {what}", event.id, event.kind.as_str(), event.source.as_str())
    };
    let reply = Reply::stored("events", events, line, "No event fits.");
    Reply { json: json!({"count": events.len(), "total": total, "page": page, "events": events}), ..reply }
}

/// The text that was asked for; where items were, the same text stands in for them.
pub(super) fn retrieved(result: &RetrieveResult) -> Reply {
    Reply::new(result.memories.clone().unwrap_or_else(|| result.to_string()), result)
}

pub(super) fn context(details: &ContextDetails) -> Reply {
    Reply::new(fence_text(&details.to_string()), details)
}

pub(super) fn links(links: &[Link]) -> Reply {
    let line = |link: &Link| format!("{} {} {}", link.key.from, link.key.link_type, link.key.to);
    Reply::list("links", links, line, "No link fits.")
}

pub(super) fn insight(result: &InsightResult) -> Reply {
    Reply::new(fence_text(&result.to_string()), result)
}

pub(super) fn graduated(result: &GraduateResult) -> Reply {
    let text = result.to_string();
    Reply::new(if result.steps.is_empty() { text } else { fence_text(&text) }, result)
}

pub(super) fn chain(chain: &Chain) -> Reply {
    Reply::new(fence_text(&chain.to_string()), chain)
}
