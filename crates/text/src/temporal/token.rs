//! Tokenizes text into words, numbers and dates, each with the punctuation that follows.

use smol_str::{SmolStr, StrExt};

use super::classify::{TimeTokenKind, classify, is_date_piece, is_named_piece, is_number_range};
use super::{clock, lexicon};

/// The punctuation between a token and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(super) enum Gap {
    /// Nothing.
    Open,
    /// A comma or a bracket.
    Comma,
    /// The end of a clause, a sentence or the text.
    Stop,
}

/// A word, number or date.
#[derive(Debug, Clone)]
pub(super) struct TimeToken {
    pub(super) kind: TimeTokenKind,
    /// The word in lower case without possessive ending. Empty for tokens that are not time words.
    pub(super) word: SmolStr,
    /// Whether the token starts with a capital letter.
    pub(super) capital: bool,
    /// Byte offset of the token, without opening punctuation.
    pub(super) start: usize,
    /// Byte offset of its end, without closing punctuation.
    pub(super) end: usize,
    /// The punctuation after the token.
    pub(super) gap: Gap,
}

/// Length of the longest time word.
const LONGEST_WORD: usize = 16;

/// Longest run without white space that may contain a time. Splitting a run is quadratic in its
/// length.
const LONGEST_RUN: usize = 256;

/// Returns all tokens of a text in order.
pub(super) fn tokens(text: &str) -> Vec<TimeToken> {
    let mut found = Vec::with_capacity(text.len() / 5 + 1);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            close(&mut found, Gap::Stop);
        }
        for run in line.split_whitespace() {
            // The runs of a line are in order, so `find` stops at once.
            let start = at + text[at..].find(run).unwrap_or(0);
            at = start + run.len();
            push_run(run, start, &mut found);
        }
    }
    close(&mut found, Gap::Stop);
    found
}

/// Splits a run at long dashes (`2019–2021`). Hyphens stay until the run is classified.
fn push_run(run: &str, start: usize, found: &mut Vec<TimeToken>) {
    let mut rest = run;
    while let Some(at) = rest.find(['–', '—']) {
        let offset = start + run.len() - rest.len();
        push_trimmed(&rest[..at], offset, found);
        push(&rest[at..at + '–'.len_utf8()], offset + at, TimeTokenKind::Dash, found);
        rest = &rest[at + '–'.len_utf8()..];
    }
    push_trimmed(rest, start + run.len() - rest.len(), found);
}

/// Trims opening and closing punctuation off a run, and records it as a gap.
fn push_trimmed(run: &str, start: usize, found: &mut Vec<TimeToken>) {
    let opened = run.trim_start_matches(['(', '[', '{', '"', '\'', '`', '*', '_', '<', '“', '‘', '«']);
    if opened.len() < run.len() {
        close(found, Gap::Comma);
    }
    let closed = opened.trim_end_matches([
        ')', ']', '}', '"', '\'', '`', '*', '_', '>', '”', '’', '»', ',', '.', ';', ':', '!', '?', '…',
    ]);
    if !closed.is_empty() {
        push_pieces(closed, start + run.len() - opened.len(), found);
    }
    let tail = &opened[closed.len()..];
    let abbreviated = tail == "." && found.last().is_some_and(|token| is_abbreviation(&token.word));
    if tail.contains(['.', ';', ':', '!', '?', '…']) && !abbreviated {
        close(found, Gap::Stop);
    } else if tail.contains([',', ')', ']', '}']) {
        close(found, Gap::Comma);
    }
}

/// Returns true for words whose dot belongs to them.
fn is_abbreviation(word: &str) -> bool {
    lexicon::is_month_abbreviation(word)
        || clock::meridiem(word).is_some()
        || (word.len() <= 5 && lexicon::weekday(word).is_some())
}

fn close(found: &mut [TimeToken], gap: Gap) {
    if let Some(last) = found.last_mut()
        && last.gap < gap
    {
        last.gap = gap;
    }
}

/// Pushes a run whole, or its parts if only the parts form a time: `7-May-2023`, `mid-2023`, `3-7`,
/// `date:2023-05-07`.
fn push_pieces(run: &str, start: usize, found: &mut Vec<TimeToken>) {
    if run.len() > LONGEST_RUN {
        return push(run, start, TimeTokenKind::Other, found);
    }
    let kind = classify(run);
    if matches!(kind, TimeTokenKind::Word | TimeTokenKind::Other) && run.is_ascii() {
        if let Some((left, right)) = run.split_once(',').filter(|(left, right)| comma_parts(left, right)) {
            push_pieces(left, start, found);
            close(found, Gap::Comma);
            return push_pieces(right, start + left.len() + 1, found);
        }
        if let Some((key, value)) = run.split_once([':', '=']) {
            let value_kind = classify(value);
            if matches!(value_kind, TimeTokenKind::Date(_) | TimeTokenKind::Stamp(_))
                && classify(key) == TimeTokenKind::Word
            {
                push(key, start, TimeTokenKind::Word, found);
                return push(value, start + key.len() + 1, value_kind, found);
            }
        }
        if run.contains(['-', '/']) && push_split(run, start, found) {
            return;
        }
    }
    push(run, start, kind, found);
}

