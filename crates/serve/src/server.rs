//! From start to stop: a runtime, the signals, the last words.

use std::future::Future;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use elfmem_engine::catalog::Profile;
use elfmem_store::Store;
use http_body_util::BodyExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::calls::{CALLS_AT_ONCE, Calls};
use crate::http::{self, Http};
use crate::mcp::{Clients, Handler, serve_stdio, serve_streams};
use crate::memory::{LateMemory, Opener};
use crate::trace;

/// Threads beside those of the calls: whether the memory answers must be found out while all of them are busy.
const SPARE_THREADS: usize = 2;
/// How long a stopping server waits for the calls that are under way, and again for the end of the session. What is not done by
/// then is undone by the store when it is next opened.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// Why a server could not start or had to stop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The machine gives no threads or no sockets.
    #[error("the server cannot run: {0}")]
    Machine(std::io::Error),
    /// Others could connect, and nothing would tell friend from foe.
    #[error("{0} can be reached by others, and there is no token")]
    NoToken(SocketAddr),
    /// The address is taken or not ours.
    #[error("cannot listen at {address}: {cause}")]
    Address {
        /// Which address.
        address: SocketAddr,
        /// Why.
        cause: std::io::Error,
    },
    /// The conversation broke off.
    #[error("the conversation broke off: {0}")]
    Broken(String),
}

/// Serves the client that started this program, over standard input and output, until it closes its end or a signal comes.
///
/// Nothing but the protocol is written to standard output.
pub fn over_stdio<S: Store + 'static>(open: Opener<S>, tools: Profile) -> Result<(), ServeError> {
    let runtime = runtime()?;
    let memory = Arc::new(LateMemory::new(open));
    let handler = Handler::new(Calls::new(Arc::clone(&memory)), tools, Clients::One);
    let served = runtime.block_on(async {
        let stop = signal().map_err(ServeError::Machine)?;
        let served = serve_stdio(handler, stop).await;
        leave(memory).await;
        served.map_err(ServeError::Broken)
    });
    runtime.shutdown_background();
    served
}

/// Serves one client over two streams until it closes its end: for programs that have a memory inside them, and for tests.
/// Calls that are under way then are waited for, within a bound. No signal stops it: those belong to the program.
///
/// ```
/// use elfmem_core::Timestamp;
/// use elfmem_engine::catalog::Profile;
/// use elfmem_engine::{Memory, Options};
/// use elfmem_serve::{Opener, over_streams};
/// use elfmem_store_sqlite::SqliteStore;
///
/// let open: Opener<SqliteStore> = Box::new(|_| {
///     let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
///     Ok(Memory::open(store, Options::default()))
/// });
/// let asked = &br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#[..];
/// over_streams(open, Profile::Core, asked, Vec::new())?;
/// # Ok::<(), elfmem_serve::ServeError>(())
/// ```
pub fn over_streams<S, R, W>(open: Opener<S>, tools: Profile, reader: R, writer: W) -> Result<(), ServeError>
where
    S: Store + 'static,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let runtime = runtime()?;
    let memory = Arc::new(LateMemory::new(open));
    let handler = Handler::new(Calls::new(Arc::clone(&memory)), tools, Clients::One);
    let served = runtime.block_on(async {
        let served = serve_streams(handler, reader, writer, std::future::pending()).await;
        leave(memory).await;
        served.map_err(ServeError::Broken)
    });
    runtime.shutdown_timeout(LAST_WAIT);
    served
}

/// Serves clients over HTTP until a signal comes. Says on standard error where.
pub fn over_http<S: Store + 'static>(open: Opener<S>, tools: Profile, http: Http) -> Result<(), ServeError> {
    if !http.address.ip().is_loopback() && http.tokens.is_none() {
        return Err(ServeError::NoToken(http.address));
    }
    let runtime = runtime()?;
    let memory = Arc::new(LateMemory::new(open));
    let served = runtime.block_on(async {
        let stop = signal().map_err(ServeError::Machine)?;
        let served = answer(&memory, tools, http, stop).await;
        leave(memory).await;
        served
    });
    runtime.shutdown_background();
    served
}

