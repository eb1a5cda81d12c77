//! From raw text to plain words: markup, quotes and punctuation go, contractions come apart.

use std::collections::HashSet;
use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::lexicon::{contraction, is_function_word};
use super::number::unit;

/// What stands behind a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Break {
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

/// One word of the text, before anything is known about it.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    /// Lowercase, without accents.
    pub(super) lower: String,
    /// Whether it starts with a capital.
    pub(super) capital: bool,
    /// Whether it opens a sentence.
    pub(super) opens: bool,
    /// Whether it ends in a possessive `'s`.
    pub(super) possessor: bool,
    /// Whether it is joined to the next by a hyphen.
    pub(super) joined: bool,
    /// Whether it is a path, an address or another thing with a spelling of its own.
    pub(super) code: bool,
    /// Whether it is written in capitals only.
    pub(super) acronym: bool,
    /// The letter that it was shortened to, where that can stand for two words.
    pub(super) shortened: Option<char>,
    /// What follows it.
    pub(super) after: Break,
}

/// A scanned text.
#[derive(Debug, Clone, Default)]
pub(super) struct Scan {
    /// Its words.
    pub(super) pieces: Vec<Piece>,
    /// Whether it asks.
    pub(super) question: bool,
}

/// Reads the words of a text.
pub(super) fn scan(text: &str) -> Scan {
    let folded = fold(text);
    let mut scan = Scan { pieces: Vec::new(), question: folded.trim_end().ends_with('?') };
    for line in folded.lines() {
        let line = without_marker(line);
        for chunk in line.split_whitespace() {
            // "retries=3" and "retries = 3"; an address keeps its own.
            let assigned =
                if chunk.contains("://") { None } else { chunk.split_once('=').filter(|(name, _)| !name.is_empty()) };
            match assigned {
                Some((name, value)) => {
                    push_chunk(name, &mut scan.pieces);
                    push_chunk(value, &mut scan.pieces);
                }
                None => push_chunk(chunk, &mut scan.pieces),
            }
        }
        // A wrapped line goes on; a new item or an empty line does not, which a capital after it shows well enough.
    }
    settle_shortened(&mut scan.pieces);
    mark_openings(&mut scan.pieces);
    scan
}

/// Compatibility forms unified, quotes and dashes plain, emphasis gone.
fn fold(text: &str) -> String {
    let plain = |c: char| match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '\u{b4}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2010}'..='\u{2013}' | '\u{2212}' => '-',
        '\u{2014}' | '\u{2026}' => ',',
        '\u{2044}' => '/',
        _ => c,
    };
    let text = without_tags(&text.replace("&amp;", "&").replace("~~", ""));
    let kept = |c: &char| !matches!(c, '*' | '`' | '"' | '\u{200b}'..='\u{200d}' | '\u{feff}' | '\u{ad}');
    if text.is_ascii() {
        return text.chars().filter(kept).collect();
    }
    text.chars().map(plain).nfkc().map(plain).filter(kept).collect()
}

