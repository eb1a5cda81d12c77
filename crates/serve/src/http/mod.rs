//! HTTP: the verbs as plain requests, the protocol beside them, and what every server of its kind has.

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

use crate::calls::Calls;
use crate::mcp::Handler;
use access::Access;
use body::Bounds;
pub(crate) use listen::listen;
use log::AccessLog;
pub(crate) use mcp::{Conversations, MCP};
use metrics::Metrics;
use observe::Watch;
pub use openapi::openapi;
use problem::Problem;
use rate::Rate;
pub use token::{Token, TokenError, Tokens, TokensError};
pub(crate) use verbs::ROOT as API;

/// Where and for whom to serve.
#[derive(Debug)]
pub struct Http {
    /// The address and the port; port 0 takes a free one.
    pub address: SocketAddr,
    /// What clients must show, one of them. Without any only this machine may connect, and it may do everything.
    pub tokens: Option<Tokens>,
    /// Names to answer to besides those of this machine.
    pub allowed_hosts: Vec<String>,
    /// How much and how slowly clients may ask.
    pub limits: Limits,
    /// Whether each request gets a line on standard error.
    pub access_log: bool,
}

/// How much and how slowly clients may ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The largest body.
    pub body_bytes: usize,
    /// Requests a minute of one token, or of one address where there are no tokens; 0 for no limit.
    pub requests_per_minute: u64,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub header_time: Duration,
    /// How long a body may take.
    pub body_time: Duration,
    /// How long a client may take nothing of an answer.
    pub write_time: Duration,
    /// Connections at once; the others wait.
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

/// What the handlers share.
#[derive(Debug)]
struct App<S: Store> {
    calls: Calls<S>,
    metrics: Arc<Metrics>,
    health: health::Health,
    /// For the journal.
    actor: &'static str,
}

/// Who a memory that is served over HTTP is opened for, whichever door is used first.
pub(crate) const ACTOR: &str = "http";

/// The description of all this, written when somebody first asks for it.
static DOCUMENT: LazyLock<String> = LazyLock::new(openapi);

/// Everything that is served. All of it but the question for the server's health is behind the check of who asks.
pub(crate) fn router<S: Store + 'static>(calls: Calls<S>, handler: Handler<S>, http: &Http) -> (Router, Conversations) {
    let limits = http.limits;
    let metrics = Arc::new(Metrics::default());
    let log = if http.access_log { AccessLog::on_standard_error() } else { AccessLog::default() };
    let watch = Arc::new(Watch::new(Arc::clone(&metrics), log));
    let app = Arc::new(App { calls, metrics, health: health::Health::default(), actor: ACTOR });
    let read_within = |bytes| from_fn_with_state(Bounds { bytes, time: limits.body_time }, body::read);

    let largest_message = mcp::LARGEST_MESSAGE.max(limits.body_bytes);
    let (protocol, conversations) = mcp::door(handler, http.address.ip(), largest_message);
    let api = Router::new()
        .route(verbs::ROOT, get(verbs::index))
        .route(verbs::ROUTE, any(verbs::call))
        .route(openapi::ROUTE, get(|| async { verbs::json_response(DOCUMENT.clone()) }))
        .route(metrics::ROUTE, get(metrics::page))
        .merge(locus::router())
        .fallback(|request: Request| async move { Problem::no_such_route(request.uri().path()) })
        .method_not_allowed_fallback(|| async { Problem::wrong_method() })
        // Bounded before it gets here.
        .layer(DefaultBodyLimit::disable())
        .layer(read_within(limits.body_bytes))
        .with_state(Arc::clone(&app));
    let mut guarded = api.merge(protocol.layer(read_within(largest_message)));
    if let Some(rate) = Rate::new(limits.requests_per_minute) {
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
