//! Text analysis for elfmem.
//!
//! Splits text into search [`terms`], splits documents into chunks, reads dates and times, compares two statements, finds
//! secrets, estimates tokens, and fences stored text before a model reads it. Everything here is a pure function of its
//! arguments: no file, no network, no clock, no randomness.
//!
//! What this crate is *not*: it knows no store and no model. Blocks and ids come from `elfmem-core`.
//!
//! ```
//! use elfmem_text::terms::terms;
//!
//! let words: Vec<String> = terms("Peanut allergies").into_iter().map(|term| term.text).collect();
//! assert_eq!(words, ["peanut", "allergi"]);
//! ```

pub mod document;
pub mod fence;
pub mod lexical;
pub mod pairs;
pub mod phrase;
pub mod secrets;
pub mod temporal;
pub mod terms;
pub mod tokens;
