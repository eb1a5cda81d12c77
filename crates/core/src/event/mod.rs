//! Events: pieces of experience with a kind, a source and a place among contexts (seed 004).
//!
//! Here is what is fixed about them: which kinds there are and which become memories, how far each source is trusted at
//! first, and how contexts are named. What an event does to a memory is in the engine.

mod context;
mod kind;
mod source;

pub use context::{ContextError, ContextId, LONGEST_CONTEXT};
pub use kind::{EventKind, KindGroup};
pub use source::EventSource;
