//! MCP over standard input and output or other streams.

use std::future::Future;

use elfmem_store::Store;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio_pipes;
use rmcp::{RoleServer, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite};

use super::Handler;

/// Maximum length of a message.
const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;

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
    let transport =
        Streams { inner: AsyncRwTransport::new(reader, writer).with_max_line_length(MAX_MESSAGE_BYTES), begun: false };
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

/// Drops messages before the first request, which would otherwise end the session.
struct Streams<R: AsyncRead, W: AsyncWrite> {
    inner: AsyncRwTransport<RoleServer, R, W>,
    begun: bool,
}

impl<R, W> Transport<RoleServer> for Streams<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            self.begun |= matches!(message, JsonRpcMessage::Request(_));
            if self.begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
