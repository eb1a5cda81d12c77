//! Results of `store_event` and `store_events`.

use std::fmt;

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, LinkType};
use elfmem_store::Event;
use elfmem_text::secrets::Redactions;
use serde::Serialize;

use crate::LinkResult;
use crate::results::counted;

/// Result of `list_events`: one page of events.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EventListing {
    /// How many are on this page.
    pub count: usize,
    /// How many there are in all.
    pub total: u64,
    /// The number of the page, from 0.
    pub page: u32,
    /// The events, the newest first.
    pub events: Vec<ListedEvent>,
}

/// An event in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ListedEvent {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
}

impl std::ops::Deref for ListedEvent {
    type Target = Event;

    fn deref(&self) -> &Event {
        &self.event
    }
}

/// The status of a stored event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum EventStatus {
    /// A block was created.
    Created,
    /// A block with this text exists already.
    Unchanged,
    /// The block of its context was replaced.
    Replaced,
    /// The event was recorded without a block, so it is never recalled.
    Filtered,
}

impl EventStatus {
    /// Returns the name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Unchanged => "unchanged",
            Self::Replaced => "replaced",
            Self::Filtered => "filtered",
        }
    }
}

/// Result of `store_event`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StoreEventResult {
    /// The event id. A retry has the same id.
    pub event_id: String,
    /// The status.
    pub status: EventStatus,
    /// Whether the event was recorded now. False for a retry.
    pub recorded: bool,
    /// The block with its text. `None` for a filtered event.
    pub block_id: Option<BlockId>,
    /// The confidence of that block.
    pub confidence: Option<f64>,
    /// The event kind as sent.
    pub event_kind: &'static str,
    /// The internal name of that kind.
    pub internal_type: &'static str,
    /// The source.
    pub source: &'static str,
    /// The context id in normalised form.
    pub context_id: Option<ContextId>,
    /// The links of the event, including the implied one.
    pub links: Vec<LinkResult>,
    /// The pending links to its context that were resolved.
    pub resolved_links: Vec<LinkResult>,
    /// Link types of the replaced block that were not inherited.
    pub links_replaced: Vec<LinkType>,
    /// Number of secrets redacted from the text, by kind.
    #[serde(skip_serializing_if = "Redactions::is_empty")]
    pub redacted: Redactions,
    /// Problems that did not stop the operation, with what to do about them.
    pub warnings: Vec<String>,
}

impl fmt::Display for StoreEventResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { event_id, event_kind, .. } = self;
        match (&self.block_id, self.status) {
            (Some(block), status) => {
                let confidence = self.confidence.unwrap_or_default();
                let (block, status) = (block.short(), status.as_str());
                write!(f, "Stored {event_kind} as block {block}. Status: {status}. Confidence: {confidence:.2}.")?;
            }
            (None, _) => {
                write!(f, "Recorded {event_kind} {event_id}; such events are never recalled. Status: filtered.")?;
            }
        }
        let made = self.links.iter().filter(|link| link.created).count();
        if made > 0 {
            write!(f, " {made} {}.", if made == 1 { "link" } else { "links" })?;
        }
        match self.resolved_links.len() {
            0 => {}
            1 => f.write_str(" 1 pending link was resolved.")?,
            count => write!(f, " {count} pending links were resolved.")?,
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        self.redacted.write_suffix(f)
    }
}

/// The result of one event of a batch.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BatchItem {
    /// The index in the batch, from 0.
    pub index: usize,
    /// The result. `None` if the event was rejected.
    #[serde(flatten)]
    pub result: Option<StoreEventResult>,
    /// Why it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<String>,
}

/// Result of `store_events`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct StoreEventsResult {
    /// Number of events stored as blocks.
    pub stored: usize,
    /// Number of events recorded without a block.
    pub filtered: usize,
    /// Number of rejected events.
    pub failed: usize,
    /// The result of each event, in order.
    pub results: Vec<BatchItem>,
}

impl fmt::Display for StoreEventsResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stored, filtered, failed, results } = self;
        let events = counted(results.len() as u64, "event");
        write!(f, "{events}: {stored} stored, {filtered} filtered, {failed} rejected.")?;
        for item in results {
            if let Some(error) = &item.error {
                write!(f, "\n! {}: {error}", item.index)?;
            }
        }
        Ok(())
    }
}
