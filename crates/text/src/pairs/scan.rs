//! Splits raw text into words: removes markup, quotes and punctuation, expands contractions.

use super::abbreviations::{expand_abbreviations, is_abbreviation, split_number};
use super::lexicon::contraction;
use super::markup::{fold, unaccented, without_marker};
use super::units::unit;
use crate::language::Language;
use crate::statements::languages;

/// The punctuation after a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Break {
    /// Nothing.
    #[default]
    None,
    /// A comma, bracket or dash.
    Comma,
    /// A colon.
    Colon,
    /// The end of a sentence.
    Stop,
}

/// A word of the text, before classification.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScannedWord {
    /// The word in lower case, without accents.
    pub(crate) lower: String,
    /// Whether the word starts with a capital letter.
    pub(crate) capital: bool,
    /// Whether the word starts a sentence.
    pub(crate) opens: bool,
    /// Whether the word ends in a possessive `'s`.
    pub(crate) possessor: bool,
    /// Whether a hyphen joins the word to the next.
    pub(crate) joined: bool,
    /// Whether the word is a path, an address or an identifier.
    pub(crate) code: bool,
    /// Whether the word is written in capitals only.
    pub(crate) acronym: bool,
    /// The letter of an ambiguous contraction, such as `'s` or `'d`.
    pub(crate) shortened: Option<char>,
    /// The punctuation after the word.
    pub(crate) after: Break,
    /// The language of a word that is not read as an English one.
    pub(crate) native: Option<Language>,
    /// Whether the word is a stop word of that language.
    pub(crate) stopped: bool,
    /// Which of the text's words between spaces it comes from.
    pub(crate) chunk: usize,
}

/// A scanned text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scan {
    /// The words of the text.
    pub(crate) pieces: Vec<ScannedWord>,
    /// Whether the text is a question.
    pub(crate) question: bool,
}

/// Splits an English text into words.
#[cfg(test)]
pub(crate) fn scan(text: &str) -> Scan {
    scan_in(text, None)
}

/// Splits a text into words. The words of other languages are read as English words where
/// [`languages`] lists them.
pub(crate) fn scan_in(text: &str, language: Option<Language>) -> Scan {
    let language = language.filter(|language| *language != Language::English);
    let prepared = language.map(|language| languages::prepare(text, language));
    let folded = fold(prepared.as_deref().unwrap_or(text));
    let mut scan = Scan { pieces: Vec::new(), question: folded.trim_end().ends_with('?') };
    let mut chunks = 0;
    for line in folded.lines() {
        let marked = line.split_whitespace().count();
        let line = without_marker(line);
        chunks += marked.saturating_sub(line.split_whitespace().count());
        for chunk in line.split_whitespace() {
            let first = scan.pieces.len();
            // "retries=3" equals "retries = 3"; an address keeps its own signs.
            let assigned =
                if chunk.contains("://") { None } else { chunk.split_once('=').filter(|(name, _)| !name.is_empty()) };
            match assigned {
                Some((name, value)) => {
                    push_chunk(name, &mut scan.pieces);
                    push_chunk(value, &mut scan.pieces);
                }
                None => push_chunk(chunk, &mut scan.pieces),
            }
            scan.pieces[first..].iter_mut().for_each(|piece| piece.chunk = chunks);
            chunks += 1;
        }
    }
    if let Some(language) = language {
        mark_openings(&mut scan.pieces);
        scan.pieces = languages::to_english(std::mem::take(&mut scan.pieces), language);
    }
    expand_abbreviations(&mut scan.pieces);
    mark_openings(&mut scan.pieces);
    scan
}

