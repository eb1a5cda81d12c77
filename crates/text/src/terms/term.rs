//! The tokenizer: words, identifiers, numbers and scripts without spaces.
//!
//! * Letters are converted to lower case without accents. Words are stemmed (Snowball) in the language
//!   of their text, or like English if the text does not tell. Stems of other languages than English
//!   carry the mark of the language.
//! * `edge_degree_cap`, `getUserName` and `db-2.internal` are indexed whole and by their parts.
//! * Chinese, Japanese and Korean text, which has no spaces, becomes overlapping character bigrams.
//!
//! A term contains only letters, digits and non-ASCII characters, so it is safe in any query
//! language.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use rust_stemmers::Stemmer;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::folded;
use crate::language::Language;

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

/// Returns all terms of a text in order, with repetitions, in the language of the text.
pub fn terms(text: &str) -> Vec<Term> {
    terms_in(text, Language::detect(text).unwrap_or(Language::English))
}

/// Returns all terms of a text in order, with repetitions, as words of a language. For names, which
/// belong to no language, use English.
pub fn terms_in(text: &str, language: Language) -> Vec<Term> {
    let stemmer = language.stemmer();
    pieces(text).into_iter().filter_map(|piece| piece.term(language, &stemmer)).collect()
}

/// Returns the distinct terms of a query without stop words. A query of stop words only keeps them.
pub fn query_terms(text: &str) -> Vec<String> {
    distinct(terms(text))
}

/// Returns the terms of at most `count` words of a text, those first that few other texts are likely to hold: numbers, then
/// names, then long words. No stop words.
pub fn rarest_terms(text: &str, count: usize) -> Vec<String> {
    let language = Language::detect(text).unwrap_or(Language::English);
    let names = capitalised(text);
    let rank = |piece: &Piece| {
        let (Piece::Word(word) | Piece::Verbatim(word)) = piece;
        let is_number = word.bytes().any(|byte| byte.is_ascii_digit());
        (!is_number, !names.contains(word), Reverse(word.chars().count()), word.clone())
    };
    let mut pieces = pieces(text);
    pieces.sort_by_cached_key(rank);
    let (stemmer, mut found) = (language.stemmer(), Vec::new());
    for term in pieces.iter().filter_map(|piece| piece.term(language, &stemmer)).filter(|term| !term.stop) {
        if found.len() == count {
            break;
        }
        if !found.contains(&term.text) {
            found.push(term.text);
        }
    }
    found
}

/// Returns the capitalised words of a text, in lower case, but for those that begin a sentence.
fn capitalised(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut begins_sentence = true;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !begins_sentence && bare.starts_with(char::is_uppercase) {
            words.insert(bare.to_lowercase());
        }
        begins_sentence = word.ends_with(['.', '!', '?', ':']);
    }
    words
}

/// A word of a query, and the terms that blocks may hold it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryWord {
    /// The word as an English term.
    pub word: String,
    /// The terms of the word in all languages, the query's own first. A block holds the word by the
    /// term of its own language.
    pub terms: Vec<String>,
}

/// Returns the words of a query in order, with repetitions, without the stop words of its language. A
/// query of stop words only keeps them.
pub fn query_words(text: &str) -> Vec<QueryWord> {
    let own = Language::detect(text).unwrap_or(Language::English);
    let stemmers = Language::ALL.map(|language| (language, language.stemmer()));
    let pieces = pieces(text);
    let is_stop = |piece: &Piece| matches!(piece, Piece::Word(word) if own.is_stop_word(&folded(word)));
    let only_stop_words = pieces.iter().all(is_stop);
    let kept = pieces.iter().filter(|piece| only_stop_words || !is_stop(piece));
    // A long query repeats its words, and seven stemmers cost more than a look-up.
    let mut known: HashMap<&Piece, Option<QueryWord>> = HashMap::new();
    kept.filter_map(|piece| known.entry(piece).or_insert_with(|| piece.query_word(own, &stemmers)).clone()).collect()
}

fn distinct(all: Vec<Term>) -> Vec<String> {
    let only_stop_words = all.iter().all(|term| term.stop);
    let mut seen: HashSet<String> = HashSet::new();
    all.into_iter()
        .filter(|term| (only_stop_words || !term.stop) && seen.insert(term.text.clone()))
        .map(|term| term.text)
        .collect()
}

