//! Finding what is near, in memory and without I/O: by words, by meaning, by edges and by what was stored before and
//! after.
//!
//! All of it speaks of blocks by number ([`Slots`]), so that one question can add up what each part knows in plain lists:
//!
//! * [`WordIndex`]: which blocks hold the words of a question, scored as `elfmem_text::bm25` scores them.
//! * [`VectorMatrix`]: how near every block is, and exactly which are nearest. It looks at all of them, in one byte a
//!   number: 2 ms at a hundred thousand blocks. It needs no tuning, it cannot miss, and it stays right under inserts and
//!   removals. An approximate index may come when somebody measures a need; this one then is its yardstick.
//! * [`Adjacency`]: which blocks are linked, how strongly, and how central that makes them.
//! * [`Sequence`]: what was stored right before and right after, in the same session or document.
//!
//! [`VectorIndex`] is the matrix by block id, for those who need nothing else. Answers depend on what is held, never on
//! the order in which it came; `examples/measure.rs` tells what they cost.
//!
//! What this crate is *not*: it does not make vectors (see `elfmem-models`) and it does not keep anything (see
//! `elfmem-store`).
//!
//! ```
//! use elfmem_core::BlockId;
//! use elfmem_text::bm25::TermFields;
//! use elfmem_text::terms::{query_terms, terms};
//! use elfmem_index::{Parallel, Slots, VectorMatrix, WordIndex, WordQuery};
//!
//! let (mut slots, mut words) = (Slots::new(), WordIndex::default());
//! query_terms("which star is north?").iter().for_each(|word| words.load(word, []));
//! let mut vectors = VectorMatrix::with_capacity(2, 0)?;
//! for (text, vector) in [("Polaris is north", [0.0, 1.0]), ("the sun rises in the east", [1.0, 0.0])] {
//!     let slot = slots.insert(&BlockId::for_content(text));
//!     words.insert(slot, &TermFields { content: terms(text), ..TermFields::default() });
//!     vectors.insert(slot, &vector)?;
//! }
//!
//! let by_words = words.score(&WordQuery::new(&query_terms("which star is north?")));
//! assert_eq!(by_words.slots(), [0]);
//!
//! let (query, mut cosines) = (vectors.query(&[0.1, 0.9])?, Vec::new());
//! vectors.scores_into(&query, Parallel::default(), &mut cosines);
//! let nearest = vectors.nearest_of(&query, &cosines, 1, |_| true);
//! assert_eq!(slots.id(nearest[0].0), Some(&BlockId::for_content("Polaris is north")));
//! # Ok::<(), elfmem_index::IndexError>(())
//! ```

mod adjacency;
mod coarse;
mod exact;
pub mod kernel;
mod matrix;
mod names;
mod nearest;
mod pool;
mod room;
mod sequence;
mod slots;
mod table;
pub mod vector;
mod words;

pub use adjacency::{Adjacency, Link, LinkKind};
pub use coarse::NO_VECTOR;
pub use matrix::{Parallel, VectorMatrix, VectorQuery};
pub use names::Names;
pub use room::{make_room, widen};
pub use sequence::Sequence;
pub use slots::Slots;
pub use vector::{IndexError, Neighbour, Neighbours, VectorIndex};
pub use words::{Counts, WordIndex, WordQuery, WordReach, WordScores};
