//! Replies about events, contexts and links. Stored text is fenced as data.

use crate::render::{fence_text, mark_untrusted};
use crate::results::excerpt;
use elfmem_core::{Link, time};

use super::{IntoReply, Reply};
use crate::{Chain, ContextDetails, EventListing, GraduateResult, InsightResult, ListedEvent, RetrieveResult};

/// How much of a text one line shows.
const SHOWN: usize = 120;

impl IntoReply for EventListing {
    fn into_reply(self) -> Reply {
        let line = |event: &ListedEvent| {
            let at = time::to_iso(event.recorded_at);
            let place = event.context_id.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
            let what = excerpt(&event.content, SHOWN);
            let what = mark_untrusted(&what, event.trusted);
            format!("{} {at} {} {}{place} {what}", event.id, event.kind.as_str(), event.source.as_str())
        };
        let reply = Reply::fenced_list("events", &self.events, line, "No event fits.");
        Reply { text: reply.text, ..Reply::new("", &self) }
    }
}

/// The text that was asked for; where items were, the same text stands in for them.
impl IntoReply for RetrieveResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        Reply::new(result.memories.clone().unwrap_or_else(|| result.to_string()), result)
    }
}

impl IntoReply for ContextDetails {
    fn into_reply(self) -> Reply {
        let details = &self;
        Reply::new(fence_text(&details.to_string()), details)
    }
}

impl IntoReply for Vec<Link> {
    fn into_reply(self) -> Reply {
        let links = &self;
        let line = |link: &Link| format!("{} {} {}", link.key.from, link.key.link_type, link.key.to);
        Reply::list("links", links, line, "No link fits.")
    }
}

impl IntoReply for InsightResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        Reply::new(fence_text(&result.to_string()), result)
    }
}

impl IntoReply for GraduateResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let text = result.to_string();
        Reply::new(if result.steps.is_empty() { text } else { fence_text(&text) }, result)
    }
}

impl IntoReply for Chain {
    fn into_reply(self) -> Reply {
        let chain = &self;
        Reply::new(fence_text(&chain.to_string()), chain)
    }
}
