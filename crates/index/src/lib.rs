//! Finding what is near, in memory and without I/O.
//!
//! [`VectorIndex`] holds the vectors of a memory in one block of numbers and answers "which are nearest" exactly, by
//! looking at all of them: at a hundred thousand blocks that is some fifteen milliseconds, it needs no tuning, it
//! cannot miss, and it stays right under inserts and removals. An approximate index may come behind the same
//! [`Neighbours`] trait when somebody measures a need; this one then is its yardstick.
//!
//! What this crate is *not*: it does not make vectors (see `elfmem-models`) and it does not keep them (see
//! `elfmem-store`).
//!
//! ```
//! use elfmem_core::BlockId;
//! use elfmem_index::VectorIndex;
//!
//! let mut index = VectorIndex::new(2)?;
//! let (north, east) = (BlockId::for_content("north"), BlockId::for_content("east"));
//! index.insert(&north, &[0.0, 1.0])?;
//! index.insert(&east, &[1.0, 0.0])?;
//!
//! let nearest = index.nearest(&[0.1, 0.9], 1, |_| true)?;
//! assert_eq!(nearest[0].id, north);
//! # Ok::<(), elfmem_index::IndexError>(())
//! ```

pub mod kernel;
mod nearest;
pub mod vector;

pub use vector::{IndexError, Neighbour, Neighbours, VectorIndex};
