//! The tokenizer: words, identifiers, numbers and scripts without spaces.
//!
//! * Letters are converted to lower case without accents; English words are stemmed (Snowball).
//! * `edge_degree_cap`, `getUserName` and `db-2.internal` are indexed whole and by their parts.
//! * Chinese, Japanese and Korean text, which has no spaces, becomes overlapping character bigrams.
//!
//! A term contains only letters, digits and non-ASCII characters, so it is safe in any query
//! language.

use std::collections::HashSet;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::is_stop_word;

/// A search term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// The normalised form that is matched.
    pub text: String,
    /// Whether this is a stop word.
    pub stop: bool,
}

/// Maximum length of a term. Longer words are truncated: nobody searches for them.
const LONGEST_TERM: usize = 64;

/// Returns all terms of a text in order, with repetitions.
pub fn terms(text: &str) -> Vec<Term> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut found = Vec::new();
    for chunk in text.split(|c: char| !joins_words(c) && !c.is_alphanumeric() && !is_combining_mark(c)) {
        push_chunk(chunk, &stemmer, &mut found);
    }
    found
}

/// Returns the distinct terms of a query without stop words. A query of stop words only keeps them.
pub fn query_terms(text: &str) -> Vec<String> {
    let all = terms(text);
    let only_stop_words = all.iter().all(|term| term.stop);
    let mut seen: HashSet<String> = HashSet::new();
    all.into_iter()
        .filter(|term| (only_stop_words || !term.stop) && seen.insert(term.text.clone()))
        .map(|term| term.text)
        .collect()
}

/// Returns true for characters that join the parts of an identifier.
fn joins_words(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '\'' | '’')
}

/// Adds the terms of a run without white space: a word, or an identifier with parts.
fn push_chunk(chunk: &str, stemmer: &Stemmer, found: &mut Vec<Term>) {
    let parts: Vec<String> =
        chunk.split(joins_words).filter(|part| !part.is_empty()).flat_map(split_camel_case).collect();
    let apostrophe = chunk.contains(['\'', '’']);
    for part in &parts {
        push_word(part, stemmer, found);
    }
    if parts.len() > 1 && !apostrophe {
        let whole: String = parts.concat();
        push_term(folded(&whole), found);
    }
}

/// Splits `getHTTPResponse2` into `get`, `HTTP`, `Response2`.
fn split_camel_case(word: &str) -> Vec<String> {
    let characters: Vec<char> = word.chars().collect();
    let mut parts = Vec::new();
    let mut part = String::new();
    for (at, &c) in characters.iter().enumerate() {
        let after_lower = at > 0 && characters[at - 1].is_lowercase();
        let before_lower = characters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let after_upper = at > 0 && characters[at - 1].is_uppercase();
        if c.is_uppercase() && !part.is_empty() && (after_lower || (after_upper && before_lower)) {
            parts.push(std::mem::take(&mut part));
        }
        part.push(c);
    }
    parts.push(part);
    parts
}

fn push_word(word: &str, stemmer: &Stemmer, found: &mut Vec<Term>) {
    if word.chars().any(is_unspaced_script) {
        return push_unspaced(word, stemmer, found);
    }
    let folded = folded(word);
    if folded.bytes().all(|byte| byte.is_ascii_lowercase()) {
        let stop = is_stop_word(&folded);
        let text = if stop { folded } else { stemmer.stem(&folded).into_owned() };
        return push_text(text, stop, found);
    }
    push_term(folded, found);
}

/// Adds bigrams for scripts without spaces. The runs between them are ordinary words.
fn push_unspaced(word: &str, stemmer: &Stemmer, found: &mut Vec<Term>) {
    let mut spaced = String::new();
    let mut run: Vec<char> = Vec::new();
    for c in word.chars().chain(std::iter::once(' ')) {
        if is_unspaced_script(c) {
            if !spaced.is_empty() {
                push_word(&std::mem::take(&mut spaced), stemmer, found);
            }
            run.push(c);
            continue;
        }
        if run.len() == 1 {
            push_term(run[0].to_string(), found);
        }
        for pair in run.windows(2) {
            push_term(pair.iter().collect(), found);
        }
        run.clear();
        if c != ' ' {
            spaced.push(c);
        }
    }
    if !spaced.is_empty() {
        push_word(&spaced, stemmer, found);
    }
}

/// Normalises a word: lower case, compatibility forms unified, accents of Latin, Greek and Cyrillic
/// letters removed.
fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(word.len());
    let mut base = ' ';
    for c in word.nfkd().flat_map(char::to_lowercase) {
        if is_combining_mark(c) {
            // Combining marks are accents below U+0530; in Indic, Thai, Arabic and Hebrew script
            // they carry meaning.
            if base < '\u{530}' {
                continue;
            }
        } else {
            base = c;
        }
        if c.is_alphanumeric() || is_combining_mark(c) {
            out.push(c);
        }
    }
    out
}

fn push_term(text: String, found: &mut Vec<Term>) {
    push_text(text, false, found);
}

fn push_text(mut text: String, stop: bool, found: &mut Vec<Term>) {
    if let Some((end, _)) = text.char_indices().nth(LONGEST_TERM) {
        text.truncate(end);
    }
    if !text.is_empty() {
        found.push(Term { text, stop });
    }
}

/// Returns true for Han, Hiragana, Katakana and Hangul: scripts without spaces, or with attached
/// particles.
fn is_unspaced_script(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<String> {
        terms(text).into_iter().map(|term| term.text).collect()
    }

    #[test]
    fn terms_ignore_endings_accents_and_case() {
        assert_eq!(texts("Peanuts PEANUT"), ["peanut", "peanut"]);
        assert_eq!(texts("café Café"), ["cafe", "cafe"]);
        assert_eq!(texts("deploys deploying deployed"), ["deploy", "deploy", "deploy"]);
    }

    #[test]
    fn identifiers_are_indexed_whole_and_by_parts() {
        assert_eq!(texts("edge_degree_cap"), ["edg", "degre", "cap", "edgedegreecap"]);
        assert_eq!(texts("getHTTPResponse"), ["get", "http", "respons", "gethttpresponse"]);
        assert_eq!(texts("v2.3.1"), ["v2", "3", "1", "v231"]);
    }

    #[test]
    fn scripts_without_spaces_become_bigrams() {
        assert_eq!(texts("日本語 test"), ["日本", "本語", "test"]);
        assert_eq!(texts("Python日本"), ["python", "日本"]);
        assert_eq!(texts("猫"), ["猫"]);
    }

    #[test]
    fn possessives_and_contractions_leave_no_fragments() {
        assert_eq!(query_terms("Who can't eat Maria's nuts?"), ["eat", "maria", "nut"]);
        assert_eq!(query_terms("who are you"), ["who", "are", "you"]);
        assert_eq!(query_terms("?!…"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn terms_contain_no_query_syntax(text in any::<String>()) {
            for term in terms(&text) {
                prop_assert!(!term.text.is_empty());
                prop_assert!(term.text.chars().count() <= LONGEST_TERM);
                prop_assert!(term.text.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric()));
            }
        }

        #[test]
        fn a_text_matches_its_own_query_terms(text in "[a-zA-Z0-9_ é日本.-]{1,60}") {
            let stored: Vec<String> = texts(&text);
            for wanted in query_terms(&text) {
                prop_assert!(stored.contains(&wanted));
            }
        }
    }
}
