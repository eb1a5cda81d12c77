//! The words of a memory, and which blocks hold them.
//!
//! [`WordIndex`] answers like [`elfmem_text::bm25::Bm25`] asked about every block, but looks only at the blocks that
//! hold a word of the query. The number of blocks and their mean length change with every insertion, so nothing that
//! depends on them is stored: a posting says *which* block and *how often*, and the rest is worked out while scanning.

mod frequencies;
mod index;
mod postings;
mod query;
mod reach;
mod scores;

pub use frequencies::Counts;
pub use index::WordIndex;
pub use query::WordQuery;
pub use reach::WordReach;
pub use scores::WordScores;
