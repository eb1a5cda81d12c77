//! What texts look like: drawn by lot, or written by someone to stand for something else.

/// Letters, digits and `_`: what a name goes on with.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What tokens are written with.
pub(super) fn is_token(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// Whether a name could begin here: nothing before it that it would be the end of.
pub(super) fn begins_word(bytes: &[u8], at: usize) -> bool {
    at == 0 || !is_word(bytes[at - 1])
}

/// Where a name could begin that is at least so long, and whatever follows it without a space. Most words are shorter than any
/// key, and are passed over.
pub(super) fn beginnings(bytes: &[u8], least: usize) -> impl Iterator<Item = usize> + '_ {
    let mut end = 0;
    (0..bytes.len()).filter(move |&at| {
        if at >= end {
            end = at + bytes[at..].iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len() - at);
        }
        end - at >= least && bytes[at].is_ascii_alphanumeric() && begins_word(bytes, at)
    })
}

/// How many bytes from `at` on are of a kind, at most `most`.
pub(super) fn run(bytes: &[u8], at: usize, most: usize, is_one: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().take(most).take_while(|byte| is_one(**byte)).count()
}

/// How far around a place is looked at: enough for any line that says something, and the time stays linear.
const REACH: usize = 256;

/// The beginning of what is looked at before a place.
pub(super) fn behind(text: &str, at: usize) -> usize {
    text.ceil_char_boundary(at.saturating_sub(REACH)).min(at)
}

/// The end of what is looked at after a place.
pub(super) fn ahead(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at + REACH).max(at)
}

/// How many different bytes there are.
pub(super) fn distinct(text: &str) -> usize {
    let mut seen = [false; 256];
    text.bytes().filter(|byte| !std::mem::replace(&mut seen[usize::from(*byte)], true)).count()
}

/// Parts of texts that stand for a secret and are none.
const STAND_INS: [&str; 13] = [
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "your",
    "xxxx",
    "****",
    "....",
    "redacted",
    "dummy",
    "insert",
    "todo",
];

/// Words that are written where a secret belongs.
const NO_SECRETS: [&str; 34] = [
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

/// Whether somebody wrote it to stand for a secret: `<token>`, `${KEY}`, `your-key-here`, `xxxxxxxx`, `password`.
pub(super) fn is_stand_in(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.starts_with(['$', '<', '{', '[', '%', '(', '*', '&', '@', '…'])
        || NO_SECRETS.contains(&lower.as_str())
        || STAND_INS.iter().any(|part| lower.contains(part))
        || distinct(&lower) < 4
}

/// Whether there are letters as well as digits.
pub(super) fn is_mixed(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}
