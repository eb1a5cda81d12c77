//! elfmem as a server.
//!
//! One memory, opened when the first request needs it, behind the Model Context Protocol: over standard input and output
//! ([`over_stdio`]) for the host that started the program, or over HTTP ([`over_http`]) for several clients. The tools are made from the table
//! of verbs ([`elfmem::core::verbs`]), so they say and do what the command line says and does.
//!
//! The library is synchronous. Here one thread waits for messages and every call runs on a thread of its own; nothing wakes up
//! while nobody asks.

mod http;
mod mcp;
mod memory;
mod refusal;
mod running;
mod schema;

pub use http::{Http, Token, TokenError};
pub use mcp::{INSTRUCTIONS, reference};
pub use memory::Opener;
pub use refusal::Refusal;
pub use running::{ServeError, over_http, over_stdio};
