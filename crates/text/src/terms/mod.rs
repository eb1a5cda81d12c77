//! Tokenizes text into search terms, in the same way for stored text and queries.

mod fold;
mod hidden;
pub(crate) mod number_words;
mod term;

pub use fold::composed;
pub(crate) use fold::folded;
pub(crate) use hidden::has_no_width;
pub use hidden::{contains_hidden, escape_hidden, escape_hidden_in_json, strip_hidden};
pub use term::{QueryWord, Term, query_terms, query_words, rarest_terms, terms, terms_in};
