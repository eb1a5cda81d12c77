//! Search in memory, without I/O: by words, by vectors, by edges and by order of storing.
//!
//! All parts address blocks by slot ([`Slots`]), so that one query can add up what each part knows in plain arrays:
//!
//! * [`WordIndex`]: an inverted index with the scores of `elfmem_text::bm25`.
//! * [`VectorMatrix`]: the cosine of every block, and exactly which are nearest. It scans all blocks at one byte a number:
//!   2 ms for a hundred thousand blocks. It needs no tuning, misses nothing, and stays correct under inserts and removals.
//!   An approximate index may be added when somebody measures a need; this one then is its reference.
//! * [`Adjacency`]: which blocks are linked, how strongly, and how central that makes them.
//! * [`Sequence`]: what was stored right before and right after, in the same session or document.
//!
//! [`VectorIndex`] is the matrix by block id. Results depend on the content, never on the order in which it was inserted.
//! `examples/measure.rs` measures the costs.
//!
//! Every part is cheap to clone: clones share their data in chunks and copy a chunk when one of them writes to it
//! ([`ChunkedVec`]). So readers keep a consistent state while a writer prepares the next one. What is loaded on demand
//! (posting lists, links, full vectors) is added through a shared reference.
//!
//! This crate does not compute vectors (see `elfmem-models`) and does not store anything (see `elfmem-store`).
//!
//! ```
//! use elfmem_core::BlockId;
//! use elfmem_index::{IndexError, Parallel, Slots, VectorMatrix, WordIndex, WordQuery};
//! use elfmem_text::bm25::TermFields;
//! use elfmem_text::terms::{query_terms, terms};
//!
//! let (mut slots, mut words) = (Slots::new(), WordIndex::default());
//! let mut vectors = VectorMatrix::with_capacity(2, 0)?;
//! let query = WordQuery::new(&query_terms("which star is north?"));
//! words.prepare(&query, |_| Ok::<_, IndexError>(vec![]))?;
//! for (text, vector) in [("Polaris is north", [0.0, 1.0]), ("the sun rises in the east", [1.0, 0.0])] {
//!     let slot = slots.insert(&BlockId::for_content(text));
//!     words.insert(slot, &TermFields { content: terms(text), ..TermFields::default() });
//!     vectors.insert(slot, &vector)?;
//! }
//!
//! let by_words = words.prepare(&query, |_| Ok::<_, IndexError>(vec![]))?.score();
//! assert_eq!(by_words.slots(), [0]);
//!
//! let (query, mut cosines) = (vectors.query(&[0.1, 0.9])?, Vec::new());
//! vectors.scores_into(&query, Parallel::default(), &mut cosines);
//! let nearest = vectors.nearest_of(&query, &cosines, 1, |_| true);
//! assert_eq!(slots.id(nearest[0].0), Some(&BlockId::for_content("Polaris is north")));
//! # Ok::<(), IndexError>(())
//! ```

mod adjacency;
mod chunked;
mod coarse;
mod exact;
mod interner;
pub mod kernel;
mod matrix;
mod nearest;
mod sequence;
mod slots;
mod table;
pub mod vector;
mod words;

pub use adjacency::{Adjacency, AdjacencyList, AdjacentEdge, AdjacentEdgeKind};
pub use chunked::ChunkedVec;
pub use coarse::NO_VECTOR;
pub use interner::Interner;
pub use matrix::{Parallel, VectorMatrix, VectorQuery};
pub use sequence::Sequence;
pub use slots::Slots;
pub use vector::{IndexError, Neighbour, VectorIndex};
pub use words::{FieldCounts, PreparedQuery, WeightedWord, WordIndex, WordQuery, WordScores};
