//! The MCP sessions of the HTTP server: how many there may be, and how long they last.
//!
//! A session costs about 50 KB while it is live. A client that is idle for minutes, or that has too many sessions, loses
//! the live part. What the client said when it began is kept longer, in a bounded table, so that its next request brings
//! the session back: most clients do not begin again by themselves.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::session::{
    SessionId, SessionManager, SessionState, SessionStore, SessionStoreError,
};

use super::access::Client;
use super::problem::Problem;

/// How long a session stays live without a message.
const IDLE: Duration = Duration::from_secs(5 * 60);
/// How long an answer can be fetched again after its stream broke off.
const COMPLETED: Duration = Duration::from_secs(15);
/// Maximum number of live sessions.
const MAX_LIVE: usize = 256;
/// Maximum number of live sessions of one client.
const MAX_LIVE_PER_CLIENT: usize = 64;
/// Maximum number of sessions that can be brought back, live ones included.
const MAX_KNOWN: usize = 1_024;
/// How long a session can be brought back.
const KNOWN_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum size of what is kept of a session. One with more is not brought back.
const MAX_STATE_BYTES: usize = 4_096;

/// Maximum size of the message that begins a session.
const MAX_BEGINNING_BYTES: u64 = 64 * 1024;

const HEADER: &str = "mcp-session-id";

/// The sessions that are live or can be brought back.
pub(super) struct Sessions {
    manager: Arc<LocalSessionManager>,
    table: Mutex<SessionTable>,
}

#[derive(Debug, Default)]
struct SessionTable {
    /// Counts uses, to order them.
    clock: u64,
    known: HashMap<String, McpSession>,
}

#[derive(Debug)]
struct McpSession {
    client: Client,
    /// What the client said when it began.
    state: Option<SessionState>,
    /// Whether a request came after the first one.
    is_used: bool,
    running: u32,
    last_use: u64,
    used_at: Instant,
}

impl McpSession {
    /// The order in which sessions are given up: those that were only begun first, then by their last use.
    fn rank(&self) -> (bool, u64) {
        (self.is_used, self.last_use)
    }
}

impl Sessions {
    pub(super) fn new() -> Arc<Self> {
        let mut config = SessionConfig::default();
        config.keep_alive = Some(IDLE);
        config.completed_cache_ttl = COMPLETED;
        let mut manager = LocalSessionManager::default();
        manager.session_config = config;
        Arc::new(Self { manager: Arc::new(manager), table: Mutex::default() })
    }

    pub(super) fn manager(&self) -> Arc<LocalSessionManager> {
        Arc::clone(&self.manager)
    }

    fn lock(&self) -> MutexGuard<'_, SessionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the use of a session until the result is dropped.
    fn run(self: &Arc<Self>, id: &str) -> Option<McpCall> {
        let mut table = self.lock();
        table.clock += 1;
        let now = table.clock;
        let session = table.known.get_mut(id)?;
        session.running += 1;
        (session.is_used, session.last_use, session.used_at) = (true, now, Instant::now());
        Some(McpCall { sessions: Arc::clone(self), id: id.to_owned() })
    }

    /// Notes whose a new session is.
    fn assign(&self, id: &str, client: Client) {
        if let Some(session) = self.lock().known.get_mut(id) {
            session.client = client;
        }
    }

    /// Ends live sessions above the limits.
    async fn trim(&self) {
        let live: HashSet<String> =
            self.manager.sessions.read().await.keys().map(|id| id.as_ref().to_owned()).collect();
        let surplus = self.lock().surplus(&live);
        for id in surplus {
            let _ = self.manager.close_session(&SessionId::from(id)).await;
        }
    }
}

impl SessionTable {
    /// Returns the live sessions to end, and forgets those that are too many to be kept at all.
    fn surplus(&mut self, live: &HashSet<String>) -> Vec<String> {
        let mut idle: Vec<(&String, &McpSession)> =
            self.known.iter().filter(|(id, session)| session.running == 0 && live.contains(*id)).collect();
        idle.sort_by_key(|(_, session)| session.rank());
        let mut per_client: HashMap<Client, usize> = HashMap::new();
        for session in live.iter().filter_map(|id| self.known.get(id)) {
            *per_client.entry(session.client).or_default() += 1;
        }
        let mut left = live.len();
        let mut surplus = Vec::new();
        for (id, session) in idle {
            let of_client = per_client.entry(session.client).or_default();
            if left > MAX_LIVE || *of_client > MAX_LIVE_PER_CLIENT {
                surplus.push(id.clone());
                left -= 1;
                *of_client -= 1;
            }
        }
        self.forget();
        surplus
    }

    fn forget(&mut self) {
        while self.known.len() > MAX_KNOWN {
            let idle = self.known.iter().filter(|(_, session)| session.running == 0);
            let Some(id) = idle.min_by_key(|(_, session)| session.rank()).map(|(id, _)| id.clone()) else { return };
            self.known.remove(&id);
        }
    }
}

/// A request of a session that is being handled.
struct McpCall {
    sessions: Arc<Sessions>,
    id: String,
}

impl Drop for McpCall {
    fn drop(&mut self) {
        if let Some(session) = self.sessions.lock().known.get_mut(&self.id) {
            session.running = session.running.saturating_sub(1);
        }
    }
}

