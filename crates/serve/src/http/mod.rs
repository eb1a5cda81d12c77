//! The HTTP server: JSON API, MCP endpoint, health check, metrics and OpenAPI document.

mod access;
mod body;
mod health;
mod listen;
mod locus;
mod log;
mod mcp;
mod metrics;
mod observe;
mod openapi;
mod problem;
mod query;
mod rate;
mod request_id;
#[cfg(test)]
mod tests;
mod token;
mod verbs;

use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get};
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
    /// Maximum number of connections. Further ones wait.
    pub connections: usize,
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
        }
    }
}

/// Shared state of the handlers.
#[derive(Debug)]
struct App<S: Store> {
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
    let app = Arc::new(App { calls, metrics, health: health::HealthCache::default(), actor: ACTOR });
    let read_within = |bytes| from_fn_with_state(BodyLimits { bytes, time: limits.body_time }, body::read);

    let largest_message = mcp::MAX_MESSAGE_BYTES.max(limits.body_bytes);
    let (protocol, conversations) = mcp::door(handler, http.address.ip(), largest_message);
    let api = Router::new()
        .route(verbs::ROOT, get(verbs::index))
        .route(verbs::ROUTE, any(verbs::call))
        .route(openapi::ROUTE, get(|| async { verbs::json_response(DOCUMENT.clone()) }))
        .route(metrics::ROUTE, get(metrics::page))
        .merge(locus::router())
        .fallback(|request: Request| async move { Problem::no_such_route(request.uri().path()) })
        .method_not_allowed_fallback(|| async { Problem::wrong_method() })
        // Already limited by `body::read`.
        .layer(DefaultBodyLimit::disable())
        .layer(read_within(limits.body_bytes))
        .with_state(Arc::clone(&app));
    let mut guarded = api.merge(protocol.layer(read_within(largest_message)));
    if let Some(rate) = RateLimiter::new(limits.requests_per_minute) {
        guarded = guarded.layer(from_fn_with_state(rate, rate::limit));
    }
    let open = Router::new()
        .route(health::ROUTE, get(health::health))
        .method_not_allowed_fallback(|| async { Problem::wrong_method() });
    let router = guarded
        .layer(from_fn_with_state(Arc::new(Access::new(http)), access::check))
        .merge(open.with_state(app))
        .layer(from_fn_with_state(watch, observe::observe));
    (router, conversations)
}