fn push_chunk(chunk: &str, pieces: &mut Vec<ScannedWord>) {
    // "'24" and "the '90s" omit the century.
    let short_year =
        chunk.strip_prefix('\'').filter(|rest| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_digit));
    if let Some(rest) = short_year.filter(|rest| !rest.as_bytes().get(2).is_some_and(u8::is_ascii_digit)) {
        let century = if rest.as_bytes()[0] < b'5' { "20" } else { "19" };
        return push_chunk(&format!("{century}{rest}"), pieces);
    }
    let head = chunk.trim_start_matches([
        '\'', '(', '[', '{', '<', '_', '#', ',', ';', '!', '?', '|', ':', '=', '\u{a1}', '\u{bf}',
    ]);
    if head.len() < chunk.len() && chunk.starts_with(['(', '[', '|', ',']) {
        break_after_last(pieces, Break::Comma);
    }
    let body = head.trim_end_matches(|c: char| {
        matches!(
            c,
            '\'' | ')' | ']' | '}' | '>' | '_' | '.' | ',' | ';' | ':' | '!' | '?' | '|' | '=' | '(' | '/' | '\\'
        )
    });
    let mut after = head[body.len()..].chars().map(break_of).max().unwrap_or_default();
    if body == "+" {
        return pieces.push(ScannedWord { lower: "and".to_owned(), ..ScannedWord::default() });
    }
    if body.is_empty() || body.chars().all(|c| matches!(c, '-' | '+' | '/' | '\\')) {
        if body == "-" || body == "--" {
            after = after.max(Break::Comma);
        }
        return break_after_last(pieces, after);
    }
    let lower = body.to_lowercase();
    let period = head[body.len()..].starts_with('.') && !head[body.len()..].contains(['!', '?', ';']);
    if after == Break::Stop && period && is_abbreviation(&lower) {
        after = Break::None;
    }
    let sign = match lower.as_str() {
        "&" => Some("and"),
        "w/o" => Some("without"),
        "w" if head.starts_with("w/") => Some("with"),
        _ => None,
    };
    if let Some(word) = sign {
        return pieces.push(ScannedWord { lower: word.to_owned(), after, ..ScannedWord::default() });
    }
    if !lower.chars().any(|c| c.is_alphanumeric() || matches!(c, '%' | '\u{b0}' | '$' | '\u{20ac}' | '\u{a3}')) {
        return break_after_last(pieces, after);
    }
    if let Some(figure) = body.strip_prefix('~').filter(|figure| starts_as_number(figure)) {
        pieces.push(ScannedWord { lower: "about".to_owned(), ..ScannedWord::default() });
        return push_chunk(&head[head.len() - figure.len() - (head.len() - body.len())..], pieces);
    }
    let body = body.trim_matches('~');
    let lower = lower.trim_matches('~').to_owned();
    let first = pieces.len();
    if is_code(&lower) {
        let lower = lower.trim_end_matches("()").to_owned();
        pieces.push(ScannedWord { lower, code: true, capital: starts_high(body), ..ScannedWord::default() });
    } else {
        let grouped = body.bytes().any(|byte| byte.is_ascii_digit());
        let separates =
            |c: char| matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ';' | '|') || (c == ',' && !grouped);
        for part in body.split(separates).filter(|part| !part.is_empty()) {
            push_hyphenated(part, pieces);
        }
    }
    if pieces.len() > first {
        break_after_last(pieces, after);
    }
}

fn break_after_last(pieces: &mut [ScannedWord], after: Break) {
    if let Some(last) = pieces.last_mut() {
        last.after = last.after.max(after);
    }
}

fn break_of(c: char) -> Break {
    match c {
        '.' | '!' | '?' | ';' => Break::Stop,
        ':' => Break::Colon,
        ',' | ')' | ']' | '|' => Break::Comma,
        _ => Break::None,
    }
}

fn starts_high(word: &str) -> bool {
    word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase)
}

/// Returns true for paths, addresses and identifiers, which are compared verbatim.
fn is_code(lower: &str) -> bool {
    let inner = lower.trim_matches('.');
    let letters = inner.chars().any(char::is_alphabetic);
    let dotted = inner.split('.').all(|part| part.chars().count() <= 2 && part.chars().all(char::is_alphabetic));
    let version = inner.strip_prefix('v').is_some_and(starts_as_number);
    let joined = inner.contains(['@', '_', '\\', '$']) || inner.contains("::") || inner.contains("://");
    let slashed =
        inner.contains('/') && (inner.starts_with('/') || inner.contains('.') || inner.matches('/').count() > 1);
    letters
        && !version
        && !inner.starts_with('$')
        && (joined || slashed || (inner.contains('.') && !dotted && !starts_as_number(inner)))
}

/// Returns true if the word starts with a digit or a currency sign.
pub(crate) fn starts_as_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '\u{20ac}' | '\u{a3}'))
}

/// Splits words at hyphens and slashes, unless a part is a number or a single letter: then the
/// whole is one name.
fn push_hyphenated(part: &str, pieces: &mut Vec<ScannedWord>) {
    let mut lower = unaccented(part);
    let figure = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if part.strip_suffix('M').is_some_and(figure) {
        lower.push('n');
    }
    if let Some(version) = lower.strip_prefix('v').filter(|version| figure(version)) {
        pieces.push(ScannedWord { lower: "version".to_owned(), ..ScannedWord::default() });
        return pieces.push(ScannedWord { lower: version.to_owned(), ..ScannedWord::default() });
    }
    if let Some(pair) = split_number(&lower) {
        for word in pair {
            pieces.push(ScannedWord { lower: word, capital: starts_high(part), ..ScannedWord::default() });
        }
        return;
    }
    let parts: Vec<&str> = lower.split(['-', '/']).filter(|part| !part.is_empty()).collect();
    let lettered = parts.iter().all(|part| part.chars().all(|c| c.is_alphabetic() || c == '\''));
    if parts.len() < 2 || !lettered {
        return push_word(part, lower.trim_start_matches('-').to_owned(), pieces);
    }
    if parts[0].chars().count() == 1 || matches!(parts[0], "non" | "re" | "co" | "pre" | "un" | "anti" | "wi" | "dis") {
        return push_word(part, parts.concat(), pieces);
    }
    let first = pieces.len();
    let capital = starts_high(part);
    let rate = lower.contains('/') && unit(parts[1]).is_some();
    for (at, word) in parts.iter().enumerate() {
        if at == 1 && rate {
            pieces.push(ScannedWord { lower: "per".to_owned(), ..ScannedWord::default() });
        }
        push_word(if capital { "X" } else { "x" }, (*word).to_owned(), pieces);
    }
    let last = pieces.len().saturating_sub(1);
    for piece in pieces.iter_mut().take(last).skip(first) {
        piece.joined = lower.contains('-');
    }
}

