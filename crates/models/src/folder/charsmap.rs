//! The table with which SentencePiece normalises text.
//!
//! It is a double-array trie (as darts-clone writes it) from byte sequences to replacements, and the replacements, each
//! ended by a zero byte. In a tokenizer file it is written in base64.

/// A parsed table.
#[derive(Debug)]
pub(super) struct CharsMap {
    units: Vec<u32>,
    replacements: Vec<u8>,
}

impl CharsMap {
    /// Parses a table in base64; none if it is damaged.
    pub(super) fn parse(base64: &str) -> Option<Self> {
        let bytes = decode_base64(base64)?;
        let (length, rest) = bytes.split_first_chunk()?;
        let (units, replacements) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let (units, odd) = units.as_chunks();
        let units: Vec<u32> = units.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        (odd.is_empty() && !units.is_empty()).then(|| Self { units, replacements: replacements.to_vec() })
    }

    /// Replaces what the table contains, the longest match first.
    pub(super) fn normalise(&self, text: &str) -> String {
        let (mut out, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(first) = rest.chars().next() {
            // A match that ends inside a character, or a replacement that is not text, comes from a damaged table.
            let found = self.longest_match(rest.as_bytes()).filter(|(length, _)| rest.is_char_boundary(*length));
            match found {
                Some((length, replacement)) => {
                    out.push_str(replacement);
                    rest = &rest[length..];
                }
                None => {
                    out.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        out
    }

    /// Returns the length of the longest match at the start, and its replacement.
    fn longest_match(&self, bytes: &[u8]) -> Option<(usize, &str)> {
        let offset = |unit: u32| ((unit >> 10) << ((unit & (1 << 9)) >> 6)) as usize;
        let (mut at, mut found) = (offset(*self.units.first()?), None);
        for (number, byte) in bytes.iter().enumerate() {
            at ^= usize::from(*byte);
            let Some(unit) = self.units.get(at) else { break };
            if unit & 0x8000_00ff != u32::from(*byte) {
                break;
            }
            at ^= offset(*unit);
            let is_leaf = unit >> 8 & 1 == 1;
            if is_leaf && let Some(value) = self.units.get(at) {
                found = self.replacement((value & 0x7fff_ffff) as usize).map(|text| (number + 1, text));
            }
        }
        found
    }

    fn replacement(&self, at: usize) -> Option<&str> {
        let rest = self.replacements.get(at..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(&rest[..end]).ok()
    }
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').bytes().map(|byte| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    });
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0);
    for digit in digits {
        bits = bits << 6 | digit?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn base64_is_decoded() {
        assert_eq!(decode_base64("aGVsbG8/").unwrap(), b"hello?");
        assert_eq!(decode_base64("aGVsbA==").unwrap(), b"hell");
        assert_eq!(decode_base64("a*"), None);
    }

    #[test]
    fn a_table_replaces_what_it_contains() {
        // One entry: `a` becomes `xy`. The root is unit 0; its children are at 0x100 ^ byte.
        let mut units = vec![0u32; 0x200];
        units[0] = 0x100 << 10;
        let child = 0x100 ^ usize::from(b'a');
        units[child] = u32::from(b'a') | 1 << 8 | ((child ^ 0x180) as u32) << 10;
        units[0x180] = 0x8000_0000;
        let map = CharsMap { units, replacements: b"xy\0".to_vec() };
        assert_eq!(map.normalise("banane äa"), "bxynxyne äxy");
    }

    proptest! {
        #[test]
        fn a_damaged_table_never_panics(units in prop::collection::vec(any::<u32>(), 1..64), text in any::<String>()) {
            let map = CharsMap { units, replacements: b"ab\0cd\0".to_vec() };
            map.normalise(&text);
        }
    }
}