/// The text without `<b>` and its like; addresses in angle brackets stay.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        kept.push_str(&rest[..open]);
        let inside = &rest[open + 1..];
        let tag = inside.find('>').filter(|close| {
            let name = inside[..*close].trim_matches('/');
            (1..=10).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        match tag {
            Some(close) => rest = &inside[close + 1..],
            None => {
                kept.push('<');
                rest = inside;
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// A line without its bullet, number, heading or quotation mark.
fn without_marker(line: &str) -> &str {
    let mut line = line.trim();
    loop {
        let shorter = line.trim_start_matches(['>', '#']).trim_start();
        let marked = line.starts_with("> ") || (line.starts_with('#') && line.trim_start_matches('#').starts_with(' '));
        if !marked || shorter.is_empty() {
            break;
        }
        line = shorter;
    }
    for bullet in ["- ", "+ ", "\u{2022} "] {
        line = line.strip_prefix(bullet).unwrap_or(line).trim_start();
    }
    let line = line.strip_prefix("[ ] ").or_else(|| line.strip_prefix("[x] ")).unwrap_or(line);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line.get(digits..) {
        Some(rest) if (1..=2).contains(&digits) => {
            rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).map_or(line, str::trim_start)
        }
        _ => line,
    }
}

/// Written with a full stop that ends no sentence.
const ABBREVIATIONS: &str = "
    incl e.g i.e eg ie approx vs mr mrs ms dr prof st no etc p.m a.m cf ca dept max min avg inc ltd tel jan feb mar
    apr jun jul aug sept sep oct nov dec mon tue tues wed thu thurs fri fig vol ch p pp sec hr hrs lb lbs oz tbsp
    tsp ave rd blvd co corp jr sr ext ref est ed mt wk yr govt appt mgr
";

fn is_abbreviation(lower: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| ABBREVIATIONS.split_whitespace().collect()).contains(lower)
}

fn push_chunk(chunk: &str, pieces: &mut Vec<Piece>) {
    // "'24" and "the '90s" leave out the century.
    let short_year =
        chunk.strip_prefix('\'').filter(|rest| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_digit));
    if let Some(rest) = short_year.filter(|rest| !rest.as_bytes().get(2).is_some_and(u8::is_ascii_digit)) {
        let century = if rest.as_bytes()[0] < b'5' { "20" } else { "19" };
        return push_chunk(&format!("{century}{rest}"), pieces);
    }
    let head = chunk.trim_start_matches(['\'', '(', '[', '{', '<', '_', '#', ',', ';', '!', '?', '|', ':', '=']);
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
        return pieces.push(Piece { lower: "and".to_owned(), ..Piece::default() });
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
        return pieces.push(Piece { lower: word.to_owned(), after, ..Piece::default() });
    }
    if !lower.chars().any(|c| c.is_alphanumeric() || matches!(c, '%' | '\u{b0}' | '$' | '\u{20ac}' | '\u{a3}')) {
        return break_after_last(pieces, after);
    }
    if let Some(figure) = body.strip_prefix('~').filter(|figure| starts_as_number(figure)) {
        pieces.push(Piece { lower: "about".to_owned(), ..Piece::default() });
        return push_chunk(&head[head.len() - figure.len() - (head.len() - body.len())..], pieces);
    }
    let body = body.trim_matches('~');
    let lower = lower.trim_matches('~').to_owned();
    let first = pieces.len();
    if is_code(&lower) {
        let lower = lower.trim_end_matches("()").to_owned();
        pieces.push(Piece { lower, code: true, capital: starts_high(body), ..Piece::default() });
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

fn break_after_last(pieces: &mut [Piece], after: Break) {
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

/// Paths, addresses and identifiers are compared as they are spelled.
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

fn starts_as_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '\u{20ac}' | '\u{a3}'))
}

/// Words joined by hyphens or slashes come apart, unless a part is a number or a single letter: then they are one name.
fn push_hyphenated(part: &str, pieces: &mut Vec<Piece>) {
    let mut lower = unaccented(part);
    let figure = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if part.strip_suffix('M').is_some_and(figure) {
        lower.push('n');
    }
    if let Some(version) = lower.strip_prefix('v').filter(|version| figure(version)) {
        pieces.push(Piece { lower: "version".to_owned(), ..Piece::default() });
        return pieces.push(Piece { lower: version.to_owned(), ..Piece::default() });
    }
    if let Some(pair) = joined_figures(&lower) {
        for word in pair {
            pieces.push(Piece { lower: word, capital: starts_high(part), ..Piece::default() });
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
            pieces.push(Piece { lower: "per".to_owned(), ..Piece::default() });
        }
        push_word(if capital { "X" } else { "x" }, (*word).to_owned(), pieces);
    }
    let last = pieces.len() - 1;
    for piece in &mut pieces[first..last] {
        piece.joined = lower.contains('-');
    }
}

