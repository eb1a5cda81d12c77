//! Events, contexts and links as a store keeps them (seed 004).
//!
//! The two traits here are parts of [`Snapshot`](crate::Snapshot) and [`Transaction`](crate::Transaction); they have a file of their
//! own because they are one idea of their own.

use elfmem_core::event::{ContextId, EventKind, EventSource};
use elfmem_core::{BlockId, Link, LinkEffect, LinkEnd, LinkKey, LinkType, SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::StoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// One event as it was told. Events are only ever added; those that became no memory are kept too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its name: the same event told again has the same one.
    pub id: String,
    /// Its kind as it was sent.
    pub kind: EventKind,
    /// Who said so.
    pub source: EventSource,
    /// What was told.
    pub payload: Value,
    /// The same as a text: what a block that comes of it says.
    pub content: String,
    /// The links that came with it, as they were sent.
    pub links: Vec<StatedLink>,
    /// Where it belongs.
    pub context_id: Option<ContextId>,
    /// The block it became, or the one that said the same already; none for kinds that are never recalled.
    pub block_id: Option<BlockId>,
    /// The session it was told in.
    pub session_id: Option<SessionId>,
    /// When what it tells of happened.
    pub happened_at: Timestamp,
    /// When it was told.
    pub recorded_at: Timestamp,
}

/// A link as an event sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedLink {
    /// What it says.
    #[serde(rename = "type")]
    pub link_type: LinkType,
    /// What it says it of.
    pub target: LinkEnd,
}

/// Which events to read. Every condition that is given must be met.
#[derive(Debug, Clone, Default)]
pub struct EventQuery {
    /// Of one of these kinds, as sent; empty for any.
    pub kinds: Vec<EventKind>,
    /// From this source.
    pub source: Option<EventSource>,
    /// Told in this context.
    pub context: Option<ContextId>,
    /// That became one of these blocks; none for any.
    pub blocks: Option<Vec<BlockId>>,
    /// What happened at or after this.
    pub since: Option<Timestamp>,
    /// Only those that became a memory, or only those that did not.
    pub admitted: Option<bool>,
    /// Leave out so many of the newest.
    pub offset: u32,
    /// At most this many; none for all.
    pub limit: Option<u32>,
}

impl EventQuery {
    /// Those of some blocks.
    pub fn of_blocks(blocks: &[BlockId]) -> Self {
        Self { blocks: Some(blocks.to_vec()), ..Self::default() }
    }
}

/// A context: it exists from the first time that something is told in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// Its id, `type:name`.
    pub id: ContextId,
    /// When it came to be.
    pub created_at: Timestamp,
}

/// A context with how many living blocks are enrolled in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedContext {
    /// The context.
    #[serde(flatten)]
    pub context: Context,
    /// How many inbox and active blocks are enrolled.
    pub reference_count: u64,
}

/// Which contexts to list. Every condition that is given must be met.
#[derive(Debug, Clone, Default)]
pub struct ContextQuery {
    /// Of this type.
    pub kind: Option<String>,
    /// Whose id contains this.
    pub text: Option<String>,
    /// With at least so many blocks.
    pub least_references: u64,
    /// Leave out so many of the first.
    pub offset: u32,
    /// At most this many; none for all.
    pub limit: Option<u32>,
}

/// That a block belongs to a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolment {
    /// Which block.
    pub block_id: BlockId,
    /// Which context.
    pub context_id: ContextId,
    /// Whether it was told there: what is said of the context is said of it.
    pub primary: bool,
    /// Since when.
    pub created_at: Timestamp,
}

/// Which links to read, in the order they came. Every condition that is given must be met.
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

/// What a snapshot tells about events, contexts and links.
pub trait EventSnapshot {
    /// One event.
    fn get_event(&self, id: &str) -> Result<Option<Event>>;

    /// Events, the newest first.
    fn list_events(&self, query: &EventQuery) -> Result<Vec<Event>>;

    /// How many events a query would find without its offset and limit.
    fn count_events(&self, query: &EventQuery) -> Result<u64>;

    /// One context.
    fn get_context(&self, id: &ContextId) -> Result<Option<CountedContext>>;

    /// Contexts, the fullest first, then by id.
    fn list_contexts(&self, query: &ContextQuery) -> Result<Vec<CountedContext>>;

    /// How many contexts a query would find without its offset and limit, by type, in the order of the types.
    fn count_contexts(&self, query: &ContextQuery) -> Result<Vec<(String, u64)>>;

    /// Where some blocks belong, their own place first.
    fn get_enrolments(&self, blocks: &[BlockId]) -> Result<Vec<Enrolment>>;

    /// What belongs to a context and is not archived, the oldest first.
    fn get_enrolled(&self, context: &ContextId) -> Result<Vec<Enrolment>>;

    /// One link.
    fn get_link(&self, key: &LinkKey) -> Result<Option<Link>>;

    /// Links in the order they came. One whose block cannot be seen is not seen.
    fn list_links(&self, query: &LinkQuery) -> Result<Vec<Link>>;

    /// What links did to a block, in its order of testimonies.
    fn get_effects(&self, block: &BlockId) -> Result<Vec<LinkEffect>>;

    /// What one link did to the blocks it reached, in the order of their ids.
    fn get_effects_of(&self, key: &LinkKey) -> Result<Vec<LinkEffect>>;
}

/// What a transaction changes about events, contexts and links. All of it is in the journal.
pub trait EventTransaction: EventSnapshot {
    /// Stores an event unless there is one of that name; whether it was stored.
    fn insert_event(&mut self, event: &Event) -> Result<bool>;

    /// Removes an event: for undo alone. Whether there was one.
    fn delete_event(&mut self, id: &str) -> Result<bool>;

    /// Stores a context unless it is there; whether it was stored.
    fn insert_context(&mut self, context: &Context) -> Result<bool>;

    /// Removes a context; whether there was one.
    fn delete_context(&mut self, id: &ContextId) -> Result<bool>;

    /// Stores where a block belongs, replacing what was said of the two.
    fn put_enrolment(&mut self, enrolment: &Enrolment) -> Result<()>;

    /// Takes a block out of a context; whether it was in it.
    fn delete_enrolment(&mut self, block: &BlockId, context: &ContextId) -> Result<bool>;

    /// Stores a link, replacing the one that says the same, and gives it the next place unless it has one (one that comes back
    /// keeps its own).
    fn put_link(&mut self, link: &Link) -> Result<Link>;

    /// Removes a link; whether there was one. What it did to blocks is on record apart.
    fn delete_link(&mut self, key: &LinkKey) -> Result<bool>;

    /// Stores what a link did to a block, replacing what was on record of the two.
    fn put_effect(&mut self, effect: &LinkEffect) -> Result<()>;

    /// Removes what is on record of a link and a block.
    fn delete_effect(&mut self, effect: &LinkEffect) -> Result<()>;
}
