//! Character classes, search windows and placeholders shared by the detectors.

/// Returns true for letters, digits and `_`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns true for the characters of a token.
pub(super) fn is_token(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// Returns true if a word can start at `at`.
pub(super) fn starts_word(bytes: &[u8], at: usize) -> bool {
    at == 0 || !is_word(bytes[at - 1])
}

/// Returns the positions where a word of at least `least` bytes can start. Most words are too short
/// for any key and are skipped.
pub(super) fn word_starts(bytes: &[u8], least: usize) -> impl Iterator<Item = usize> + '_ {
    let mut end = 0;
    (0..bytes.len()).filter(move |&at| {
        if at >= end {
            end = at + bytes[at..].iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len() - at);
        }
        end - at >= least && bytes[at].is_ascii_alphanumeric() && starts_word(bytes, at)
    })
}

/// Returns the number of bytes from `at` that satisfy a predicate, at most `most`.
pub(super) fn run(bytes: &[u8], at: usize, most: usize, is_one: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().take(most).take_while(|byte| is_one(**byte)).count()
}

/// Size of the search window in bytes. Bounded, so that the scan is linear.
const REACH: usize = 256;

/// Returns the start of the search window before a position.
pub(super) fn window_start(text: &str, at: usize) -> usize {
    text.ceil_char_boundary(at.saturating_sub(REACH)).min(at)
}

/// Returns the end of the search window after a position.
pub(super) fn window_end(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at + REACH).max(at)
}

/// Returns the number of distinct bytes.
pub(super) fn distinct(text: &str) -> usize {
    let mut seen = [false; 256];
    text.bytes().filter(|byte| !std::mem::replace(&mut seen[usize::from(*byte)], true)).count()
}

/// Substrings of placeholders.
pub(super) const PLACEHOLDER_PARTS: [&str; 17] = [
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "replace-me",
    "replace_me",
    "replaceme",
    "your",
    "xxxx",
    "****",
    "....",
    "redacted",
    "dummy",
    "insert",
    "todo",
    "abc-def",
];

/// Placeholder words.
pub(super) const PLACEHOLDER_WORDS: [&str; 34] = [
    "none",
    "null",
    "nil",
    "true",
    "false",
    "yes",
    "no",
    "required",
    "optional",
    "string",
    "str",
    "text",
    "unset",
    "empty",
    "tbd",
    "hidden",
    "env",
    "secret",
    "password",
    "passwd",
    "pass",
    "pwd",
    "token",
    "key",
    "apikey",
    "api_key",
    "undefined",
    "varchar",
    "bytes",
    "value",
    "default",
    "test",
    "foo",
    "bar",
];

/// Returns true for a placeholder: `<token>`, `${KEY}`, `your-key-here`, `xxxxxxxx`, `password`.
pub(super) fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.starts_with(['$', '<', '{', '[', '%', '(', '*', '&', '@', '…'])
        || PLACEHOLDER_WORDS.contains(&lower.as_str())
        || PLACEHOLDER_PARTS.iter().any(|part| lower.contains(part))
        || distinct(&lower) < 4
        || is_sequence(&lower)
}

/// Returns true for characters in a row, such as `0123456789abcdef`.
fn is_sequence(lower: &str) -> bool {
    let steps = lower.as_bytes().windows(2).filter(|pair| pair[0].checked_add(1) == Some(pair[1])).count();
    lower.len() >= 8 && steps * 5 >= lower.len() * 4
}

/// Returns true if the text contains both letters and digits.
pub(super) fn is_mixed(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}
