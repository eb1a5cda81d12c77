//! Starts and stops servers: the runtime, signals and shutdown.

use std::future::Future;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use elfmem_engine::catalog::ToolProfile;
use elfmem_store::Store;
use http_body_util::BodyExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::call_pool::{CallPool, MAX_RUNNING};
use crate::http::{self, HttpOptions};
use crate::idle::{PAUSE, work_when_idle};
use crate::mcp::{Clients, Handler, run_stdio, run_streams};
use crate::memory::{LazyMemory, Opener};
use crate::tool_list::ToolList;
use crate::trace;

/// Extra threads, so that the health check works while all calls are busy.
const SPARE_THREADS: usize = 2;
/// Time limit for running calls at shutdown, and again for ending the session. The store rolls back
/// unfinished work.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// A server could not start or failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// No threads or sockets are available.
    #[error("the server cannot run: {0}")]
    Machine(std::io::Error),
    /// The address is reachable by others, and no access token is set.
    #[error("{0} can be reached by others, and there is no token")]
    NoToken(SocketAddr),
    /// The address is in use or not available.
    #[error("cannot listen at {address}: {cause}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The system error.
        cause: std::io::Error,
    },
    /// The connection failed.
    #[error("the conversation broke off: {0}")]
    Broken(String),
}

/// Serves MCP over standard input and output, until the client closes its end or a signal arrives.
///
/// Writes only protocol messages to standard output.
pub fn serve_stdio<S: Store + 'static>(open: Opener<S>, tools: ToolList) -> Result<(), ServeError> {
    let runtime = runtime()?;
    let memory = Arc::new(LazyMemory::new(open));
    let handler = Handler::new(CallPool::new(Arc::clone(&memory)), tools, Clients::One);
    let served = runtime.block_on(async {
        let stop = signal().map_err(ServeError::Machine)?;
        let idle = tokio::spawn(work_when_idle(Arc::clone(&memory), PAUSE));
        let served = run_stdio(handler, stop).await;
        idle.abort();
        leave(memory).await;
        served.map_err(ServeError::Broken)
    });
    runtime.shutdown_background();
    served
}

/// Serves MCP over two streams until the client closes its end, for embedding and tests. Waits for
/// running calls, within a time limit. Does not handle signals.
pub fn serve_streams<S, R, W>(open: Opener<S>, tools: ToolList, reader: R, writer: W) -> Result<(), ServeError>
where
    S: Store + 'static,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let runtime = runtime()?;
    let memory = Arc::new(LazyMemory::new(open));
    let handler = Handler::new(CallPool::new(Arc::clone(&memory)), tools, Clients::One);
    let served = runtime.block_on(async {
        let idle = tokio::spawn(work_when_idle(Arc::clone(&memory), PAUSE));
        let served = run_streams(handler, reader, writer, std::future::pending()).await;
        idle.abort();
        leave(memory).await;
        served.map_err(ServeError::Broken)
    });
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    served
}

/// Serves HTTP until a signal arrives. Prints the addresses to standard error.
pub fn serve_http<S: Store + 'static>(open: Opener<S>, tools: ToolList, http: HttpOptions) -> Result<(), ServeError> {
    if !http.address.ip().is_loopback() && http.tokens.is_none() {
        return Err(ServeError::NoToken(http.address));
    }
    let runtime = runtime()?;
    let memory = Arc::new(LazyMemory::new(open));
    let served = runtime.block_on(async {
        let stop = signal().map_err(ServeError::Machine)?;
        let idle = tokio::spawn(work_when_idle(Arc::clone(&memory), PAUSE));
        let served = answer(&memory, tools, http, stop).await;
        idle.abort();
        leave(memory).await;
        served
    });
    runtime.shutdown_background();
    served
}

/// Handles HTTP requests one by one without a socket, for embedding and tests. Responses are
/// returned complete, so endless MCP event streams are not supported.
pub fn serve_requests<S: Store + 'static>(
    open: Opener<S>,
    http: &HttpOptions,
    requests: impl IntoIterator<Item = Request<Vec<u8>>>,
) -> Result<Vec<Response<Vec<u8>>>, ServeError> {
    let runtime = runtime()?;
    let memory = Arc::new(LazyMemory::new(open));
    let answered = runtime.block_on(async {
        let calls = CallPool::new(Arc::clone(&memory));
        let handler = Handler::new(calls.clone(), ToolProfile::All.into(), Clients::Several);
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
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    answered
}

async fn answer<S: Store + 'static>(
    memory: &Arc<LazyMemory<S>>,
    tools: ToolList,
    http: HttpOptions,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let address = http.address;
    let listener = TcpListener::bind(address).await.map_err(|cause| ServeError::Address { address, cause })?;
    let bound = listener.local_addr().map_err(ServeError::Machine)?;
    let calls = CallPool::new(Arc::clone(memory));
    let handler = Handler::new(calls.clone(), tools, Clients::Several);
    let (router, conversations) = http::router(calls, handler, &http);
    // Ignore a closed standard error.
    let (mcp, api) = (http::MCP, http::API);
    let _ = writeln!(std::io::stderr(), "elfmem serves MCP at http://{bound}{mcp} and its API at http://{bound}{api}");
    trace::started(bound.port().into());
    http::listen(listener, router, http.limits, conversations, stop, SHUTDOWN_TIMEOUT).await;
    Ok(())
}

fn runtime() -> Result<Runtime, ServeError> {
    Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MAX_RUNNING + SPARE_THREADS)
        .thread_name("elfmem-call")
        .build()
        .map_err(ServeError::Machine)
}

/// Ends the session on a blocking thread.
async fn leave<S: Store + 'static>(memory: Arc<LazyMemory<S>>) {
    trace::stopping();
    let left = tokio::time::timeout(SHUTDOWN_TIMEOUT, tokio::task::spawn_blocking(move || memory.leave())).await;
    if left.is_err() {
        trace::not_ended();
    }
    if let Ok(Ok(Err(refusal))) = left {
        let _ = writeln!(std::io::stderr(), "elfmem: the session could not be ended: {refusal}");
    }
}

/// Resolves when a termination signal arrives.
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

/// Resolves when a termination signal arrives.
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
    fn requests_without_a_socket_share_one_memory() {
        let open: Opener<SqliteStore> = Box::new(|_| {
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            Ok(Memory::open(store, Options::default()).into())
        });
        let address = ([127, 0, 0, 1], 7777).into();
        let (tokens, allowed_hosts, limits) = (None, Vec::new(), Limits::default());
        let http = HttpOptions { address, tokens, allowed_hosts, limits, access_log: false };
        let request = |method: &str, path: &str, host: &str, body: &str| {
            Request::builder().method(method).uri(path).header("host", host).body(body.as_bytes().to_vec()).unwrap()
        };
        let asked = [
            request("POST", "/api/v1/learn", "localhost", r#"{"content": "Maria is allergic to peanuts"}"#),
            request("GET", "/api/v1/recall?query=peanuts", "localhost", ""),
            request("GET", "/api/v1/status", "evil.example", ""),
        ];
        let answers = serve_requests(open, &http, asked).unwrap();
        assert_eq!(answers.iter().map(|answer| answer.status().as_u16()).collect::<Vec<_>>(), [200, 200, 403]);
        assert!(String::from_utf8_lossy(answers[1].body()).contains("Maria is allergic to peanuts"));
    }
}
