//! The protocol over HTTP: a router, so that other doors can stand beside it.

mod access;
mod token;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use elfmem::store::Store;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::mcp::Handler;
use access::Access;
pub use token::{Token, TokenError};

/// Where and for whom to serve.
#[derive(Debug)]
pub struct Http {
    /// The address and the port; port 0 takes a free one.
    pub address: SocketAddr,
    /// What clients must show. Without one only this machine may connect.
    pub token: Option<Token>,
    /// Names to answer to besides those of this machine.
    pub allowed_hosts: Vec<String>,
}

/// The largest request: more than any verb takes.
const LARGEST_REQUEST: usize = 4 * 1024 * 1024;
/// How long a client may be silent before it must introduce itself again.
const CLIENT_IDLE: Duration = Duration::from_secs(24 * 60 * 60);
/// How often a waiting stream shows that it lives, where something between us and the client may think it dead.
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);
/// Where the protocol is.
pub(crate) const PATH: &str = "/mcp";

/// Ends all conversations when it is dropped or told to.
pub(crate) struct Conversations(Box<dyn Fn() + Send>);

impl Conversations {
    pub(crate) fn end(&self) {
        (self.0)();
    }
}

/// Everything that is served, behind the check of who asks.
pub(crate) fn router<S: Store + 'static>(handler: Handler<S>, http: Http) -> (Router, Conversations) {
    let beyond_this_machine = !http.address.ip().is_loopback();
    let config = StreamableHttpServerConfig::default()
        .with_sse_keep_alive(beyond_this_machine.then_some(SIGN_OF_LIFE))
        .with_max_request_body_bytes(LARGEST_REQUEST)
        // Checked for the whole router, not for this door alone.
        .disable_allowed_hosts();
    let ended = config.cancellation_token.clone();
    let mut sessions = LocalSessionManager::default();
    let mut session = SessionConfig::default();
    session.keep_alive = Some(CLIENT_IDLE);
    sessions.session_config = session;
    let protocol = StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(sessions), config);
    let access = Arc::new(Access::new(&http));
    let router = Router::new()
        .nest_service(PATH, protocol)
        .layer(from_fn(farewell))
        .layer(from_fn_with_state(access, access::check));
    (router, Conversations(Box::new(move || ended.cancel())))
}

/// A client that takes its leave is gone when it is told so. "Accepted" would say that it will be, and clients complain of that.
async fn farewell(request: Request, next: Next) -> Response {
    let leaving = request.method() == Method::DELETE;
    let mut response = next.run(request).await;
    if leaving && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}
