//! The requests that look at events and contexts.

use elfmem_core::event::EventKind;
use elfmem_core::{BlockId, Timestamp};
use elfmem_store::EventQuery;

use super::checked_context;
use crate::recall::checked_source;
use crate::request::request;
use crate::{Error, Request, Result};

/// The most events of one page.
const LARGEST_PAGE: u32 = 1_000;

request! {
    /// List events, the newest first.
    pub struct ListEvents: "list_events" {
        command: "event ls",
        profile: All,
        effect: Reads,
        when: "You want to know what was told, by whom and when; filtered ones are here too.",
        when_not: "You look for what is known: retrieve_memories().",
        cost: "Fast. One read.",
        returns: "The events with their payloads and links.",
        next: "show() the block of one.",
        example: "elfmem event ls --kind observation --limit 10",
        answers: &[field("count", Count), field("total", Count), field("page", Count), field("events", Objects)],
    }
    takes {
        /// Only of this kind, or of a family of kinds
        kind: String => option("--kind", "KIND"),
        /// Only from this source
        source: String => option("--source", "SOURCE"),
        /// Only those stored in this context
        context_id: String => option("--context", "CONTEXT"),
        /// Only what happened at or after this
        since: Timestamp => option("--since", "TIME"),
        /// Only those that became no memory
        filtered: bool => flag("--filtered"),
        /// At most this many
        limit: u32 = 100 => option("--limit", "COUNT").also(&["top_k"]),
        /// Which page, from 0
        page: u32 = 0 => option("--page", "NUMBER"),
    }
    beside {
        /// Blocks of which one must have come from an event; then there are no pages.
        blocks: Option<Vec<BlockId>>,
    }
}

impl ListEvents {
    /// Lists all events that became one of these blocks.
    pub fn of_blocks(blocks: impl IntoIterator<Item = BlockId>) -> Self {
        Self { blocks: Some(blocks.into_iter().collect()), ..Self::new() }
    }

    /// The query that it stands for.
    pub(super) fn query(&self) -> Result<EventQuery> {
        let limit = self.limit.clamp(1, LARGEST_PAGE);
        Ok(EventQuery {
            kinds: self.kinds()?,
            source: self.source.as_deref().map(checked_source).transpose()?,
            context: self.context_id.as_deref().map(checked_context).transpose()?,
            blocks: self.blocks.clone(),
            since: self.since,
            admitted: self.filtered.then_some(false),
            offset: self.page.saturating_mul(limit),
            limit: self.blocks.is_none().then_some(limit),
        })
    }

    /// The kinds that a name stands for: one kind, or a family of them.
    fn kinds(&self) -> Result<Vec<EventKind>> {
        let Some(name) = &self.kind else { return Ok(Vec::new()) };
        let family: Vec<EventKind> = EventKind::all().filter(|kind| kind.group().as_str() == name.trim()).collect();
        match EventKind::parse(name) {
            _ if !family.is_empty() => Ok(family),
            Some(kind) => Ok(vec![kind]),
            None => {
                let names: Vec<&str> = EventKind::all().map(EventKind::as_str).collect();
                let problem = format!("there is no event kind '{name:.60}'; the kinds are {}", names.join(", "));
                Err(Error::BadArgument { verb: Self::VERB, problem })
            }
        }
    }
}

request! {
    /// List contexts, the fullest first.
    pub struct ListContexts: "list_contexts" {
        command: "context ls",
        profile: Locus,
        effect: Reads,
        when: "You look for the place to tell something in, or to ask in.",
        when_not: "You know its id: show_context().",
        cost: "Fast. One read.",
        returns: "Contexts with how many memories each has, and the types there are.",
        next: "show_context() one.",
        example: "elfmem context ls --type skill",
        answers: &[
            field("count", Count),
            field("total", Count),
            field("page", Count),
            field("context_types", Objects),
            field("contexts", Objects),
        ],
    }
    takes {
        /// Only of this type
        context_type: String => option("--type", "TYPE"),
        /// Only with this in their id
        context_name: String => option("--name", "TEXT"),
        /// Only with so many memories
        min_references: u64 = 0 => option("--min-references", "COUNT"),
        /// At most this many
        limit: u32 = 100 => option("--limit", "COUNT").also(&["top_k"]),
        /// Which page, from 0
        page: u32 = 0 => option("--page", "NUMBER"),
    }
}

request! {
    /// Show what belongs to a context and what it is linked with.
    pub struct ShowContext: "show_context" {
        command: "context show",
        profile: Locus,
        effect: Reads,
        when: "You have its id.",
        when_not: "You look for one: list_contexts().",
        cost: "Fast. A few reads.",
        returns: "Its memories, its links both ways, and how many wait for it.",
        next: "context_graph() goes further.",
        example: "elfmem context show skill:react",
        answers: &[
            field("context_id", Text),
            field("context_type", Text),
            field("context_name", Text),
            field("reference_count", Count),
            nullable("created_at", Text),
            field("blocks", Objects),
            field("relationships", Objects),
            field("unresolved", Count),
        ],
    }
    needs {
        /// Its id, type:name
        context: String => place("CONTEXT"),
    }
}

request! {
    /// Show contexts and the links between them.
    pub struct ShowContextGraph: "context_graph" {
        command: "context graph",
        profile: All,
        effect: Reads,
        when: "You want an overview, or what surrounds a context.",
        when_not: "You want the memories: show_context().",
        cost: "Fast. A few reads.",
        returns: "Nodes and edges; links of memories count for the contexts they were told in.",
        next: "show_context() one.",
        example: "elfmem context graph skill:react --depth 2",
        answers: &[field("nodes", Objects), field("edges", Objects), field("cut", Flag)],
    }
    takes {
        /// Around this one; without one, all of them
        context: String => place("CONTEXT"),
        /// How many steps
        depth: usize = 1 => option("--depth", "COUNT"),
        /// At most this many
        limit: u32 = 100 => option("--limit", "COUNT").also(&["top_k"]),
        /// Only with so many memories
        min_references: u64 = 0 => option("--min-references", "COUNT"),
    }
}

request! {
    /// Add a block to a context.
    pub struct Enrol: "enrol" {
        command: "context enrol",
        profile: All,
        effect: Writes idempotent,
        when: "Something stored concerns a context it was not told in, or links wait for a context.",
        when_not: "You store it now: name the context.",
        cost: "Instant. One write.",
        returns: "EnrolResult: the links that had waited for the context.",
        next: "undo() takes it back.",
        example: "elfmem context enrol skill:react 6b0c8d3a",
        answers: &[field("block_id", Text), field("context_id", Text), field("resolved_links", Objects)],
    }
    needs {
        /// Its id, type:name
        context: String => place("CONTEXT"),
        /// Which block
        block_id: String => place("BLOCK").also(&["block", "id"]),
    }
}
