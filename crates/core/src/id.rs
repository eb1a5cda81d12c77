//! Block ids: the first sixteen hex digits of the SHA-256 of the normalised content.

use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

/// The id of a block, derived from its content. Ids in older databases are kept unchanged.
///
/// Short ids are stored inline, so cloning does not allocate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BlockId(SmolStr);

/// Minimum length of an id prefix in user input.
pub const SHORTEST_PREFIX: usize = 4;

/// The text is not a valid id or id prefix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a block id")]
pub struct ParseIdError {
    /// The input, shortened.
    pub text: String,
}

impl BlockId {
    /// Returns the id of a text. Texts that differ only in case or outer white space have equal
    /// ids.
    pub fn for_content(content: &str) -> Self {
        Self::of_digest(&Sha256::digest(normalised(content).as_bytes()))
    }

    /// Returns the id of a text in a scope, for a text whose own id a block of another scope has.
    pub fn for_content_in(scope: &Scope, content: &str) -> Self {
        Self::of_digest(&Sha256::digest(format!("{}\u{1f}{}", scope.as_str(), normalised(content)).as_bytes()))
    }

    fn of_digest(digest: &[u8]) -> Self {
        let mut hex = String::with_capacity(16);
        for byte in &digest[..8] {
            hex.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
            hex.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
        }
        Self(hex.into())
    }

    /// Returns true if some text may have this id: sixteen lowercase hexadecimal digits. Older databases have others.
    pub fn is_derived(&self) -> bool {
        self.0.len() == 16 && self.0.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    }

    /// Creates an id from its stored form, without validation.
    pub fn from_stored(text: &str) -> Self {
        Self(SmolStr::new(text))
    }

    /// Validates input: one word of at most 64 printable ASCII characters.
    ///
    /// Hexadecimal input is converted to lower case, so a pasted `B94D…` works.
    pub fn parse(text: &str) -> Result<Self, ParseIdError> {
        let trimmed = text.trim().trim_end_matches('…');
        let printable = trimmed.bytes().all(|byte| byte.is_ascii_graphic());
        if trimmed.is_empty() || trimmed.len() > 64 || !printable {
            return Err(ParseIdError { text: text.chars().take(40).collect() });
        }
        if trimmed.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Self(trimmed.to_ascii_lowercase().into()));
        }
        Ok(Self(trimmed.into()))
    }

    /// Returns the whole id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first eight characters, as shown in summaries and accepted as a prefix.
    pub fn short(&self) -> &str {
        self.0.char_indices().nth(8).map_or(&self.0, |(end, _)| &self.0[..end])
    }
}

impl From<BlockId> for String {
    fn from(id: BlockId) -> Self {
        id.as_str().to_owned()
    }
}

impl From<&BlockId> for String {
    fn from(id: &BlockId) -> Self {
        id.as_str().to_owned()
    }
}

impl std::fmt::Display for BlockId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Normalises a text for hashing: trims and lowercases like Python's `str.strip` and `str.lower`,
/// so that databases of the Python elfmem keep their ids.
///
/// Python treats the four ASCII separators U+001C to U+001F as white space, Rust does not.
/// Lowercasing uses the full Unicode mapping (including final sigma), not case folding.
pub fn normalised(content: &str) -> String {
    content.trim_matches(is_python_space).to_lowercase()
}

/// Returns true if Python's `str.strip` removes the character.
pub fn is_python_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_returns_at_most_eight_characters() {
        assert_eq!(BlockId::for_content("hello world").short(), "b94d27b9");
        assert_eq!(BlockId::from_stored("b1").short(), "b1");
    }

    #[test]
    fn a_text_has_another_id_in_each_scope() {
        let [a, b] = ["a", "b"].map(|scope| BlockId::for_content_in(&Scope::parse(scope).unwrap(), " Hello "));
        assert!(a != b && a != BlockId::for_content("hello") && a.is_derived());
        assert_eq!(a, BlockId::for_content_in(&Scope::parse("a").unwrap(), "hello"));
    }

    #[test]
    fn pasted_ids_are_normalised_and_invalid_ids_rejected() {
        assert_eq!(BlockId::parse(" B94D27B9… ").unwrap().as_str(), "b94d27b9");
        for bad in ["", "   ", "two words", "ünïcode", &"x".repeat(65), "nul\0"] {
            assert!(BlockId::parse(bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn outer_white_space_and_case_do_not_change_the_id(text in "[a-zA-Z0-9 .,]{1,40}", pad in "[ \t\n\u{1c}-\u{1f}]{0,5}") {
            let padded = format!("{pad}{}{pad}", text.to_uppercase());
            prop_assert_eq!(BlockId::for_content(&padded), BlockId::for_content(&text));
        }

        #[test]
        fn ids_are_sixteen_lowercase_hex_digits(text in any::<String>()) {
            let id = BlockId::for_content(&text);
            prop_assert!(id.is_derived());
        }
    }
}