/// Middleware that notes the use of sessions and keeps their number and size within the limits.
pub(super) async fn limit(State(sessions): State<Arc<Sessions>>, request: Request, next: Next) -> Response {
    let request = match without_large_beginning(request).await {
        Ok(request) => request,
        Err(problem) => return problem.into_response(),
    };
    let client = request.extensions().get::<Client>().copied().unwrap_or(Client::Unknown);
    let running = id_in(request.headers()).and_then(|id| sessions.run(id));
    let waits_for_server = request.method() == Method::GET;
    let is_new = running.is_none();
    let response = next.run(request).await;
    if let Some(id) = id_in(response.headers()).filter(|_| is_new) {
        sessions.assign(id, client);
    }
    sessions.trim().await;
    if waits_for_server {
        return response;
    }
    // The call goes on while its answer is streamed.
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _until_the_body_ends = &running;
            frame
        }))
    })
}

/// Refuses a session that begins with too much: what its client says then is kept as long as it is live.
async fn without_large_beginning(request: Request) -> Result<Request, Problem> {
    let is_small = request.body().size_hint().exact().is_some_and(|bytes| bytes <= MAX_BEGINNING_BYTES);
    if is_small || id_in(request.headers()).is_some() || request.method() != Method::POST {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    // It was read by `body::read`.
    let bytes = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    match serde_json::from_slice::<serde_json::Value>(&bytes) {
        Ok(message) if message["method"] == "initialize" => Err(Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "TooLargeError",
            format!("A session cannot begin with more than {MAX_BEGINNING_BYTES} bytes."),
            "Send less about the client.",
        )),
        _ => Ok(Request::from_parts(parts, Body::from(bytes))),
    }
}

fn id_in(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER)?.to_str().ok()
}

type SessionFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, SessionStoreError>> + Send + 'a>>;

/// What the protocol library keeps to bring sessions back.
impl SessionStore for Sessions {
    fn load<'a, 'b, 'c>(&'a self, id: &'b str) -> SessionFuture<'c, Option<SessionState>>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        let table = self.lock();
        let session = table.known.get(id).filter(|session| session.used_at.elapsed() < KNOWN_FOR);
        let state = session.and_then(|session| session.state.clone());
        Box::pin(std::future::ready(Ok(state)))
    }

    fn store<'a, 'b, 'c, 'd>(&'a self, id: &'b str, state: &'c SessionState) -> SessionFuture<'d, ()>
    where
        'a: 'd,
        'b: 'd,
        'c: 'd,
        Self: 'd,
    {
        let bytes = serde_json::to_vec(state).map_or(usize::MAX, |bytes| bytes.len());
        let mut table = self.lock();
        table.clock += 1;
        let session = McpSession {
            client: Client::Unknown,
            state: (bytes <= MAX_STATE_BYTES).then(|| state.clone()),
            is_used: false,
            running: 0,
            last_use: table.clock,
            used_at: Instant::now(),
        };
        table.known.insert(id.to_owned(), session);
        Box::pin(std::future::ready(Ok(())))
    }

    fn delete<'a, 'b, 'c>(&'a self, id: &'b str) -> SessionFuture<'c, ()>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        self.lock().known.remove(id);
        Box::pin(std::future::ready(Ok(())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(sessions: impl IntoIterator<Item = (usize, bool)>) -> (SessionTable, HashSet<String>) {
        let mut table = SessionTable::default();
        for (number, (client, is_used)) in sessions.into_iter().enumerate() {
            let session = McpSession {
                client: Client::Token(client),
                state: None,
                is_used,
                running: 0,
                last_use: number as u64,
                used_at: Instant::now(),
            };
            table.known.insert(format!("{number:04}"), session);
        }
        let live = table.known.keys().cloned().collect();
        (table, live)
    }

    #[test]
    fn sessions_that_were_only_begun_are_given_up_first() {
        let sessions = (0..MAX_LIVE_PER_CLIENT + 2).map(|number| (0, number % 2 == 0));
        let (mut table, live) = table(sessions);
        let mut surplus = table.surplus(&live);
        surplus.sort();
        assert_eq!(surplus, ["0001", "0003"]);
    }

    #[test]
    fn a_client_with_many_sessions_does_not_end_those_of_others() {
        let sessions = (0..MAX_LIVE_PER_CLIENT + 50).map(|number| (usize::from(number > 2), true));
        let (mut table, live) = table(sessions);
        let surplus = table.surplus(&live);
        assert_eq!(surplus.len(), 47);
        assert!(surplus.iter().all(|id| table.known[id].client == Client::Token(1)));
    }

    #[test]
    fn running_calls_keep_their_session_and_the_table_is_bounded() {
        let (mut table, live) = table((0..MAX_KNOWN + 5).map(|_| (0, false)));
        table.known.get_mut("0000").unwrap().running = 1;
        let surplus = table.surplus(&live);
        assert_eq!(surplus.len(), MAX_KNOWN + 5 - MAX_LIVE_PER_CLIENT);
        assert!(!surplus.contains(&"0000".to_owned()));
        assert_eq!(table.known.len(), MAX_KNOWN);
        assert!(table.known.contains_key("0000"));
    }
}