/// Figures that cling to something: `5/month` is "5 per month", `5-7` is "5 to 7", `3x` is "3 times".
fn joined_figures(lower: &str) -> Option<Vec<String>> {
    let words = |one: &str, link: &str, other: &str| {
        Some([one, link, other].into_iter().filter(|word| !word.is_empty()).map(str::to_owned).collect())
    };
    if let Some((one, other)) =
        lower.split_once('/').filter(|(one, other)| starts_as_number(one) && unit(other).is_some())
    {
        return words(one, "per", other);
    }
    if let Some(count) = lower.strip_suffix(['x', '\u{d7}']).filter(|count| count.parse::<u8>().is_ok()) {
        return words(count, "", "times");
    }
    if let Some(quarter) = lower.strip_prefix('q').filter(|quarter| matches!(*quarter, "1" | "2" | "3" | "4")) {
        return words(&format!("{quarter}th"), "", "quarter");
    }
    let (one, other) = lower.split_once('-')?;
    if one.bytes().all(|byte| byte.is_ascii_digit())
        && other.len() >= 3
        && other.chars().all(|c| c.is_alphabetic() || c == '-')
    {
        return Some(
            [one].into_iter().chain(other.split('-')).filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        );
    }
    let clock = |word: &str| word.contains(':') && starts_as_number(word);
    let rising =
        one.parse::<u16>().ok().zip(other.parse::<u16>().ok()).is_some_and(|(one, other)| one < other && other < 1000);
    let named = is_weekday(one) && is_weekday(other);
    if rising || named || (clock(one) && clock(other)) { words(one, "to", other) } else { None }
}

fn is_weekday(word: &str) -> bool {
    let long = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    word.len() >= 3 && long.iter().any(|name| name.starts_with(word.trim_end_matches("days")) || name == &word)
}

/// One word: its contraction undone, its possessive noted.
fn push_word(surface: &str, lower: String, pieces: &mut Vec<Piece>) {
    let capital = starts_high(surface);
    if let Some((before, added)) = contraction(&lower) {
        pieces.push(Piece { lower: before.to_owned(), capital, ..Piece::default() });
        let shortened = (added == "would").then_some('d');
        return pieces.push(Piece { lower: added.to_owned(), shortened, ..Piece::default() });
    }
    let initials = |part: &str| part.chars().count() <= 2 && part.chars().all(char::is_alphabetic);
    let undotted = if lower.contains('.') && lower.split('.').all(initials) { lower.replace('.', "") } else { lower };
    let digits = undotted.starts_with(|c: char| c.is_ascii_digit());
    match undotted.strip_suffix("'s") {
        Some(owner) if digits => pieces.push(Piece { lower: format!("{owner}s"), capital, ..Piece::default() }),
        Some(owner) if is_pronoun_before_is(owner) => {
            pieces.push(Piece { lower: owner.to_owned(), capital, ..Piece::default() });
            pieces.push(Piece { lower: "is".to_owned(), shortened: Some('s'), ..Piece::default() });
        }
        Some(owner) => {
            pieces.push(Piece { lower: owner.to_owned(), capital, possessor: true, ..Piece::default() });
        }
        None => {
            let possessor = undotted.ends_with("s'");
            let lower = undotted.replace('\'', "");
            let acronym = surface.len() > 1 && surface.chars().all(|c| c.is_uppercase() || c == '.');
            if !lower.is_empty() {
                pieces.push(Piece { lower, capital, possessor, acronym, ..Piece::default() });
            }
        }
    }
}