/// A part of a text before stemming.
#[derive(PartialEq, Eq, Hash)]
enum Piece {
    /// A word in lower case with its accents.
    Word(String),
    /// A term that is not stemmed.
    Verbatim(String),
}

impl Piece {
    /// Returns the word of a query in `own` language that the piece is; none if nothing is left of it.
    fn query_word(&self, own: Language, stemmers: &[(Language, Stemmer)]) -> Option<QueryWord> {
        let term = |(language, stemmer): &(Language, Stemmer)| self.term(*language, stemmer);
        let word = stemmers.iter().find(|(language, _)| *language == Language::English).and_then(term)?.text;
        let mut terms: Vec<String> = Vec::new();
        let own_first = stemmers.iter().filter(|(language, _)| *language == own);
        let others = stemmers.iter().filter(|(language, _)| *language != own);
        for term in own_first.filter_map(term).chain(others.filter_map(term).filter(|term| !term.stop)) {
            if !terms.contains(&term.text) {
                terms.push(term.text);
            }
        }
        Some(QueryWord { word, terms })
    }

    /// Returns the term of the piece in a language; none if nothing is left of it.
    fn term(&self, language: Language, stemmer: &Stemmer) -> Option<Term> {
        let (mut text, stop) = match self {
            Self::Verbatim(text) => (text.clone(), false),
            Self::Word(word) => {
                let plain = folded(word);
                let stop = language.is_stop_word(&plain);
                let stem = match language {
                    _ if stop => plain,
                    Language::English => stemmer.stem(&plain).into_owned(),
                    // Endings are recognised by their accents.
                    _ => folded(&stemmer.stem(word)),
                };
                match language.mark() {
                    Some(mark) => (std::iter::once(mark).chain(stem.chars()).collect(), stop),
                    None => (stem, stop),
                }
            }
        };
        if text.len() > LONGEST_TERM
            && let Some((end, _)) = text.char_indices().nth(LONGEST_TERM)
        {
            text.truncate(end);
        }
        (!text.is_empty()).then_some(Term { text, stop })
    }
}

/// Splits a text into its parts.
fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    for chunk in text.split(|c: char| !joins_words(c) && !c.is_alphanumeric() && !is_combining_mark(c)) {
        push_chunk(chunk, &mut found);
    }
    found
}

/// Returns true for characters that join the parts of an identifier.
fn joins_words(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '\'' | '’')
}

/// Adds the parts of a run without white space: a word, or an identifier with parts.
fn push_chunk(chunk: &str, found: &mut Vec<Piece>) {
    if let Some(plain) = plain_word(chunk) {
        found.push(plain);
        return;
    }
    let parts: Vec<String> =
        chunk.split(joins_words).filter(|part| !part.is_empty()).flat_map(split_camel_case).collect();
    let apostrophe = chunk.contains(['\'', '’']);
    for part in &parts {
        push_word(part, found);
    }
    if parts.len() > 1 && !apostrophe {
        found.push(Piece::Verbatim(folded(&parts.concat())));
    }
}

/// Returns the only part of a run of ASCII letters and digits without capitals inside: most words are of this kind, and need none
/// of the steps below.
fn plain_word(chunk: &str) -> Option<Piece> {
    let (first, rest) = chunk.as_bytes().split_first()?;
    let is_plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if !first.is_ascii_alphanumeric() || !rest.iter().all(is_plain) {
        return None;
    }
    let word = chunk.to_ascii_lowercase();
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    Some(if has_digit { Piece::Verbatim(word) } else { Piece::Word(word) })
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

fn push_word(word: &str, found: &mut Vec<Piece>) {
    if word.chars().any(is_unspaced_script) {
        return push_unspaced(word, found);
    }
    let plain = folded(word);
    if !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_lowercase()) {
        // Stemmers know composed letters only.
        found.push(Piece::Word(word.nfc().flat_map(char::to_lowercase).collect()));
    } else {
        found.push(Piece::Verbatim(plain));
    }
}

