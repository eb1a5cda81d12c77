//! The Model Context Protocol as a door of the HTTP server.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use elfmem_store::Store;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::problem::Problem;
use crate::mcp::Handler;

/// Where the protocol is.
pub(crate) const MCP: &str = "/mcp";

/// The largest message: more than any tool takes but whole documents.
pub(super) const LARGEST_MESSAGE: usize = 4 * 1024 * 1024;
/// How long a client may be silent before it must introduce itself again.
const CLIENT_IDLE: Duration = Duration::from_secs(24 * 60 * 60);
/// How often a waiting stream shows that it lives, where something between us and the client may think it dead.
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);
/// What is kept of the protocol's own words when it refuses.
const LONGEST_REASON: usize = 2_000;

/// Ends all conversations when it is told to.
pub(crate) struct Conversations(Box<dyn Fn() + Send>);

impl Conversations {
    pub(crate) fn end(&self) {
        (self.0)();
    }
}

/// The door, and how to close it. `largest` bounds what was read before it gets here.
pub(super) fn door<S: Store + 'static>(
    handler: Handler<S>,
    address: IpAddr,
    largest: usize,
) -> (Router, Conversations) {
    let config = StreamableHttpServerConfig::default()
        .with_sse_keep_alive((!address.is_loopback()).then_some(SIGN_OF_LIFE))
        .with_max_request_body_bytes(largest)
        // Checked for the whole router, not for this door alone.
        .disable_allowed_hosts();
    let ended = config.cancellation_token.clone();
    let mut sessions = LocalSessionManager::default();
    let mut session = SessionConfig::default();
    session.keep_alive = Some(CLIENT_IDLE);
    sessions.session_config = session;
    let protocol = StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(sessions), config);
    let router = Router::new().nest_service(MCP, protocol).layer(from_fn(in_our_words));
    (router, Conversations(Box::new(move || ended.cancel())))
}

/// What the protocol's own code says about HTTP, said as everything else here.
async fn in_our_words(request: Request, next: Next) -> Response {
    let leaving = request.method() == Method::DELETE;
    let mut response = next.run(request).await;
    // A client that takes its leave is gone when it is told so. "Accepted" would say that it will be, and clients complain of that.
    if leaving && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    let refused = response.status().is_client_error() || response.status().is_server_error();
    let structured = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().ends_with(b"json"));
    let travels_along = response.extensions().get::<Problem>().is_some();
    if refused && !structured && !travels_along { told_as_problem(response).await } else { response }
}

async fn told_as_problem(response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let reason = to_bytes(body, LONGEST_REASON).await.unwrap_or_default();
    let reason = String::from_utf8_lossy(&reason).trim().to_owned();
    let reason = if reason.is_empty() { "The protocol does not allow this.".to_owned() } else { reason };
    let recovery = "Speak the Model Context Protocol here: `POST` JSON-RPC and accept application/json and text/event-stream. \
                    The verbs as plain requests are at /api/v1.";
    let kept = |name: &HeaderName| !["content-type", "content-length"].contains(&name.as_str());
    let headers = parts.headers.iter().filter(|(name, _)| kept(name));
    headers
        .fold(Problem::new(parts.status, "ProtocolError", reason, recovery), |problem, (name, value)| {
            problem.header(name.clone(), value.clone())
        })
        .into_response()
}
