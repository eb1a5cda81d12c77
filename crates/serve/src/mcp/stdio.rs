//! MCP over standard input and output or other streams.

use std::future::Future;

use elfmem_store::Store;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

use super::Handler;
use super::lines::Lines;

/// Serves over standard input and output until the client closes its end or `stop` resolves.
pub(crate) async fn run_stdio<S: Store + 'static>(
    handler: Handler<S>,
    stop: impl Future<Output = ()>,
) -> Result<(), String> {
    let (reader, writer) = stdio_pipes();
    run_streams(handler, reader, writer, stop).await
}

/// Serves over two streams until the client closes its end or `stop` resolves.
pub(crate) async fn run_streams<S, R, W>(
    handler: Handler<S>,
    reader: R,
    writer: W,
    stop: impl Future<Output = ()>,
) -> Result<(), String>
where
    S: Store + 'static,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport = Lines::new(reader, writer);
    tokio::pin!(stop);
    let running = tokio::select! {
        begun = handler.serve(transport) => match begun {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        },
        () = &mut stop => return Ok(()),
    };
    let cancel = running.cancellation_token();
    let mut waiting = std::pin::pin!(running.waiting());
    let ended = tokio::select! {
        ended = &mut waiting => ended,
        () = &mut stop => {
            cancel.cancel();
            waiting.await
        }
    };
    ended.map(|_| ()).map_err(|error| error.to_string())
}
