//! Finds high-entropy strings without a known format.
//!
//! Only strings that mix upper case, lower case and digits irregularly count, or mixed letters that
//! are no words, and only where a word near them speaks of secrets or nothing says what they are
//! (see `hints`). Hexadecimal hashes and ids, UUIDs and ULIDs never match. Base64 hashes are recognised by the word before them,
//! images and other data by their length or line wrapping, and parts of URLs belong to the URL.

use super::SecretMatches;
use super::encoded::is_encoded_text;
use super::hints::is_suspected;
use super::names::{is_open_name, name_words};
use super::redactions::SecretKind;
use super::scanning::{is_token, window_end, window_start};
use super::wordlike::{case_changes, is_wordlike};

/// Minimum and maximum length of a key.
pub(super) const LENGTH: (usize, usize) = (32, 100);
/// Minimum entropy in bits per character.
const MIN_BITS: f64 = 3.9;
/// Minimum share of adjacent characters of different classes.
const MIN_CHANGES: f64 = 0.32;
/// Prefixes that mark a string as a hash or as data.
const NO_SECRET_BEFORE: [&str; 17] = [
    "sha1-",
    "sha256-",
    "sha384-",
    "sha512-",
    "md5-",
    "h1:",
    "sha256:",
    "sha512:",
    "sha1:",
    "base64,",
    "integrity=\"",
    "checksum:",
    "digest:",
    "nonce-",
    "etag:",
    "ssh-rsa ",
    "did:key:",
];

fn is_part(byte: u8) -> bool {
    is_token(byte) || matches!(byte, b'+' | b'/' | b'=')
}

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_part(bytes[at]) {
            at += 1;
        }
        // A name may precede without a space: `key=…`.
        let sign = text[start..at].trim_end_matches('=').rfind('=').map_or(start, |sign| start + sign + 1);
        let string = text[sign..at].trim_end_matches('=');
        let fits = (LENGTH.0..=LENGTH.1).contains(&string.len());
        if fits
            && is_alone(text, start, sign, at)
            && looks_random(string)
            && is_suspected(text, sign, at)
            && !is_known_form(string)
            && !is_encoded_text(string)
        {
            // The padding of base64 belongs to the key.
            let end = if (at - sign).is_multiple_of(4) { at } else { sign + string.len() };
            matches.add(SecretKind("high_entropy"), sign..end);
        }
    }
}

/// Returns true if the context does not identify the string as something else.
fn is_alone(text: &str, start: usize, sign: usize, end: usize) -> bool {
    let reach = window_start(text, start);
    let line_start = text[reach..start].rfind('\n').map_or(reach, |line| reach + line + 1);
    let line = &text[line_start..start];
    let before = text[line_start..sign].to_ascii_lowercase();
    // Part of a URL or of an email address.
    let word = line.rsplit(char::is_whitespace).next().unwrap_or_default();
    let addressed =
        word.contains("://") || word.contains("www.") || text[end..].starts_with(['@', '.']) || word.ends_with('.');
    let announced = NO_SECRET_BEFORE
        .iter()
        .any(|mark| before.ends_with(mark) || text[start..end].to_ascii_lowercase().starts_with(mark));
    let named = is_open_name(&announcement(&text[line_start..sign]));
    !addressed && !announced && !named && !is_in_data(text, line_start, end)
}

/// Returns the words of the name before a value, without the sign or verb that announces it: of the last two names, if it is two.
fn announcement(before: &str) -> Vec<String> {
    let words = before.trim_end_matches([' ', ':', '=', '"', '\'']);
    let words = words.strip_suffix(" is").unwrap_or(words);
    // The mark of a weak ETag.
    let words = words.strip_suffix(": W/").unwrap_or(words);
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.');
    let mut names: Vec<&str> = words.rsplit(is_sign).filter(|name| !name.is_empty()).take(2).collect();
    names.reverse();
    names.into_iter().flat_map(name_words).collect()
}

/// Returns true if the previous or next line is also one long string, or the line opens a block of a key or a certificate: wrapped
/// data. The block of a private key is found as a whole (see `pem`).
fn is_in_data(text: &str, line_start: usize, end: usize) -> bool {
    let opening = text[window_start(text, line_start)..line_start].trim_end().rsplit('\n').next().unwrap_or_default();
    if opening.starts_with("-----BEGIN ") && opening.ends_with("-----") {
        return true;
    }
    let is_data = |line: &str| {
        let line = line.trim_matches([' ', '\t', '"', '\'', ',', '\r']);
        line.len() >= 40 && line.bytes().all(is_part)
    };
    // If the line starts before the search window, the previous line is unknown.
    let above = text[..line_start].strip_suffix('\n');
    let before = above.and_then(|above| above[window_start(above, above.len())..].rsplit('\n').next());
    let after = text[end..window_end(text, end)].split('\n').nth(1);
    before.is_some_and(is_data) || after.is_some_and(is_data)
}

/// Prefixes of ids that services document as public, such as `cus_…`. Their secrets have prefixes of their own.
const ID_PREFIXES: [&str; 24] = [
    "prj", "proj", "org", "team", "usr", "user", "cus", "sub", "price", "prod", "acct", "evt", "inv", "req", "msg",
    "run", "thread", "asst", "call", "toolu", "resp", "job", "dpl", "doc",
];

/// Returns true for public keys, cryptocurrency addresses, content ids, ids of objects and names of compiled functions.
fn is_known_form(string: &str) -> bool {
    let is_id = string.split_once('_').is_some_and(|(prefix, _)| ID_PREFIXES.contains(&prefix));
    if is_id || string.starts_with("_ZN") {
        return true;
    }
    let base58 = string.bytes().all(|byte| byte.is_ascii_alphanumeric() && !b"0OIl".contains(&byte));
    let coin = base58 && string.len() <= 35 && string.starts_with(['1', '3']);
    let content = base58 && (string.starts_with("Qm") && string.len() == 46);
    ["AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "iVBOR", "R0lGOD", "/9j/", "MII", "pk_live_", "pk_test_"]
        .iter()
        .any(|known| string.starts_with(known))
        || coin
        || content
}

#[derive(PartialEq, Clone, Copy)]
enum CharClass {
    Small,
    Capital,
    Digit,
    Other,
}

fn class(byte: u8) -> CharClass {
    match byte {
        b'a'..=b'z' => CharClass::Small,
        b'A'..=b'Z' => CharClass::Capital,
        b'0'..=b'9' => CharClass::Digit,
        _ => CharClass::Other,
    }
}

fn looks_random(string: &str) -> bool {
    let classes: Vec<CharClass> = string.bytes().map(class).collect();
    let count = |wanted: CharClass| classes.iter().filter(|class| **class == wanted).count();
    let changes = classes.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64 / classes.len() as f64;
    let digit_runs =
        classes.windows(2).filter(|pair| pair[1] == CharClass::Digit && pair[0] != CharClass::Digit).count();
    // Paths and hyphenated names contain many separators.
    let joined = count(CharClass::Other) * 8 > classes.len();
    let letters_only = digit_runs == 0 && case_changes(string) >= MIN_CHANGES && !is_wordlike(string);
    count(CharClass::Small) >= 4
        && count(CharClass::Capital) >= 4
        && (digit_runs >= 2 || letters_only)
        && !joined
        && changes >= MIN_CHANGES
        && entropy_bits(string) >= MIN_BITS
}

/// Returns the Shannon entropy of a string in bits per character.
fn entropy_bits(string: &str) -> f64 {
    let mut counts = [0u32; 256];
    for byte in string.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = string.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / length)
        .map(|share| -share * share.log2())
        .sum()
}
