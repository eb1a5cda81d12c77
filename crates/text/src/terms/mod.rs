//! Tokenizes text into search terms, in the same way for stored text and queries.

mod hidden;
pub(crate) mod number_words;
mod stop_words;
mod term;

pub(crate) use hidden::has_no_width;
pub use hidden::{contains_hidden, escape_hidden, escape_hidden_in_json, strip_hidden};
pub use stop_words::is_stop_word;
pub use term::{Term, query_terms, terms};
