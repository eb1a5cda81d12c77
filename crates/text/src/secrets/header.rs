//! What authorises a request: `Authorization: Bearer …`, `Basic …`, and `Bearer …` alone.

use super::Findings;
use super::looks::{begins_word, is_mixed, is_stand_in, is_token, run};
use super::redactions::SecretKind;

/// The schemes, what they are called here, and how long what follows must be.
const SCHEMES: [(&str, SecretKind, usize); 3] = [
    ("bearer", SecretKind("bearer_token"), 20),
    ("basic", SecretKind("basic_auth"), 12),
    ("token", SecretKind("bearer_token"), 20),
];

pub(super) fn find(text: &str, findings: &mut Findings) {
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        if !matches!(bytes[at] | 0x20, b'b' | b't') || !begins_word(bytes, at) {
            continue;
        }
        for (scheme, kind, least) in SCHEMES {
            let named =
                bytes.get(at..at + scheme.len()).is_some_and(|word| word.eq_ignore_ascii_case(scheme.as_bytes()));
            // Only the first says by itself that a token follows: the others are ordinary words.
            let told = scheme == "bearer" || follows_header(&text[..at]);
            if !named || !told || bytes.get(at + scheme.len()) != Some(&b' ') {
                continue;
            }
            let from = at + scheme.len() + 1;
            let length =
                run(bytes, from, 4096, |byte| is_token(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'='));
            let value = text[from..from + length].trim_end_matches('.');
            let drawn = is_mixed(value) || scheme == "basic" && value.bytes().any(|byte| byte.is_ascii_uppercase());
            if value.len() >= least && drawn && !is_stand_in(value) {
                findings.add(kind, from..from + value.len());
            }
        }
    }
}

/// Whether a text ends with the name of the header that authorises.
fn follows_header(before: &str) -> bool {
    let name = before.trim_end_matches([' ', ':', '"', '\'', '=']);
    let start = name.len().saturating_sub("authorization".len());
    name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case("authorization"))
}
