//! What became of events.

use std::fmt;

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, LinkType};
use elfmem_text::secrets::Redactions;
use serde::Serialize;

use crate::LinkResult;

/// What became of one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventStatus {
    /// It became a memory.
    Created,
    /// The memory says so already.
    Unchanged,
    /// It took the place of what its context held.
    Replaced,
    /// It is on record and never recalled.
    Filtered,
}

impl EventStatus {
    /// The name that programs see.
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
pub struct StoreEventResult {
    /// The name of the event; the same for a retry.
    pub event_id: String,
    /// What became of it.
    pub status: EventStatus,
    /// Whether it was put on record now; a retry is not.
    pub recorded: bool,
    /// The block that says it; none for a filtered one.
    pub block_id: Option<BlockId>,
    /// How much that is believed now.
    pub confidence: Option<f64>,
    /// Its kind as it was sent.
    pub event_kind: &'static str,
    /// What the memory calls that kind.
    pub internal_type: &'static str,
    /// Who says so.
    pub source: &'static str,
    /// Where it belongs, as it is written here.
    pub context_id: Option<ContextId>,
    /// The links it came with, the implied one too.
    pub links: Vec<LinkResult>,
    /// Links that had waited for its context and found it now.
    pub resolved_links: Vec<LinkResult>,
    /// Types of links that the memory it replaced had and it has not.
    pub links_replaced: Vec<LinkType>,
    /// What was taken out of it before it was stored, by kind.
    #[serde(skip_serializing_if = "Redactions::is_empty")]
    pub redacted: Redactions,
    /// What went wrong on the side and what to do about it.
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
        if !self.resolved_links.is_empty() {
            write!(f, " {} waiting found their context.", self.resolved_links.len())?;
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        self.redacted.write_suffix(f)
    }
}

/// What became of one of several events.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BatchItem {
    /// Its place in the list, from 0.
    pub index: usize,
    /// What became of it; none when it was refused.
    #[serde(flatten)]
    pub result: Option<StoreEventResult>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<String>,
}

/// Result of `store_events`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct StoreEventsResult {
    /// Events that are memories now.
    pub stored: usize,
    /// Events that are on record only.
    pub filtered: usize,
    /// Events that were refused.
    pub failed: usize,
    /// What became of each, in order.
    pub results: Vec<BatchItem>,
}

impl fmt::Display for StoreEventsResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stored, filtered, failed, results } = self;
        write!(f, "Took {} events: {stored} stored, {filtered} filtered, {failed} refused.", results.len())?;
        for item in results {
            if let Some(error) = &item.error {
                write!(f, "\n! {}: {error}", item.index)?;
            }
        }
        Ok(())
    }
}
