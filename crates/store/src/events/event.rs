//! Events, contexts, enrolments and queries for them.

use elfmem_core::event::{ContextId, EventKind, EventSource};
use elfmem_core::{BlockId, Link, LinkEnd, LinkType, SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One event as it was reported. Events are only added; those that became no block are kept too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The id: the same event reported again has the same one.
    pub id: String,
    /// The kind, as it was sent.
    pub kind: EventKind,
    /// Who reported it.
    pub source: EventSource,
    /// The payload.
    pub payload: Value,
    /// The payload as text: the content of a block made from it.
    pub content: String,
    /// The links that came with it, as they were sent.
    pub links: Vec<StatedLink>,
    /// The context it was reported in.
    pub context_id: Option<ContextId>,
    /// The block it became, or the one that had the same content already; none for kinds that are never recalled.
    pub block_id: Option<BlockId>,
    /// The session it was reported in.
    pub session_id: Option<SessionId>,
    /// When it happened.
    pub happened_at: Timestamp,
    /// When it was reported.
    pub recorded_at: Timestamp,
}

/// A link as an event sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedLink {
    /// The type.
    #[serde(rename = "type")]
    pub link_type: LinkType,
    /// The end it points at.
    pub target: LinkEnd,
}

/// Which events to list. Every condition that is set must be met.
#[derive(Debug, Clone, Default)]
pub struct EventQuery {
    /// Of one of these kinds, as sent; empty for any.
    pub kinds: Vec<EventKind>,
    /// From this source.
    pub source: Option<EventSource>,
    /// Reported in this context.
    pub context: Option<ContextId>,
    /// That became one of these blocks; none for any.
    pub blocks: Option<Vec<BlockId>>,
    /// Happened at or after this.
    pub since: Option<Timestamp>,
    /// Only those that became a block, or only those that did not.
    pub admitted: Option<bool>,
    /// Skips so many of the newest.
    pub offset: u32,
    /// At most this many; none for all.
    pub limit: Option<u32>,
}

impl EventQuery {
    /// Selects the events of some blocks.
    pub fn of_blocks(blocks: &[BlockId]) -> Self {
        Self { blocks: Some(blocks.to_vec()), ..Self::default() }
    }
}

/// A context: it exists from the first event reported in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// Its id, `type:name`.
    pub id: ContextId,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A context with the number of blocks enrolled in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedContext {
    /// The context.
    #[serde(flatten)]
    pub context: Context,
    /// The number of enrolled inbox and active blocks.
    pub reference_count: u64,
}

/// Which contexts to list. Every condition that is set must be met.
#[derive(Debug, Clone, Default)]
pub struct ContextQuery {
    /// Of this type.
    pub kind: Option<String>,
    /// Whose id contains this.
    pub text: Option<String>,
    /// With at least so many blocks.
    pub least_references: u64,
    /// Skips so many of the first.
    pub offset: u32,
    /// At most this many; none for all.
    pub limit: Option<u32>,
}

/// The membership of a block in a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolment {
    /// The block.
    pub block_id: BlockId,
    /// The context.
    pub context_id: ContextId,
    /// Whether its event was reported there: links to the context apply to the block too.
    pub primary: bool,
    /// When it was enrolled.
    pub created_at: Timestamp,
}

/// Which links to list. Every condition that is set must be met.
#[derive(Debug, Clone, Default)]
pub struct LinkQuery {
    /// That start at one of these; none for any.
    pub from: Option<Vec<LinkEnd>>,
    /// That end at one of these; none for any.
    pub to: Option<Vec<LinkEnd>>,
    /// Of this type.
    pub link_type: Option<LinkType>,
    /// Only those whose target is a context that does not exist yet.
    pub unresolved: bool,
    /// At most this many; none for all.
    pub limit: Option<u32>,
}

impl EventQuery {
    /// Returns whether an event meets every condition.
    pub fn matches(&self, event: &Event) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&event.kind))
            && self.source.is_none_or(|source| event.source == source)
            && self.context.as_ref().is_none_or(|context| event.context_id.as_ref() == Some(context))
            && self
                .blocks
                .as_ref()
                .is_none_or(|blocks| event.block_id.as_ref().is_some_and(|block| blocks.contains(block)))
            && self.since.is_none_or(|since| event.happened_at >= since)
            && self.admitted.is_none_or(|admitted| event.block_id.is_some() == admitted)
    }
}

impl ContextQuery {
    /// Returns whether a context meets every condition.
    pub fn matches(&self, found: &CountedContext) -> bool {
        let id = &found.context.id;
        self.kind.as_deref().is_none_or(|kind| id.kind() == kind)
            && self.text.as_deref().is_none_or(|text| id.as_str().contains(text))
            && found.reference_count >= self.least_references
    }
}

impl LinkQuery {
    /// Returns whether a link meets every condition but [`unresolved`](Self::unresolved) and [`limit`](Self::limit).
    pub fn matches(&self, link: &Link) -> bool {
        let among = |ends: &Option<Vec<LinkEnd>>, end: &LinkEnd| ends.as_ref().is_none_or(|ends| ends.contains(end));
        among(&self.from, &link.key.from)
            && among(&self.to, &link.key.to)
            && self.link_type.is_none_or(|link_type| link.key.link_type == link_type)
    }
}