/// Endings that can stand for two words are read by what follows: "she'd been" is "had", "she's been" is "has". The word
/// "number" before a number goes, and "no one" is one word.
fn settle_shortened(pieces: &mut Vec<Piece>) {
    for at in 0..pieces.len() {
        let follows = |steps: usize| pieces.get(at + steps).map(|piece| piece.lower.clone()).unwrap_or_default();
        let (next, second) = (follows(1), follows(2));
        let (next, second) = (next.as_str(), second.as_str());
        let done =
            |word: &str| matches!(word, "been" | "better" | "had" | "got") || word.ends_with("ed") && word.len() > 4;
        let perfect = done(next) || (matches!(next, "never" | "already" | "just" | "always") && done(second));
        match pieces[at].shortened {
            Some('d') if perfect => pieces[at].lower = "had".to_owned(),
            Some('s') if next == "been" || next == "got" => pieces[at].lower = "has".to_owned(),
            _ => {}
        }
        let idiom = match (pieces[at].lower.as_str(), next) {
            ("no", "one") => Some("nobody"),
            ("for", "example" | "instance") => Some("eg"),
            ("no", "of") => {
                pieces[at].lower = "number".to_owned();
                None
            }
            ("not", "stand" | "bear") if at > 0 && pieces[at - 1].lower == "can" => Some("hate"),
            ("called", "off") => Some("cancelled"),
            ("put" | "pushed", "off" | "back") => Some("postponed"),
            ("take" | "takes" | "took", "place") => Some("happens"),
            ("turned", "down") => Some("rejected"),
            ("two" | "2", "times") => Some("twice"),
            _ => None,
        };
        if let Some(word) = idiom {
            pieces[at].lower = word.to_owned();
            pieces[at + 1].lower.clear();
        }
        let rate = matches!(
            next,
            "second" | "minute" | "hour" | "day" | "week" | "month" | "year" | "night" | "person" | "head"
        );
        let counted = at > 0 && !is_function_word(&pieces[at - 1].lower) && pieces[at - 1].after == Break::None;
        if rate && counted && matches!(&*pieces[at].lower, "a" | "an" | "each") {
            pieces[at].lower = "per".to_owned();
        }
        let numbered = next.starts_with(|c: char| c.is_ascii_digit());
        if numbered && matches!(&*pieces[at].lower, "no" | "nr" | "number") {
            pieces[at].lower.clear();
        }
    }
    for at in 1..pieces.len() {
        if pieces[at].lower.is_empty() {
            let after = pieces[at].after;
            pieces[at - 1].after = pieces[at - 1].after.max(after);
        }
    }
    pieces.retain(|piece| !piece.lower.is_empty());
    for at in 1..pieces.len() {
        if pieces[at].lower == "hate" && pieces[at - 1].lower == "can" {
            pieces[at - 1].lower.clear();
        }
    }
    pieces.retain(|piece| !piece.lower.is_empty());
}

fn is_pronoun_before_is(word: &str) -> bool {
    matches!(word, "it" | "that" | "there" | "here" | "he" | "she" | "what" | "who" | "where" | "how" | "this")
}

/// Lowercase, accents of Latin letters removed.
fn unaccented(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut lower = word.to_lowercase();
    for (letter, plain) in [('\u{f8}', "o"), ('\u{142}', "l"), ('\u{df}', "ss"), ('\u{e6}', "ae"), ('\u{153}', "oe")] {
        if lower.contains(letter) {
            lower = lower.replace(letter, plain);
        }
    }
    let mut base = ' ';
    lower
        .nfd()
        .filter(|c| {
            let mark = is_combining_mark(*c);
            if !mark {
                base = *c;
            }
            !mark || base >= '\u{530}'
        })
        .collect()
}

/// A word opens a sentence at the start and after a full stop or colon. In a text of capitals, capitals say nothing.
fn mark_openings(pieces: &mut [Piece]) {
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
    fn markup_and_punctuation_go() {
        assert_eq!(words("- **Always** use `rg`, (not grep)!"), ["always", "use", "rg", "not", "grep"]);
        assert_eq!(words("## Title\n> quoted \u{201c}text\u{201d}"), ["title", "quoted", "text"]);
    }

    #[test]
    fn contractions_and_possessives_come_apart() {
        assert_eq!(words("It's Ann\u{2019}s; she can't"), ["it", "is", "ann", "she", "can", "not"]);
        assert!(scan("Ann's dog").pieces[0].possessor);
    }

    #[test]
    fn identifiers_stay_whole_and_compounds_come_apart() {
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
