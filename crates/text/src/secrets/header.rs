//! Finds credentials in HTTP headers: `Authorization: Bearer …`, `Basic …`, `Bearer …` alone, and
//! session cookies.

use super::SecretMatches;
use super::redactions::SecretKind;
use super::scanning::{is_mixed, is_placeholder, is_token, run, starts_word};
use super::value::is_strongly_random;

/// Authentication schemes with their kind of secret and minimum length.
const SCHEMES: [(&str, SecretKind, usize); 6] = [
    ("bearer", SecretKind("bearer_token"), 20),
    ("basic", SecretKind("basic_auth"), 12),
    ("token", SecretKind("bearer_token"), 20),
    ("geniekey", SecretKind("bearer_token"), 20),
    ("splunk", SecretKind("bearer_token"), 20),
    ("apikey", SecretKind("bearer_token"), 20),
];

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    find_cookies(text, matches);
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        if !matches!(bytes[at] | 0x20, b'a' | b'b' | b't' | b'g' | b's') || !starts_word(bytes, at) {
            continue;
        }
        for (scheme, kind, least) in SCHEMES {
            let named =
                bytes.get(at..at + scheme.len()).is_some_and(|word| word.eq_ignore_ascii_case(scheme.as_bytes()));
            // Only `bearer` implies a token by itself; the other schemes are ordinary words.
            let announced = scheme == "bearer" || follows_header(&text[..at]);
            if !named || !announced || bytes.get(at + scheme.len()) != Some(&b' ') {
                continue;
            }
            let from = at + scheme.len() + 1;
            let length =
                run(bytes, from, 4096, |byte| is_token(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'='));
            let value = text[from..from + length].trim_end_matches('.');
            let random = is_mixed(value) || scheme == "basic" && value.bytes().any(|byte| byte.is_ascii_uppercase());
            if value.len() >= least && random && !is_placeholder(value) {
                matches.add(kind, from..from + value.len());
            }
        }
    }
}

/// Finds long random values of cookies. Cookies with other values are settings.
fn find_cookies(text: &str, matches: &mut SecretMatches) {
    let mut from = 0;
    for line in text.split('\n') {
        let lower = line.to_ascii_lowercase();
        let argument = || lower.find(" -b ").filter(|flag| lower[..*flag].contains("curl"));
        if let Some(header) = lower.find("cookie:").or_else(|| lower.find("--cookie ")).or_else(argument) {
            for (sign, _) in line[header..].match_indices('=') {
                let start = header + sign + 1;
                let value = line[start..].split([';', ' ', '"', '\'']).next().unwrap_or_default();
                if is_strongly_random(value) && !is_placeholder(value) {
                    matches.add(SecretKind("session_cookie"), from + start..from + start + value.len());
                }
            }
        }
        from += line.len() + 1;
    }
}

/// Returns true if the text ends with the name of the `Authorization` header.
fn follows_header(before: &str) -> bool {
    let name = before.trim_end_matches([' ', ':', '"', '\'', '=']);
    let start = name.len().saturating_sub("authorization".len());
    name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case("authorization"))
}
