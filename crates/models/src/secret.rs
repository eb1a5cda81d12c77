//! API keys that cannot be printed by accident.

use std::fmt;

/// BlockReplacement for a key.
const MASK: &str = "***";

/// An API key. It can be sent to its server, but not printed, serialised or compared by accident.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Creates a key and trims surrounding white space.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// Returns the key, for use in the authentication header only.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Returns true if the key is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Replaces the key, and everything that looks like one, in `text`.
    ///
    /// Servers quote keys back, sometimes only the end. So words that start like keys are replaced
    /// too.
    pub fn redact(key: Option<&Self>, text: &str) -> String {
        let text = match key {
            Some(Self(key)) if !key.is_empty() => text.replace(key.as_str(), MASK),
            _ => text.to_owned(),
        };
        let mut redacted = String::with_capacity(text.len());
        let mut word_start = 0;
        for (at, c) in text.char_indices() {
            if !is_key_character(c) {
                redacted.push_str(masked(&text[word_start..at]));
                redacted.push(c);
                word_start = at + c.len_utf8();
            }
        }
        redacted.push_str(masked(&text[word_start..]));
        redacted
    }
}

fn is_key_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '*')
}

fn masked(word: &str) -> &str {
    let looks_like_a_key = ["sk-", "sk_", "key-", "gsk_", "xai-", "AIza", "hf_"]
        .iter()
        .any(|prefix| word.len() >= prefix.len() + 8 && word.starts_with(prefix));
    if looks_like_a_key { MASK } else { word }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_print_masked() {
        let key = Secret::new(" hunter2\n");
        assert_eq!(format!("{key} {key:?} {:?}", Some(&key)), "*** *** Some(***)");
        assert_eq!(key.expose(), "hunter2");
    }

    #[test]
    fn quoted_keys_are_masked_even_if_truncated() {
        let key = Secret::new("hunter2");
        let said = "bad key hunter2, got 'sk-proj-abcd1234' and sk-****wxyz (sk-1 is fine)";
        assert_eq!(Secret::redact(Some(&key), said), "bad key ***, got '***' and *** (sk-1 is fine)");
        assert_eq!(Secret::redact(None, "nothing to hide"), "nothing to hide");
        assert_eq!(Secret::redact(Some(&Secret::new("")), "ab"), "ab");
    }

    proptest! {
        #[test]
        fn redacted_text_never_contains_the_key(key in "[a-zA-Z0-9+/=-]{8,40}", before in ".{0,20}", after in ".{0,20}") {
            let redacted = Secret::redact(Some(&Secret::new(&key)), &format!("{before}{key}{after}"));
            prop_assert!(!redacted.contains(&key));
        }
    }
}
