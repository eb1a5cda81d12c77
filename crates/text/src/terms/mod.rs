//! From text to words: one analysis for everything that is stored and everything that is asked.

mod hidden;
pub(crate) mod number_words;
mod stop_words;
mod term;

pub use hidden::{hides_something, neutral, revealed};
pub use stop_words::is_stop_word;
pub use term::{Term, query_terms, terms};
