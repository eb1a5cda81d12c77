//! The table of these routes: what each takes and answers. The router, the checks and the description are made from it.

use elfmem_engine::catalog::Kind;

/// One route.
#[derive(Debug)]
pub(crate) struct Route {
    /// `GET`, `POST` or `DELETE`.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// Its name in the description.
    pub(crate) id: &'static str,
    pub(crate) summary: &'static str,
    /// What it takes: in the address for `GET`, in the body otherwise.
    pub(crate) takes: &'static [Taken],
    /// The keys of `data` that are always there.
    pub(crate) answers: &'static [&'static str],
}

/// One thing a route takes.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) name: &'static str,
    /// None for any JSON.
    pub(crate) kind: Option<Kind>,
    pub(crate) required: bool,
}

const fn may(name: &'static str, kind: Kind) -> Taken {
    Taken { name, kind: Some(kind), required: false }
}

const fn must(name: &'static str, kind: Kind) -> Taken {
    Taken { name, kind: Some(kind), required: true }
}

const fn any(name: &'static str) -> Taken {
    Taken { name, kind: None, required: false }
}

const GRAPH: Taken = may("graph_id", Kind::Text);
const PAGE: Taken = may("page", Kind::Count);
const PAGE_SIZE: Taken = may("page_size", Kind::Count);

pub(super) const STORE: Route = Route {
    method: "POST",
    path: "/v1/events",
    id: "v1_store_event",
    summary: "Store an event.",
    takes: &[
        GRAPH,
        may("event_kind", Kind::Text),
        may("event_type", Kind::Text),
        may("eventType", Kind::Text),
        may("source", Kind::Text),
        any("payload"),
        any("content"),
        may("context_id", Kind::Text),
        may("event_id", Kind::Text),
        may("related_to", Kind::Texts),
        may("extends", Kind::Texts),
        may("reinforces", Kind::Texts),
        may("contradicts", Kind::Texts),
        may("links", Kind::Objects),
        any("timestamp"),
        may("replace", Kind::Flag),
        may("idempotency_key", Kind::Text),
    ],
    answers: &["locus_id", "status", "confidence", "context_id"],
};

pub(super) const BATCH: Route = Route {
    method: "POST",
    path: "/v1/events/batch",
    id: "v1_store_events",
    summary: "Store several events in order; one that is refused does not stop the others.",
    takes: &[GRAPH, must("events", Kind::Objects)],
    answers: &["stored", "filtered", "failed", "results"],
};

pub(super) const TRANSACTION: Route = Route {
    method: "POST",
    path: "/v1/graphs/{graph}/transaction",
    id: "v1_transaction",
    summary: "Store several events, all or none.",
    takes: &[must("operations", Kind::Objects)],
    answers: &["committed", "applied", "stored", "filtered", "results"],
};

pub(super) const EVENTS: Route = Route {
    method: "GET",
    path: "/v1/events/{graph}",
    id: "v1_list_events",
    summary: "List events, the newest first.",
    takes: &[may("kind", Kind::Text), may("source", Kind::Text), may("since", Kind::Count), PAGE, PAGE_SIZE],
    answers: &["events", "total", "page", "page_size"],
};

pub(super) const REJECTED: Route = Route {
    method: "GET",
    path: "/v1/events/{graph}/rejected",
    id: "v1_rejected_events",
    summary: "List events that became no memory, the newest first.",
    takes: &[may("limit", Kind::Count)],
    answers: &["events", "count"],
};

pub(super) const KINDS: Route = Route {
    method: "GET",
    path: "/v1/event-kinds",
    id: "v1_event_kinds",
    summary: "List the kinds of events.",
    takes: &[],
    answers: &["kinds"],
};

