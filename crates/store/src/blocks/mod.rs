//! Blocks: the memories themselves.

mod attached;
mod purge;
mod query;
mod read;
mod state;
mod write;

pub use purge::REDACTED;
pub(crate) use query::matches_pattern;
pub use query::{BlockCounts, BlockOrder, BlockQuery, BlockText, DocumentQuery, FadingQuery, ReplacedQuery, Tombstone};
pub use read::ReadBlocks;
pub(crate) use read::visit_blocks;
pub use state::{BlockState, LearnedState};
pub use write::WriteBlocks;
