//! Text analysis for elfmem.
//!
//! Splits text into search [`terms`], splits documents into chunks, parses dates and times,
//! compares statements, finds secrets, estimates token counts, and fences stored text before a
//! model reads it. All functions are pure: no file, no network, no clock, no randomness.
//!
//! What this crate is *not*: it does not access a store or a model. Blocks and ids come from
//! `elfmem-core`.
//!
//! ```
//! use elfmem_text::terms::terms;
//!
//! let words: Vec<String> = terms("Peanut allergies").into_iter().map(|term| term.text).collect();
//! assert_eq!(words, ["peanut", "allergi"]);
//! ```

pub mod asking;
pub mod bm25;
pub mod constraints;
pub mod conversation;
pub mod document;
pub mod fence;
pub mod language;
pub mod lists;
mod pairs;
pub mod phrase;
pub mod secrets;
pub mod snippet;
pub mod spelling;
pub mod statements;
pub mod temporal;
pub mod terms;
pub mod tokens;
pub mod updates;
