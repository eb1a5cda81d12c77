//! Languages of texts: detection, stop words and stems.
//!
//! Seven languages have stop words and a stemmer. A text of any other language, and a text too short
//! to tell, has no language; it is tokenized like English.
//!
//! ```
//! use elfmem_text::language::Language;
//!
//! assert_eq!(Language::detect("Wer repariert das Boot?"), Some(Language::German));
//! assert_eq!(Language::detect("Dove sono le chiavi del magazzino?"), Some(Language::Italian));
//! assert_eq!(Language::detect("OK 42"), None);
//! ```

mod detect;
mod stop_words;

use rust_stemmers::{Algorithm, Stemmer};

pub use stop_words::is_stop_word;

/// A language with stop words and a stemmer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Dutch.
    Dutch,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 7] =
        [Self::English, Self::German, Self::French, Self::Spanish, Self::Italian, Self::Portuguese, Self::Dutch];

    /// Returns the character that marks the stems of the language in the index. English stems have
    /// none. Without the mark, the French stem of `notes` would match the English word `not`.
    pub fn mark(self) -> Option<char> {
        match self {
            Self::English => None,
            Self::German => Some('ᵈ'),
            Self::French => Some('ᶠ'),
            Self::Spanish => Some('ˢ'),
            Self::Italian => Some('ⁱ'),
            Self::Portuguese => Some('ᵖ'),
            Self::Dutch => Some('ⁿ'),
        }
    }

    /// Creates the stemmer of the language.
    pub(crate) fn stemmer(self) -> Stemmer {
        Stemmer::create(match self {
            Self::English => Algorithm::English,
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
            Self::Italian => Algorithm::Italian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Dutch => Algorithm::Dutch,
        })
    }
}

/// Returns the mark of the language that a term belongs to; none for English and for terms of no
/// language.
pub fn language_mark(term: &str) -> Option<&str> {
    let mark = term.chars().next()?;
    let marked = Language::ALL.iter().any(|language| language.mark() == Some(mark));
    marked.then(|| &term[..mark.len_utf8()])
}

/// Returns a term without the mark of its language, to compare stems of texts whose languages were
/// detected differently.
pub fn unmarked(term: &str) -> &str {
    language_mark(term).map_or(term, |mark| &term[mark.len()..])
}
