//! Accepts connections, with limits for their number and timeouts.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Sleep;

use super::access::network_of;
use super::connections::{Admission, ClientConnection, Connections};
use super::{Limits, McpSessions};
use crate::trace;

/// Delay after a failed accept.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// How many waiting connections are closed when the system has no room for another.
const DISPLACED_AT_ONCE: usize = 32;
/// Timeout for request headers in a reserved place.
const RESERVED_HEADER_TIME: Duration = Duration::from_secs(2);

/// Serves until `stop` resolves, then finishes running requests within `last_wait`.
pub(crate) async fn listen(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    conversations: McpSessions,
    stop: impl Future<Output = ()>,
    last_wait: Duration,
) {
    let service = TowerToHyperService::new(router);
    let connections = Connections::new(limits.connections, limits.connections_per_address);
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Most likely the process has no file descriptors left.
            trace::not_accepted();
            let has_room = connections.displace_oldest(DISPLACED_AT_ONCE);
            tokio::time::sleep(if has_room { Duration::from_millis(5) } else { ACCEPT_RETRY_DELAY }).await;
            continue;
        };
        let Some(admitted) = connections.admit(network_of(peer.ip())) else { continue };
        // Responses are small; batching would only delay them.
        let _ = stream.set_nodelay(true);
        let stream = TokioIo::new(WriteTimeout { stream, patience: limits.write_time, waiting: None });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(match admitted.0.place {
                Admission::Ordinary => limits.header_time,
                Admission::Reserved => limits.header_time.min(RESERVED_HEADER_TIME),
            })
            .serve_connection(
                stream,
                ConnectionService { service: service.clone(), peer, connection: Arc::clone(&admitted.0) },
            );
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            tokio::select! {
                // Ignore clients that disconnect.
                _ = watched => {}
                () = admitted.0.displaced() => {}
            }
        });
    }
    drop(listener);
    conversations.end();
    let _ = tokio::time::timeout(last_wait, graceful.shutdown()).await;
}

/// The router of one connection, which adds the peer address and the connection to requests.
struct ConnectionService {
    service: TowerToHyperService<Router>,
    peer: SocketAddr,
    connection: Arc<ClientConnection>,
}

impl Service<hyper::Request<Incoming>> for ConnectionService {
    type Response = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Future;

    fn call(&self, mut request: hyper::Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        request.extensions_mut().insert(Arc::clone(&self.connection));
        self.service.call(request)
    }
}

/// A stream with a write timeout.
struct WriteTimeout {
    stream: TcpStream,
    patience: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    fn check<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        waiting.as_mut().poll(context).map(|()| {
            trace::write_timed_out(u64::try_from(patience.as_millis()).unwrap_or(u64::MAX));
            Err(io::ErrorKind::TimedOut.into())
        })
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.check(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
