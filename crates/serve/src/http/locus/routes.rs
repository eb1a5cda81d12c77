//! The table of the locus routes, from which the router, the validation and the OpenAPI document
//! are generated.

use elfmem_engine::catalog::ValueKind;

/// A route.
#[derive(Debug)]
pub(crate) struct Route {
    /// `GET`, `POST` or `DELETE`.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// The operation id in the OpenAPI document.
    pub(crate) id: &'static str,
    pub(crate) summary: &'static str,
    /// Parameters: in the query string for `GET`, in the body otherwise.
    pub(crate) takes: &'static [LocusParameter],
    /// Keys that are always in `data`.
    pub(crate) answers: &'static [&'static str],
}

/// A parameter of a route.
#[derive(Debug)]
pub(crate) struct LocusParameter {
    pub(crate) name: &'static str,
    /// `None` for any JSON.
    pub(crate) kind: Option<ValueKind>,
    pub(crate) required: bool,
}

const fn may(name: &'static str, kind: ValueKind) -> LocusParameter {
    LocusParameter { name, kind: Some(kind), required: false }
}

const fn must(name: &'static str, kind: ValueKind) -> LocusParameter {
    LocusParameter { name, kind: Some(kind), required: true }
}

const fn any(name: &'static str) -> LocusParameter {
    LocusParameter { name, kind: None, required: false }
}

const GRAPH: LocusParameter = may("graph_id", ValueKind::Text);
const PAGE: LocusParameter = may("page", ValueKind::Count);
const PAGE_SIZE: LocusParameter = may("page_size", ValueKind::Count);

pub(super) const STORE: Route = Route {
    method: "POST",
    path: "/v1/events",
    id: "v1_store_event",
    summary: "Store an event.",
    takes: &[
        GRAPH,
        may("event_kind", ValueKind::Text),
        may("event_type", ValueKind::Text),
        may("eventType", ValueKind::Text),
        may("source", ValueKind::Text),
        any("payload"),
        any("content"),
        may("context_id", ValueKind::Text),
        may("event_id", ValueKind::Text),
        may("related_to", ValueKind::Texts),
        may("extends", ValueKind::Texts),
        may("reinforces", ValueKind::Texts),
        may("contradicts", ValueKind::Texts),
        may("links", ValueKind::Objects),
        any("timestamp"),
        may("replace", ValueKind::Flag),
        may("idempotency_key", ValueKind::Text),
    ],
    answers: &["locus_id", "status", "confidence", "context_id"],
};

pub(super) const BATCH: Route = Route {
    method: "POST",
    path: "/v1/events/batch",
    id: "v1_store_events",
    summary: "Store several events in order; one that is refused does not stop the others.",
    takes: &[GRAPH, must("events", ValueKind::Objects)],
    answers: &["stored", "filtered", "failed", "results"],
};

pub(super) const TRANSACTION: Route = Route {
    method: "POST",
    path: "/v1/graphs/{graph}/transaction",
    id: "v1_transaction",
    summary: "Store several events, all or none.",
    takes: &[must("operations", ValueKind::Objects)],
    answers: &["committed", "applied", "stored", "filtered", "results"],
};

pub(super) const EVENTS: Route = Route {
    method: "GET",
    path: "/v1/events/{graph}",
    id: "v1_list_events",
    summary: "List events, the newest first.",
    takes: &[
        may("kind", ValueKind::Text),
        may("source", ValueKind::Text),
        may("since", ValueKind::Count),
        PAGE,
        PAGE_SIZE,
    ],
    answers: &["events", "total", "page", "page_size"],
};

pub(super) const REJECTED: Route = Route {
    method: "GET",
    path: "/v1/events/{graph}/rejected",
    id: "v1_rejected_events",
    summary: "List events that became no memory, the newest first.",
    takes: &[may("limit", ValueKind::Count)],
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
        must("query", ValueKind::Text),
        may("limit", ValueKind::Count),
        may("offset", ValueKind::Count),
        may("context_ids", ValueKind::Texts),
        may("context_types", ValueKind::Object),
        may("sources", ValueKind::Texts),
        may("boost_context_ids", ValueKind::Texts),
        may("expand_depth", ValueKind::Count),
        may("semantic_weight", ValueKind::Number),
        may("format", ValueKind::Choice(&["markdown", "json"])),
        may("include_ids", ValueKind::Flag),
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
        must("task", ValueKind::Text),
        may("locus_query", ValueKind::Text),
        may("limit", ValueKind::Count),
        may("context_ids", ValueKind::Texts),
        may("context_types", ValueKind::Object),
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
        may("context_type", ValueKind::Text),
        may("context_name", ValueKind::Text),
        may("q", ValueKind::Text),
        may("limit", ValueKind::Count),
        PAGE,
    ],
    answers: &["context_types", "contexts", "total", "page", "page_size"],
};

pub(super) const CONTEXTS_OF: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}/{type}",
    id: "v1_list_contexts_of_type",
    summary: "List the contexts of a type.",
    takes: &[may("limit", ValueKind::Count), PAGE],
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
        may("direction", ValueKind::Choice(&["incoming", "outgoing", "both"])),
        may("link_type", ValueKind::Text),
        PAGE,
        PAGE_SIZE,
    ],
    answers: &["relationships", "total", "page", "page_size"],
};

pub(super) const GRAPH_AROUND: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}/{type}/{name}/graph",
    id: "v1_context_graph",
    summary: "Show the contexts around one and the links between them.",
    takes: &[may("depth", ValueKind::Count)],
    answers: &["nodes", "edges"],
};

pub(super) const WHOLE_GRAPH: Route = Route {
    method: "GET",
    path: "/v1/contexts/{graph}/graph",
    id: "v1_whole_graph",
    summary: "Show contexts and the links between them.",
    takes: &[may("limit", ValueKind::Count), may("min_refs", ValueKind::Count)],
    answers: &["nodes", "edges"],
};

const LINK_ENDS: &[LocusParameter] = &[
    must("from_context_id", ValueKind::Text),
    must("to_context_id", ValueKind::Text),
    must("link_type", ValueKind::Text),
];

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
    takes: &[may("context_id", ValueKind::Text), may("type", ValueKind::Text), may("context_name", ValueKind::Text)],
    answers: &["context_id", "context", "locus_id", "payload"],
};

pub(super) const LOOK_UP_MANY: Route = Route {
    method: "POST",
    path: "/v1/context/{graph}/batch",
    id: "v1_look_up_contexts",
    summary: "Look several contexts up by their ids.",
    takes: &[must("context_ids", ValueKind::Texts)],
    answers: &["contexts", "not_found"],
};

pub(super) const RESOLVE: Route = Route {
    method: "POST",
    path: "/v1/resolve/{graph}",
    id: "v1_resolve",
    summary: "Let links that wait for a context find it, by a memory that belongs there.",
    takes: &[may("context_id", ValueKind::Text), may("domain_id", ValueKind::Text), must("locus_id", ValueKind::Text)],
    answers: &["context_id", "locus_id", "links_resolved", "success", "resolved_at", "source"],
};

pub(super) const RESOLVE_MANY: Route = Route {
    method: "POST",
    path: "/v1/resolve/{graph}/batch",
    id: "v1_resolve_batch",
    summary: "The same for several, one after the other.",
    takes: &[must("resolutions", ValueKind::Objects)],
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

/// All routes.
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