/// Pushes one word: expands its contraction and records its possessive.
fn push_word(surface: &str, lower: String, pieces: &mut Vec<ScannedWord>) {
    let capital = starts_high(surface);
    if let Some((before, added)) = contraction(&lower) {
        pieces.push(ScannedWord { lower: before.to_owned(), capital, ..ScannedWord::default() });
        let shortened = (added == "would").then_some('d');
        return pieces.push(ScannedWord { lower: added.to_owned(), shortened, ..ScannedWord::default() });
    }
    let initials = |part: &str| part.chars().count() <= 2 && part.chars().all(char::is_alphabetic);
    let undotted = if lower.contains('.') && lower.split('.').all(initials) { lower.replace('.', "") } else { lower };
    let digits = undotted.starts_with(|c: char| c.is_ascii_digit());
    match undotted.strip_suffix("'s") {
        Some(owner) if digits => {
            pieces.push(ScannedWord { lower: format!("{owner}s"), capital, ..ScannedWord::default() });
        }
        Some(owner) if is_pronoun_before_is(owner) => {
            pieces.push(ScannedWord { lower: owner.to_owned(), capital, ..ScannedWord::default() });
            pieces.push(ScannedWord { lower: "is".to_owned(), shortened: Some('s'), ..ScannedWord::default() });
        }
        Some(owner) => {
            pieces.push(ScannedWord { lower: owner.to_owned(), capital, possessor: true, ..ScannedWord::default() });
        }
        None => {
            let possessor = undotted.ends_with("s'");
            let lower = undotted.replace('\'', "");
            let acronym = surface.len() > 1 && surface.chars().all(|c| c.is_uppercase() || c == '.');
            if !lower.is_empty() {
                pieces.push(ScannedWord { lower, capital, possessor, acronym, ..ScannedWord::default() });
            }
        }
    }
}

fn is_pronoun_before_is(word: &str) -> bool {
    matches!(word, "it" | "that" | "there" | "here" | "he" | "she" | "what" | "who" | "where" | "how" | "this")
}

/// Marks words that start a sentence. If the whole text is in capitals, capital letters carry no
/// information.
fn mark_openings(pieces: &mut [ScannedWord]) {
    let mut opens = true;
    for piece in pieces.iter_mut() {
        piece.opens = opens;
        opens = piece.after >= Break::Colon;
    }
    let high = pieces.iter().filter(|piece| piece.capital).count();
    if high * 10 > pieces.len() * 8 && pieces.len() > 2 {
        for piece in pieces {
            piece.capital = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        scan(text).pieces.into_iter().map(|piece| piece.lower).collect()
    }

    #[test]
    fn markup_and_punctuation_are_removed() {
        assert_eq!(words("- **Always** use `rg`, (not grep)!"), ["always", "use", "rg", "not", "grep"]);
        assert_eq!(words("## Title\n> quoted \u{201c}text\u{201d}"), ["title", "quoted", "text"]);
    }

    #[test]
    fn contractions_and_possessives_are_split() {
        assert_eq!(words("It's Ann\u{2019}s; she can't"), ["it", "is", "ann", "she", "can", "not"]);
        assert!(scan("Ann's dog").pieces[0].possessor);
    }

    #[test]
    fn identifiers_stay_whole_and_compounds_are_split() {
        assert_eq!(
            words("db-2 src/main.rs tax-free e-mail 10,000"),
            ["db-2", "src/main.rs", "tax", "free", "email", "10,000"]
        );
        assert_eq!(words("Section 4(b), retry()"), ["section", "4", "b", "retry"]);
        assert_eq!(words("<https://a.example/x/>"), ["https://a.example/x"]);
    }

    #[test]
    fn sentences_end_at_stops_but_not_after_abbreviations() {
        let scan = scan("Cost incl. tax. Fine");
        assert_eq!(scan.pieces[1].after, Break::None);
        assert_eq!(scan.pieces[2].after, Break::Stop);
        assert!(scan.pieces[3].opens);
    }
}
