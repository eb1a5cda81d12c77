//! The MCP endpoint of the HTTP server.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, Method, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use elfmem_store::Store;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::mcp_sessions::{self, Sessions};
use super::problem::Problem;
use crate::mcp::Handler;

/// Path of the endpoint.
pub(crate) const MCP: &str = "/mcp";

/// Maximum size of a message.
pub(super) const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;
/// Interval of keep-alive messages for remote clients, so that proxies do not close the stream.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// Maximum length of an error text from the protocol library.
const MAX_REASON_BYTES: usize = 2_000;

/// Ends all MCP sessions.
pub(crate) struct McpSessions(Box<dyn Fn() + Send>);

impl McpSessions {
    pub(crate) fn end(&self) {
        (self.0)();
    }
}

/// Builds the router of the endpoint. `largest` is the maximum body size.
pub(super) fn door<S: Store + 'static>(handler: Handler<S>, address: IpAddr, largest: usize) -> (Router, McpSessions) {
    let sessions = Sessions::new();
    let mut config = StreamableHttpServerConfig::default()
        .with_sse_keep_alive((!address.is_loopback()).then_some(KEEP_ALIVE))
        .with_max_request_body_bytes(largest)
        // Checked by `access::check` for all routes.
        .disable_allowed_hosts();
    let ended = config.cancellation_token.clone();
    config.session_store = Some(Arc::<Sessions>::clone(&sessions));
    let protocol = StreamableHttpService::new(move || Ok(handler.clone()), sessions.manager(), config);
    let router = Router::new()
        .nest_service(MCP, protocol)
        .layer(from_fn_with_state(sessions, mcp_sessions::limit))
        .layer(from_fn(convert_errors));
    (router, McpSessions(Box::new(move || ended.cancel())))
}

/// Middleware that converts error responses of the protocol library to problem details.
async fn convert_errors(request: Request, next: Next) -> Response {
    let leaving = request.method() == Method::DELETE;
    let mut response = next.run(request).await;
    // The session is already gone. Clients reject "202 Accepted" here.
    if leaving && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    let refused = response.status().is_client_error() || response.status().is_server_error();
    let structured = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().ends_with(b"json"));
    let travels_along = response.extensions().get::<Problem>().is_some();
    if refused && !structured && !travels_along { into_problem(response).await } else { response }
}

async fn into_problem(response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let reason = to_bytes(body, MAX_REASON_BYTES).await.unwrap_or_default();
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