/// Adds bigrams for scripts without spaces. The runs between them are ordinary words.
fn push_unspaced(word: &str, found: &mut Vec<Piece>) {
    let mut spaced = String::new();
    let mut run: Vec<char> = Vec::new();
    for c in word.chars().chain(std::iter::once(' ')) {
        if is_unspaced_script(c) {
            if !spaced.is_empty() {
                push_word(&std::mem::take(&mut spaced), found);
            }
            run.push(c);
            continue;
        }
        if run.len() == 1 {
            found.push(Piece::Verbatim(run[0].to_string()));
        }
        for pair in run.windows(2) {
            found.push(Piece::Verbatim(pair.iter().collect()));
        }
        run.clear();
        if c != ' ' {
            spaced.push(c);
        }
    }
    if !spaced.is_empty() {
        push_word(&spaced, found);
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
    fn words_are_stemmed_in_the_language_of_their_text() {
        let german = texts("Die Boote werden am Samstag gewartet");
        assert!(german.contains(&"ᵈboot".to_owned()), "{german:?}");
        let spanish = texts("Las botellas se entregan los lunes por la mañana");
        assert!(spanish.contains(&"ˢbotell".to_owned()), "{spanish:?}");
    }

    #[test]
    fn a_question_finds_a_block_by_the_term_of_the_block_whatever_the_language_of_either() {
        for (block, question, shared) in [
            ("Die Boote werden am Samstag gewartet", "Wann wird das Boot gewartet?", "boot"),
            ("Die Boote werden am Samstag gewartet", "Boot", "boot"),
            ("Maria paga las facturas de la cooperativa", "what does Maria pay?", "maria"),
            ("The invoices of Maria are paid", "¿Quién paga las facturas de Maria?", "maria"),
            ("Una bottiglia di olio costa dieci euro nel magazzino", "quanto costano le bottiglie?", "bottigli"),
        ] {
            let held: HashSet<String> = texts(block).into_iter().collect();
            let words = query_words(question);
            let word = words.iter().find(|word| word.word.starts_with(&shared[..4])).expect(shared);
            assert!(word.terms.iter().any(|term| held.contains(term)), "{question}: {:?} in {held:?}", word.terms);
        }
    }

    #[test]
    fn stems_of_different_languages_do_not_mix() {
        let words = query_words("what do the notes say?");
        assert!(!words.iter().flat_map(|word| &word.terms).any(|term| term == "not"), "{words:?}");
        let words = query_words("Welche Boote liegen im Hafen?");
        assert!(words.iter().all(|word| word.word != "welch"), "{words:?}");
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
    fn plain_words_are_split_as_all_others() {
        for chunk in ["Word", "word", "w", "W", "a1", "2024", "Ab2c", "x9"] {
            let (mut slow, plain) = (Vec::new(), plain_word(chunk).expect(chunk));
            split_camel_case(chunk).iter().for_each(|part| push_word(part, &mut slow));
            let as_text = |piece: &Piece| match piece {
                Piece::Word(word) => ("word", word.clone()),
                Piece::Verbatim(word) => ("verbatim", word.clone()),
            };
            assert_eq!(slow.iter().map(as_text).collect::<Vec<_>>(), [as_text(&plain)]);
        }
        for chunk in ["", "HTTP", "getName", "a_b", "é", "Été"] {
            assert!(plain_word(chunk).is_none(), "{chunk}");
        }
    }

    #[test]
    fn numbers_names_and_long_words_are_the_rarest() {
        let text = "Whoever answers the emergency telephone asks Petra about room 412 first. Then the rest follows";
        assert_eq!(rarest_terms(text, 4), ["412", "petra", "emerg", "telephon"]);
        assert_eq!(rarest_terms("the and of", 4), Vec::<String>::new());
        assert_eq!(rarest_terms("Ports: port, PORT and ports", 4), ["port"]);
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
        fn a_text_matches_its_own_query_words(text in "[a-zA-Z0-9_ éüñ日本.-]{1,60}") {
            let stored: Vec<String> = texts(&text);
            for wanted in query_words(&text) {
                prop_assert!(wanted.terms.iter().any(|term| stored.contains(term)), "{:?}", wanted);
            }
        }
    }
}
