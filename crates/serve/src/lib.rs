//! MCP and HTTP servers for elfmem.
//!
//! Serves one memory, opened on the first request: over standard input and output ([`serve_stdio`])
//! for the MCP host that started the program, or over HTTP ([`serve_http`]) for several clients,
//! with MCP and a JSON API side by side. Tools and routes are generated from the table of verbs
//! ([`elfmem_engine::catalog`]), so all surfaces behave alike.
//!
//! The engine is synchronous. One thread handles the protocol, and each call runs on a blocking
//! thread.
//!
//! What this crate is *not*: it has no logic of its own and does not read the environment or files.
//!
//! ```
//! use elfmem_core::Timestamp;
//! use elfmem_engine::catalog::ToolProfile;
//! use elfmem_engine::{Memory, Options};
//! use elfmem_serve::{Opener, serve_streams};
//! use elfmem_store_sqlite::SqliteStore;
//!
//! let open: Opener<SqliteStore> = Box::new(|_| {
//!     let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
//!     Ok(Memory::open(store, Options::default()).into())
//! });
//! let asked = &br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#[..];
//! serve_streams(open, ToolProfile::Core.into(), asked, Vec::new())?;
//! # Ok::<(), elfmem_serve::ServeError>(())
//! ```

mod activity;
mod answer_text;
mod call_counts;
mod call_pool;
mod caller;
mod confirmation;
mod file_command;
mod http;
mod idle;
mod mcp;
mod memory;
mod percent;
mod refusal;
mod schema;
mod server;
mod tool_list;
mod trace;

pub use caller::Rights;
pub use http::{AccessToken, AccessTokens, HttpOptions, Limits, TokenError, TokensError, openapi};
pub use mcp::{INSTRUCTIONS, reference};
pub use memory::{OpenedMemory, Opener};
pub use refusal::Refusal;
pub use server::{ServeError, serve_http, serve_requests, serve_stdio, serve_streams};
pub use tool_list::ToolList;
