//! Base64 that holds a text: a message, a header, a sentence. It looks random and tells no secret.

use super::find_secrets;

/// Returns true if a string is base64 of words or of JSON, and no secret stands in those.
pub(super) fn is_encoded_text(string: &str) -> bool {
    let Some(text) = decoded(string).and_then(|bytes| String::from_utf8(bytes).ok()) else { return false };
    let is_readable = text.chars().all(|c| !c.is_control() || c.is_whitespace());
    let is_text = text.contains(' ') || text.starts_with("{\"");
    is_readable && is_text && find_secrets(&text).is_empty()
}

/// Decodes base64 in either alphabet, without padding. Bits that are left over are dropped.
fn decoded(string: &str) -> Option<Vec<u8>> {
    let (mut bits, mut held) = (0_u32, 0_u32);
    let mut bytes = Vec::with_capacity(string.len() * 3 / 4);
    for byte in string.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        (bits, held) = (bits << 6 | u32::from(value), held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_from_keys() {
        assert!(is_encoded_text("VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZw"));
        assert!(is_encoded_text("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"));
        // A name and a key, random bytes, and a sentence that tells a password.
        assert!(!is_encoded_text("RWJmQzB1U2ZWMUhrTFdzWEJCbzA6OFdxRm9lR1NoaVY5VjVzcGtlcVlHOQ"));
        assert!(!is_encoded_text("6HNOShcSPWQhaEjr3i9UWtYo0io8B4wCnTKdglba3wo"));
        assert!(!is_encoded_text("VGhlIHBhc3N3b3JkIGlzIGJsdWV3aGFsZTQy"));
    }
}