/// Answers requests one after the other without a socket, as [`over_http`] would: for programs that have a memory inside them, and for
/// tests. Each answer is given back whole, so this is not the way to the stream of the protocol, which has no end.
pub fn over_requests<S: Store + 'static>(
    open: Opener<S>,
    http: &Http,
    requests: impl IntoIterator<Item = Request<Vec<u8>>>,
) -> Result<Vec<Response<Vec<u8>>>, ServeError> {
    let runtime = runtime()?;
    let memory = Arc::new(LateMemory::new(open));
    let answered = runtime.block_on(async {
        let calls = Calls::new(Arc::clone(&memory));
        let handler = Handler::new(calls.clone(), Profile::All, Clients::Several);
        let (router, conversations) = http::router(calls, handler, http);
        let service = TowerToHyperService::new(router);
        let mut answers = Vec::new();
        for request in requests {
            let Ok(answer) = service.call(request.map(Body::from)).await;
            let (head, body) = answer.into_parts();
            let body = body.collect().await.map_err(|error| ServeError::Broken(error.to_string()))?;
            answers.push(Response::from_parts(head, body.to_bytes().to_vec()));
        }
        conversations.end();
        leave(memory).await;
        Ok(answers)
    });
    runtime.shutdown_timeout(LAST_WAIT);
    answered
}

async fn answer<S: Store + 'static>(
    memory: &Arc<LateMemory<S>>,
    tools: Profile,
    http: Http,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let address = http.address;
    let listener = TcpListener::bind(address).await.map_err(|cause| ServeError::Address { address, cause })?;
    let bound = listener.local_addr().map_err(ServeError::Machine)?;
    let calls = Calls::new(Arc::clone(memory));
    let handler = Handler::new(calls.clone(), tools, Clients::Several);
    let (router, conversations) = http::router(calls, handler, &http);
    // Whoever started us may have gone; that is no reason not to serve.
    let (mcp, api) = (http::MCP, http::API);
    let _ = writeln!(std::io::stderr(), "elfmem serves MCP at http://{bound}{mcp} and its API at http://{bound}{api}");
    trace::started(bound.port().into());
    http::listen(listener, router, http.limits, conversations, stop, LAST_WAIT).await;
    Ok(())
}

fn runtime() -> Result<Runtime, ServeError> {
    Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(CALLS_AT_ONCE + SPARE_THREADS)
        .thread_name("elfmem-call")
        .build()
        .map_err(ServeError::Machine)
}

/// Ends the session, on a thread of its own like every call.
async fn leave<S: Store + 'static>(memory: Arc<LateMemory<S>>) {
    trace::stopping();
    let left = tokio::time::timeout(LAST_WAIT, tokio::task::spawn_blocking(move || memory.leave())).await;
    if left.is_err() {
        trace::not_ended();
    }
    if let Ok(Ok(Err(refusal))) = left {
        let _ = writeln!(std::io::stderr(), "elfmem: the session could not be ended: {refusal}");
    }
}

/// Becomes true when somebody wants us to stop.
#[cfg(unix)]
fn signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt, mut hang_up) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?, signal(SignalKind::hangup())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hang_up.recv() => {}
        }
    })
}

/// Becomes true when somebody wants us to stop.
#[cfg(not(unix))]
fn signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

#[cfg(test)]
mod tests {
    use elfmem_core::Timestamp;
    use elfmem_engine::{Memory, Options};
    use elfmem_store_sqlite::SqliteStore;

    use super::*;
    use crate::Limits;

    #[test]
    fn requests_without_a_socket_are_answered_one_after_the_other_by_one_memory() {
        let open: Opener<SqliteStore> = Box::new(|_| {
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            Ok(Memory::open(store, Options::default()))
        });
        let address = ([127, 0, 0, 1], 7777).into();
        let (tokens, allowed_hosts, limits) = (None, Vec::new(), Limits::default());
        let http = Http { address, tokens, allowed_hosts, limits, access_log: false };
        let request = |method: &str, path: &str, host: &str, body: &str| {
            Request::builder().method(method).uri(path).header("host", host).body(body.as_bytes().to_vec()).unwrap()
        };
        let asked = [
            request("POST", "/api/v1/learn", "localhost", r#"{"content": "Maria is allergic to peanuts"}"#),
            request("GET", "/api/v1/recall?query=peanuts", "localhost", ""),
            request("GET", "/api/v1/status", "evil.example", ""),
        ];
        let answers = over_requests(open, &http, asked).unwrap();
        assert_eq!(answers.iter().map(|answer| answer.status().as_u16()).collect::<Vec<_>>(), [200, 200, 403]);
        assert!(String::from_utf8_lossy(answers[1].body()).contains("Maria is allergic to peanuts"));
    }
}
