//! Any lines from a client of the Model Context Protocol: what comes back is lines of JSON-RPC.
//!
//! An even first byte of the input puts a proper greeting before the rest, an odd one does not; its next bit chooses the list of tools.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use elfmem_engine::catalog::ToolProfile;
use elfmem_fuzz::furnished;
use elfmem_serve::{Opener, ToolList, serve_streams};
use elfmem_store_sqlite::SqliteStore;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tokio::io::AsyncWrite;

const GREETING: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#,
    r#""clientInfo":{"name":"fuzz","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
);

/// Keeps what the server says.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Said {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&how, rest)) = bytes.split_first() else { return };
    let mut lines = if how & 1 == 0 { GREETING.as_bytes().to_vec() } else { Vec::new() };
    lines.extend_from_slice(rest);
    lines.push(b'\n');
    let tools = if how & 2 == 0 { ToolProfile::All } else { ToolProfile::Core };
    let open: Opener<SqliteStore> = Box::new(|_| Ok(furnished().into()));
    let said = Said::default();
    // A conversation that ends in disorder is told as an error; it must not end the program.
    let _ = serve_streams(open, ToolList::Verbs(tools), io::Cursor::new(lines), said.clone());
    let said = String::from_utf8(said.0.lock().unwrap().clone()).unwrap();
    for line in said.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(answer["jsonrpc"], "2.0", "{line}");
    }
});
