//! What looks drawn by lot and has no other form.
//!
//! Only strings with capitals, small letters and digits in wild alternation count. Hashes and ids in hexadecimal, UUIDs and
//! ULIDs are never of that kind; hashes in base 64 say so in front of them; pictures and other data are longer than any
//! key or stand on several lines; and what is a part of an address belongs to the address.

use super::Findings;
use super::looks::{ahead, behind, is_token};
use super::redactions::SecretKind;

/// Keys are this long: at least, at most.
const LENGTH: (usize, usize) = (32, 100);
/// Bits of each character, by how often characters occur.
const LEAST_BITS: f64 = 3.9;
/// How often the kind of character changes from one to the next, at least.
const LEAST_CHANGES: f64 = 0.32;
/// What says in front of a string that it is a hash or data.
const NO_SECRET_BEFORE: [&str; 16] = [
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
];

fn is_part(byte: u8) -> bool {
    is_token(byte) || matches!(byte, b'+' | b'/' | b'=')
}

pub(super) fn find(text: &str, findings: &mut Findings) {
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
        // A name and a sign may stand in front without a space: `key=…`.
        let sign = text[start..at].trim_end_matches('=').rfind('=').map_or(start, |sign| start + sign + 1);
        let string = text[sign..at].trim_end_matches('=');
        let fits = (LENGTH.0..=LENGTH.1).contains(&string.len());
        if fits && is_alone(text, start, sign, at) && looks_drawn(string) && !is_known_form(string) {
            findings.add(SecretKind("high_entropy"), sign..sign + string.len());
        }
    }
}

/// Whether nothing around a string says that it is something else.
fn is_alone(text: &str, start: usize, sign: usize, end: usize) -> bool {
    let reach = behind(text, start);
    let line_start = text[reach..start].rfind('\n').map_or(reach, |line| reach + line + 1);
    let line = &text[line_start..start];
    let before = text[line_start..sign].to_ascii_lowercase();
    // Inside an address, and in front of the host of a mail.
    let word = line.rsplit(char::is_whitespace).next().unwrap_or_default();
    let addressed =
        word.contains("://") || word.contains("www.") || text[end..].starts_with(['@', '.']) || word.ends_with('.');
    let told = NO_SECRET_BEFORE
        .iter()
        .any(|mark| before.ends_with(mark) || text[start..end].to_ascii_lowercase().starts_with(mark));
    let named = [
        "hash",
        "digest",
        "checksum",
        "integrity",
        "sha256",
        "sha512",
        "etag",
        "fingerprint",
        "commit",
        "cid",
        "address",
    ]
    .iter()
    .any(|name| before.trim_end_matches([' ', ':', '=', '"', '\'']).ends_with(name));
    !addressed && !told && !named && !is_in_data(text, line_start, end)
}

/// Whether the line before or after it is one long string as well: data that was wrapped.
fn is_in_data(text: &str, line_start: usize, end: usize) -> bool {
    let is_data = |line: &str| {
        let line = line.trim_matches([' ', '\t', '"', '\'', ',', '\r']);
        line.len() >= 40 && line.bytes().all(is_part)
    };
    // Where the line begins beyond what is looked at, nothing is known of the one above it.
    let above = text[..line_start].strip_suffix('\n');
    let before = above.and_then(|above| above[behind(above, above.len())..].rsplit('\n').next());
    let after = text[end..ahead(text, end)].split('\n').nth(1);
    before.is_some_and(is_data) || after.is_some_and(is_data)
}

/// Public keys, addresses of coins and content have a form of their own.
fn is_known_form(string: &str) -> bool {
    let base58 = string.bytes().all(|byte| byte.is_ascii_alphanumeric() && !b"0OIl".contains(&byte));
    let coin = base58 && string.len() <= 35 && string.starts_with(['1', '3']);
    let content = base58 && (string.starts_with("Qm") && string.len() == 46);
    ["AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "iVBOR", "R0lGOD", "/9j/", "MII"]
        .iter()
        .any(|known| string.starts_with(known))
        || coin
        || content
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Small,
    Capital,
    Digit,
    Other,
}

fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Small,
        b'A'..=b'Z' => Class::Capital,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Other,
    }
}

fn looks_drawn(string: &str) -> bool {
    let classes: Vec<Class> = string.bytes().map(class).collect();
    let count = |wanted: Class| classes.iter().filter(|class| **class == wanted).count();
    let changes = classes.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64 / classes.len() as f64;
    let digit_runs = classes.windows(2).filter(|pair| pair[1] == Class::Digit && pair[0] != Class::Digit).count();
    // Paths and names joined by dashes have many of the other signs, and words between them.
    let joined = count(Class::Other) * 8 > classes.len();
    count(Class::Small) >= 4
        && count(Class::Capital) >= 4
        && digit_runs >= 2
        && !joined
        && changes >= LEAST_CHANGES
        && bits(string) >= LEAST_BITS
}

/// Shannon's entropy of a string, in bits a character.
fn bits(string: &str) -> f64 {
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
