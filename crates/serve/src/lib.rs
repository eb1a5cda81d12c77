//! elfmem as a server.
//!
//! One memory, opened when the first request needs it, behind the Model Context Protocol: over standard input and output
//! ([`over_stdio`]) for the host that started the program, or over HTTP ([`over_http`]) for several clients, where the same verbs are also
//! plain requests with JSON. Tools and routes are made from the table of verbs ([`elfmem_engine::catalog`]), so they say and do what the
//! command line says and does.
//!
//! The library is synchronous. Here one thread waits for messages and every call runs on a thread of its own; nothing wakes up
//! while nobody asks.

mod caller;
mod calls;
mod http;
mod mcp;
mod memory;
mod percent;
mod refusal;
mod running;
mod schema;
mod tally;
mod trace;

pub use caller::Rights;
pub use http::{Http, Limits, Token, TokenError, Tokens, TokensError, openapi};
pub use mcp::{INSTRUCTIONS, reference};
pub use memory::Opener;
pub use refusal::Refusal;
pub use running::{ServeError, over_http, over_requests, over_stdio, over_streams};