pub(super) const MEMORIES: Route = Route {
    method: "POST",
    path: "/v1/memories",
    id: "v1_retrieve_memories",
    summary: "Find memories by words, meaning and belief.",
    takes: &[
        GRAPH,
        must("query", Kind::Text),
        may("limit", Kind::Count),
        may("offset", Kind::Count),
        may("context_ids", Kind::Texts),
        may("context_types", Kind::Object),
        may("sources", Kind::Texts),
        may("boost_context_ids", Kind::Texts),
        may("expand_depth", Kind::Count),
        may("semantic_weight", Kind::Number),
        may("format", Kind::Choice(&["markdown", "json"])),
        may("include_ids", Kind::Flag),
    ],
    answers: &["items_found", "offset", "has_more"],
};

pub(super) const INSIGHTS: Route = Route {
    method: "POST",
    path: "/v1/memories/insights",
    id: "v1_generate_insights",
    summary: "Put together what the memory holds about a task.",
    takes: &[
        GRAPH,
        must("task", Kind::Text),
        may("locus_query", Kind::Text),
        may("limit", Kind::Count),
        may("context_ids", Kind::Texts),
        may("context_types", Kind::Object),
    ],
    answers: &["insight", "recommendation", "confidence"],
};

pub(super) const LOCUS: Route = Route {
    method: "GET",
    path: "/v1/locus/{graph}/{id}",
    id: "v1_show_locus",
    summary: "Show one memory with its links.",
    takes: &[],
    answers: &["locus", "links", "metadata", "contexts"],
};

pub(super) const FORGET: Route = Route {
    method: "DELETE",
    path: "/v1/locus/{graph}/{id}",
    id: "v1_delete_locus",
    summary: "Put a memory out of recall; it can be restored.",
    takes: &[],
    answers: &["locus_id", "affected_links", "unbound_links"],
};

pub(super) const LOCI: Route = Route {
    method: "GET",
    path: "/v1/locuses/{graph}",
    id: "v1_list_locuses",
    summary: "List memories, the newest first.",
    takes: &[PAGE],
    answers: &["locuses", "total", "page", "page_size"],
};

pub(super) const LOCI_OF: Route = Route {
    method: "GET",
    path: "/v1/locuses/context/{graph}/{type}/{name}",
    id: "v1_list_locuses_of_context",
    summary: "List the memories of a context, the oldest first.",
    takes: &[PAGE],
    answers: &["locuses", "total", "page", "page_size"],
};

pub(super) const CONTEXTS: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}",
    id: "v1_list_contexts",
    summary: "List or search contexts, the fullest first.",
    takes: &[
        may("context_type", Kind::Text),
        may("context_name", Kind::Text),
        may("q", Kind::Text),
        may("limit", Kind::Count),
        PAGE,
    ],
    answers: &["context_types", "contexts", "total", "page", "page_size"],
};

pub(super) const CONTEXTS_OF: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}/{type}",
    id: "v1_list_contexts_of_type",
    summary: "List the contexts of a type.",
    takes: &[may("limit", Kind::Count), PAGE],
    answers: &["contexts", "total", "page", "page_size"],
};

pub(super) const CONTEXT: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}/{type}/{name}",
    id: "v1_show_context",
    summary: "Show one context with its counts.",
    takes: &[],
    answers: &["context", "stats"],
};

pub(super) const RELATIONSHIPS: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}/{type}/{name}/relationships",
    id: "v1_context_relationships",
    summary: "List what a context is linked with.",
    takes: &[
        may("direction", Kind::Choice(&["incoming", "outgoing", "both"])),
        may("link_type", Kind::Text),
        PAGE,
        PAGE_SIZE,
    ],
    answers: &["relationships", "total", "page", "page_size"],
};

pub(super) const GRAPH_AROUND: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}/{type}/{name}/graph",
    id: "v1_context_graph",
    summary: "Show how contexts hang together around one.",
    takes: &[may("depth", Kind::Count)],
    answers: &["nodes", "edges"],
};

