//! Which blocks hold which words.
//!
//! [`WordIndex`] scores like [`elfmem_text::bm25::Bm25`] applied to every block, but visits only the blocks that hold
//! a word of the query. The number of blocks and their mean length change with every insertion, so nothing that depends
//! on them is stored: a posting says *which* block and *how often*, and the rest is computed while scanning.

mod index;
mod postings;
mod prepared;
mod query;
mod scores;

pub use index::WordIndex;
pub use postings::FieldCounts;
pub use prepared::PreparedQuery;
pub use query::{WeightedWord, WordQuery};
pub use scores::WordScores;
