//! Events: observations with a kind, a source and contexts (seed 004).
//!
//! Defines the kinds of events and which become memories, the initial confidence per source, and
//! the format of context ids. The engine processes events.

mod context;
mod kind;
mod source;

pub use context::{ContextError, ContextId, LONGEST_CONTEXT};
pub use kind::{EventKind, KindGroup};
pub use source::EventSource;