/// Returns true if a comma without a space separates two words, as in `May,2023` and `7,2023` but
/// not in `1,200`.
fn comma_parts(left: &str, right: &str) -> bool {
    let numbers =
        matches!((classify(left), classify(right)), (TimeTokenKind::Number(_, 1..=2), TimeTokenKind::Number(_, 4)));
    numbers || left.ends_with(|c: char| c.is_ascii_alphabetic())
}

fn push_split(run: &str, start: usize, found: &mut Vec<TimeToken>) -> bool {
    let separator = if run.contains('-') { '-' } else { '/' };
    let Some((first, second)) = run.split_once(separator) else { return false };
    if separator == '-' && is_number_range(first, second) {
        push(first, start, classify(first), found);
        push("-", start + first.len(), TimeTokenKind::Dash, found);
        push(second, start + first.len() + 1, classify(second), found);
        return true;
    }
    let modified = ["mid", "early", "late"].iter().any(|&word| first.eq_ignore_ascii_case(word));
    if modified && is_date_piece(second) {
        push(first, start, TimeTokenKind::Word, found);
        push(second, start + first.len() + 1, classify(second), found);
        return true;
    }
    let all = run.split(separator).all(is_date_piece) && run.split(separator).any(is_named_piece);
    if !all {
        return false;
    }
    let (mut at, mut after_name) = (start, false);
    for piece in run.split(separator) {
        let named = is_named_piece(piece);
        if named && after_name {
            push("-", at - 1, TimeTokenKind::Dash, found);
        }
        push(piece, at, piece_kind(piece), found);
        (at, after_name) = (at + piece.len() + 1, named);
    }
    true
}

/// Quarters contain a digit but are classified as words.
fn piece_kind(piece: &str) -> TimeTokenKind {
    if is_named_piece(piece) { TimeTokenKind::Word } else { classify(piece) }
}

fn push(run: &str, start: usize, kind: TimeTokenKind, found: &mut Vec<TimeToken>) {
    let kind = if kind == TimeTokenKind::Other { piece_kind(run) } else { kind };
    let bare = run.strip_suffix("'s").or_else(|| run.strip_suffix("’s")).unwrap_or(run);
    let known = kind == TimeTokenKind::Word && bare.len() <= LONGEST_WORD && bare.is_ascii();
    let word = if known { bare.to_ascii_lowercase_smolstr() } else { SmolStr::default() };
    let capital = run.starts_with(|c: char| c.is_ascii_uppercase());
    found.push(TimeToken { kind, word, capital, start, end: start + run.len(), gap: Gap::Open });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(String, Gap)> {
        tokens(text).iter().map(|token| (text[token.start..token.end].to_owned(), token.gap)).collect()
    }

    #[test]
    fn tokens_record_the_following_punctuation() {
        let is = |text: &str, gap: Gap| (text.to_owned(), gap);
        assert_eq!(
            kinds("On 8 May,2023 (Mon) at 5 p.m. sharp. Done"),
            [
                is("On", Gap::Open),
                is("8", Gap::Open),
                is("May", Gap::Comma),
                is("2023", Gap::Comma),
                is("Mon", Gap::Comma),
                is("at", Gap::Open),
                is("5", Gap::Open),
                is("p.m", Gap::Open),
                is("sharp", Gap::Stop),
                is("Done", Gap::Stop),
            ]
        );
    }

    #[test]
    fn joined_dates_are_split_and_identifiers_are_not() {
        let texts = |text: &str| kinds(text).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
        assert_eq!(
            texts("7-May-2023 mid-2023 3-7 March-June"),
            ["7", "May", "2023", "mid", "2023", "3", "-", "7", "March", "-", "June"]
        );
        assert_eq!(texts("2024-Q3 at:2023-05-07 2019–2021"), ["2024", "Q3", "at", "2023-05-07", "2019", "–", "2021"]);
        assert_eq!(
            texts("log-2023-05-07.txt 555-2023 a/b/2023/05/07"),
            ["log-2023-05-07.txt", "555-2023", "a/b/2023/05/07"]
        );
    }
}
