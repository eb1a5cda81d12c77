//! The HTTP server: JSON API, MCP endpoint, health check, metrics and OpenAPI document.

mod access;
mod body;
mod connections;
mod health;
mod host;
mod listen;
mod locus;
mod log;
mod mcp;
mod mcp_sessions;
mod memory_tool;
mod metrics;
mod observe;
mod openapi;
mod problem;
mod query;
mod rate;
mod request_id;
mod running;
#[cfg(test)]
mod tests;
mod token;
mod verbs;
mod wording;
mod wrong_tokens;

use std::net::SocketAddr;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get, post};
use elfmem_store::Store;

use crate::call_pool::CallPool;
use crate::mcp::Handler;
use access::Access;
use body::BodyLimits;
pub(crate) use listen::listen;
use log::AccessLog;
pub(crate) use mcp::{MCP, McpSessions};
use metrics::Metrics;
use observe::RequestObserver;
pub use openapi::openapi;
use problem::Problem;
use rate::RateLimiter;
use running::RunningRequests;
pub use token::{AccessToken, AccessTokens, TokenError, TokensError};
pub(crate) use verbs::ROOT as API;

/// Options of the HTTP server.
#[derive(Debug)]
pub struct HttpOptions {
    /// The address and port; port 0 selects a free one.
    pub address: SocketAddr,
    /// Accepted access tokens. Without tokens, only local clients can connect, with all
    /// permissions.
    pub tokens: Option<AccessTokens>,
    /// Accepted host names besides local ones.
    pub allowed_hosts: Vec<String>,
    /// Limits for clients.
    pub limits: Limits,
    /// Whether each request is logged to standard error.
    pub access_log: bool,
}

/// Limits for clients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Maximum body size.
    pub body_bytes: usize,
    /// Requests per minute and token, or per address without tokens; 0 for no limit.
    pub requests_per_minute: u64,
    /// Timeout for request headers and idle connections.
    pub header_time: Duration,
    /// Timeout for request bodies.
    pub body_time: Duration,
    /// Timeout for clients that do not read their response.
    pub write_time: Duration,
    /// Maximum number of connections. A further one takes the place of the one that has waited longest for its client.
    pub connections: usize,
    /// Maximum number of connections from one address.
    pub connections_per_address: usize,
    /// Maximum number of requests that are handled at once for one token, or for one address without tokens.
    pub running_requests: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1024 * 1024,
            requests_per_minute: 0,
            header_time: Duration::from_secs(15),
            body_time: Duration::from_secs(30),
            write_time: Duration::from_secs(30),
            connections: 512,
            connections_per_address: 256,
            running_requests: 128,
        }
    }
}

/// Shared state of the handlers.
#[derive(Debug)]
struct HttpState<S: Store> {
    calls: CallPool<S>,
    metrics: Arc<Metrics>,
    health: health::HealthCache,
    /// Actor in the journal.
    actor: &'static str,
}

/// Journal actor of a memory served over HTTP, for the API and MCP.
pub(crate) const ACTOR: &str = "http";

/// The OpenAPI document, generated on first use.
static DOCUMENT: LazyLock<String> = LazyLock::new(openapi);

/// Builds the router. All routes except the health check require authentication.
pub(crate) fn router<S: Store + 'static>(
    calls: CallPool<S>,
    handler: Handler<S>,
    http: &HttpOptions,
) -> (Router, McpSessions) {
    let limits = http.limits;
    let metrics = Arc::new(Metrics::default());
    let log = if http.access_log { AccessLog::on_standard_error() } else { AccessLog::default() };
    let watch = Arc::new(RequestObserver::new(Arc::clone(&metrics), log));
    let app = Arc::new(HttpState { calls, metrics, health: health::HealthCache::default(), actor: ACTOR });
    let running = RunningRequests::new(limits.running_requests);
    let access = Arc::new(Access::new(http));
    let held = Arc::new(AtomicUsize::new(0));
    let read_within = |bytes| {
        let held = Arc::clone(&held);
        from_fn_with_state(BodyLimits { bytes, time: limits.body_time, held }, body::read)
    };

    let largest_message = mcp::MAX_MESSAGE_BYTES.max(limits.body_bytes);
    let (protocol, conversations) = mcp::door(handler, http.address.ip(), largest_message);
    let api = Router::new()
        .route(verbs::ROOT, get(verbs::index))
        .route(memory_tool::ROUTE, post(memory_tool::call))
        .route(verbs::ROUTE, any(verbs::call))
        .route(openapi::ROUTE, get(|| async { verbs::json_response(DOCUMENT.clone()) }))
        .route(metrics::ROUTE, get(metrics::page))
        .merge(locus::router())
        .fallback(|request: Request| async move { Problem::no_such_route(request.uri().path()) })
        .method_not_allowed_fallback(|| async { Problem::wrong_method() })
        // Already limited by `body::read`.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&running), running::track))
        .layer(read_within(limits.body_bytes))
        .with_state(Arc::clone(&app));
    let protocol = protocol.layer(from_fn_with_state(running, running::track)).layer(read_within(largest_message));
    let mut guarded = api.merge(protocol);
    if let Some(rate) = RateLimiter::new(limits.requests_per_minute) {
        guarded = guarded.layer(from_fn_with_state(rate, rate::limit));
    }
    let open = Router::new()
        .route(health::ROUTE, get(health::health))
        .method_not_allowed_fallback(|| async { Problem::wrong_method() })
        .layer(from_fn_with_state(Arc::clone(&access), access::check_target));
    let router = guarded
        .layer(from_fn_with_state(access, access::check))
        .merge(open.with_state(app))
        .layer(from_fn(connections::keep_reserve))
        .layer(from_fn_with_state(watch, observe::observe));
    (router, conversations)
}
