//! Finds vendor keys by their prefix.

use super::SecretMatches;
use super::formats::{FORMS, KeyFormat};
use super::scanning::{distinct, is_mixed, is_placeholder, is_word, run, word_starts};
use super::wordlike::case_changes;

/// Minimum number of distinct characters in a random key.
const MIN_DISTINCT: usize = 8;
/// Minimum share of case changes in a key of letters only.
const MIN_CASE_CHANGES: f64 = 0.3;

/// Length of the shortest key, including its prefix.
pub(super) const SHORTEST: usize = {
    let (mut shortest, mut at) = (usize::MAX, 0);
    while at < FORMS.len() {
        let length = FORMS[at].prefix.len() + FORMS[at].length.0;
        if length < shortest {
            shortest = length;
        }
        at += 1;
    }
    shortest
};

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    let bytes = text.as_bytes();
    for at in word_starts(bytes, SHORTEST) {
        let Some((form, end)) = FORMS.iter().find_map(|form| Some((form, end_of(text, at, form)?))) else { continue };
        // Encoded data may begin like a key.
        if !text[..at].ends_with("base64,") {
            matches.add(form.kind, at..end);
        }
    }
}

/// Returns the end of a key of the format that starts at `at`.
fn end_of(text: &str, at: usize, form: &KeyFormat) -> Option<usize> {
    let bytes = text.as_bytes();
    if !bytes[at..].starts_with(form.prefix.as_bytes()) {
        return None;
    }
    let from = at + form.prefix.len();
    let (least, most) = form.length;
    let length = run(bytes, from, most + 1, form.body);
    if length < least || length > most {
        return None;
    }
    // If the word continues, the string has another format.
    if bytes.get(from + length).is_some_and(|next| is_word(*next)) {
        return None;
    }
    let mut end = from + length;
    while end > from + least && matches!(bytes[end - 1], b'.' | b'-') {
        end -= 1;
    }
    let body = &text[from..end];
    let random = is_mixed(body) || case_changes(body) >= MIN_CASE_CHANGES;
    (random && distinct(body) >= MIN_DISTINCT && !is_placeholder(body)).then_some(end)
}