pub(super) const WHOLE_GRAPH: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}/graph",
    id: "v1_whole_graph",
    summary: "Show how contexts hang together.",
    takes: &[may("limit", Kind::Count), may("min_refs", Kind::Count)],
    answers: &["nodes", "edges"],
};

const LINK_ENDS: &[Taken] =
    &[must("from_context_id", Kind::Text), must("to_context_id", Kind::Text), must("link_type", Kind::Text)];

pub(super) const LINK: Route = Route {
    method: "POST",
    path: "/v1/contexts/{graph}/link",
    id: "v1_link_contexts",
    summary: "Link two contexts.",
    takes: LINK_ENDS,
    answers: &["from_context_id", "to_context_id", "link_type"],
};

pub(super) const UNLINK: Route = Route {
    method: "DELETE",
    path: "/v1/contexts/{graph}/link",
    id: "v1_unlink_contexts",
    summary: "Take a link between two contexts back.",
    takes: LINK_ENDS,
    answers: &["from_context_id", "to_context_id", "link_type", "removed", "links_removed"],
};

pub(super) const LOOK_UP: Route = Route {
    method: "GET",
    path: "/v1/context/{graph}",
    id: "v1_look_up_context",
    summary: "Look a context up by its id.",
    takes: &[may("context_id", Kind::Text), may("type", Kind::Text), may("context_name", Kind::Text)],
    answers: &["context_id", "context", "locus_id", "payload"],
};

pub(super) const LOOK_UP_MANY: Route = Route {
    method: "POST",
    path: "/v1/context/{graph}/batch",
    id: "v1_look_up_contexts",
    summary: "Look several contexts up by their ids.",
    takes: &[must("context_ids", Kind::Texts)],
    answers: &["contexts", "not_found"],
};

pub(super) const RESOLVE: Route = Route {
    method: "POST",
    path: "/v1/resolve/{graph}",
    id: "v1_resolve",
    summary: "Let links that wait for a context find it, by a memory that belongs there.",
    takes: &[may("context_id", Kind::Text), may("domain_id", Kind::Text), must("locus_id", Kind::Text)],
    answers: &["context_id", "locus_id", "links_resolved", "success", "resolved_at", "source"],
};

pub(super) const RESOLVE_MANY: Route = Route {
    method: "POST",
    path: "/v1/resolve/{graph}/batch",
    id: "v1_resolve_batch",
    summary: "The same for several, one after the other.",
    takes: &[must("resolutions", Kind::Objects)],
    answers: &["results", "total_resolved"],
};

pub(super) const UNRESOLVED: Route = Route {
    method: "GET",
    path: "/v1/resolve/{graph}/unresolved",
    id: "v1_unresolved",
    summary: "List the contexts that links wait for.",
    takes: &[],
    answers: &["total_unresolved_links", "unique_context_ids", "context_ids"],
};

pub(super) const UNRESOLVED_OF: Route = Route {
    method: "GET",
    path: "/v1/resolve/{graph}/unresolved/{context}",
    id: "v1_unresolved_of_context",
    summary: "List the links that wait for a context.",
    takes: &[],
    answers: &["context_id", "links_count", "links"],
};

/// All of them.
pub(crate) const ROUTES: [&Route; 26] = [
    &STORE,
    &BATCH,
    &TRANSACTION,
    &EVENTS,
    &REJECTED,
    &KINDS,
    &MEMORIES,
    &INSIGHTS,
    &LOCUS,
    &FORGET,
    &LOCI,
    &LOCI_OF,
    &CONTEXTS,
    &CONTEXTS_OF,
    &CONTEXT,
    &RELATIONSHIPS,
    &GRAPH_AROUND,
    &WHOLE_GRAPH,
    &LINK,
    &UNLINK,
    &LOOK_UP,
    &LOOK_UP_MANY,
    &RESOLVE,
    &RESOLVE_MANY,
    &UNRESOLVED,
    &UNRESOLVED_OF,
];
