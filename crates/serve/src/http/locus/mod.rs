//! The routes of the Locus API of seed 004, for its clients. Each route translates a request to a
//! verb.

mod contexts;
mod envelope;
mod events;
mod fields;
mod ids;
mod loci;
mod memories;
mod resolve;
mod routes;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use axum::{Extension, Router};
use elfmem_engine::Memory;
use elfmem_engine::catalog::Effect;
use elfmem_store::Store;
use serde_json::Value;

use super::problem::Problem;
use super::{HttpState, verbs};
use crate::caller::{Caller, Rights};
use fields::{LocusFields, this_graph};

pub(super) use envelope::refused;
pub(super) use routes::{LocusParameter, ROUTES, Route};

/// Path prefix of the locus routes.
pub(super) const PREFIX: &str = "/v1/";

/// The result of a translation: the data of the envelope or an error.
type TranslationResult = elfmem_engine::Result<Result<Value, Problem>>;

/// Translates a request to a call of the memory.
type Translation<S> = fn(&Memory<S>, &LocusRequest) -> TranslationResult;

/// A request to a locus route.
struct LocusRequest {
    fields: LocusFields,
    /// Path parameters by name.
    parts: Vec<(String, String)>,
    /// Whether recalled blocks must not count as used.
    read_only: bool,
}

impl LocusRequest {
    fn part(&self, name: &str) -> &str {
        self.parts.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// Returns the context id of a path with type and name.
    fn context(&self) -> String {
        format!("{}:{}", self.part("type"), self.part("name"))
    }

    /// Returns the page number and size.
    fn page(&self, size: u64) -> (u64, u64) {
        let size = self.fields.count("page_size").or(self.fields.count("limit")).unwrap_or(size).clamp(1, size);
        (self.fields.count("page").unwrap_or(0), size)
    }
}

/// A route with its handler.
struct Endpoint<S: Store> {
    route: &'static Route,
    /// The verb it is counted as.
    verb: &'static str,
    effect: Effect,
    translate: Translation<S>,
}

impl<S: Store> Clone for Endpoint<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Store> Copy for Endpoint<S> {}

fn endpoints<S: Store>() -> [Endpoint<S>; ROUTES.len()] {
    let reads = |route, verb, translate| Endpoint { route, verb, effect: Effect::Reads, translate };
    let writes = |route, verb, translate| Endpoint { route, verb, effect: Effect::Writes, translate };
    let destroys = |route, verb, translate| Endpoint { route, verb, effect: Effect::Destroys, translate };
    [
        writes(&routes::STORE, "store_event", events::store),
        writes(&routes::BATCH, "store_events", events::batch),
        writes(&routes::TRANSACTION, "store_events", events::transaction),
        reads(&routes::EVENTS, "list_events", events::list),
        reads(&routes::REJECTED, "list_events", events::rejected),
        reads(&routes::KINDS, "event_kinds", events::kinds),
        reads(&routes::MEMORIES, "retrieve_memories", memories::retrieve),
        reads(&routes::INSIGHTS, "generate_insights", memories::insights),
        reads(&routes::LOCUS, "show", loci::show),
        destroys(&routes::FORGET, "forget", loci::forget),
        reads(&routes::LOCI, "list", loci::list),
        reads(&routes::LOCI_OF, "show_context", loci::of_context),
        reads(&routes::CONTEXTS, "list_contexts", contexts::list),
        reads(&routes::CONTEXTS_OF, "list_contexts", contexts::of_type),
        reads(&routes::CONTEXT, "show_context", contexts::show),
        reads(&routes::RELATIONSHIPS, "show_context", contexts::relationships),
        reads(&routes::GRAPH_AROUND, "context_graph", contexts::graph_around),
        reads(&routes::WHOLE_GRAPH, "context_graph", contexts::whole_graph),
        writes(&routes::LINK, "link", contexts::link),
        destroys(&routes::UNLINK, "unlink", contexts::unlink),
        reads(&routes::LOOK_UP, "show_context", contexts::look_up),
        reads(&routes::LOOK_UP_MANY, "show_context", contexts::look_up_many),
        writes(&routes::RESOLVE, "enrol", resolve::one),
        writes(&routes::RESOLVE_MANY, "enrol", resolve::many),
        reads(&routes::UNRESOLVED, "links", resolve::unresolved),
        reads(&routes::UNRESOLVED_OF, "links", resolve::unresolved_of),
    ]
}

/// Builds the router of the locus routes.
pub(super) fn router<S: Store + 'static>() -> Router<Arc<HttpState<S>>> {
    endpoints::<S>().into_iter().fold(Router::new(), |router, door| {
        let filter = match door.route.method {
            "GET" => MethodFilter::GET,
            "DELETE" => MethodFilter::DELETE,
            _ => MethodFilter::POST,
        };
        let handler = move |State(app): State<Arc<HttpState<S>>>,
                            Extension(rights): Extension<Rights>,
                            parts: Result<RawPathParams, RawPathParamsRejection>,
                            RawQuery(query): RawQuery,
                            headers: HeaderMap,
                            body: Bytes| async move {
            let asked = asked(door.route, rights, parts, query.as_deref(), &headers, &body)?;
            answer(&app, door, rights, asked).await
        };
        router.route(door.route.path, on(filter, handler))
    })
}

fn asked(
    route: &Route,
    rights: Rights,
    parts: Result<RawPathParams, RawPathParamsRejection>,
    query: Option<&str>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<LocusRequest, Problem> {
    let unreadable =
        |_| Problem::bad_request("The address cannot be read.", "Write it in UTF-8, special characters as %XX.");
    let parts = parts.map_err(unreadable)?;
    let parts: Vec<(String, String)> = parts.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    if let Some((_, graph)) = parts.iter().find(|(name, _)| name == "graph") {
        this_graph(graph)?;
    }
    let fields = match route.method {
        "GET" => LocusFields::of_query(route, query.unwrap_or_default())?,
        _ => LocusFields::checked(route, verbs::object(headers, body)?)?,
    };
    Ok(LocusRequest { fields, parts, read_only: rights == Rights::Read })
}

async fn answer<S: Store + 'static>(
    app: &HttpState<S>,
    door: Endpoint<S>,
    rights: Rights,
    asked: LocusRequest,
) -> Result<Response, Problem> {
    let caller = Caller { actor: app.actor.to_owned(), task_type: "http", rights };
    let told = app.calls.run(move |memory| {
        let told = memory.using(&caller, door.verb, door.effect, |memory| (door.translate)(memory, &asked))?;
        Ok::<_, crate::Refusal>(told.map(|data| envelope::data(&data)))
    });
    told.await??
}
