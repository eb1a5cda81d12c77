//! Contexts: named entities, `type:name`, that memories belong to and that can be linked.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// Maximum length of a context id in characters.
pub const LONGEST_CONTEXT: usize = 256;

/// A normalised context id: lower case, `type:name`, of letters, digits, `_`, `-` and `:`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContextId(SmolStr);

/// A text is not a valid context id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// The type or the name is missing.
    #[error("'{0}' is not of the form type:name")]
    Form(String),
    /// The text is too long.
    #[error("a context id may have {LONGEST_CONTEXT} characters, and {0} were given")]
    Length(usize),
}

impl ContextId {
    /// Parses and normalises a context id: lower case, white space and invalid characters become
    /// `_`. The type ends at the first colon.
    ///
    /// # Errors
    /// Returns an error if the type or name is missing, or if the text is too long.
    pub fn parse(text: &str) -> Result<Self, ContextError> {
        let text = text.trim();
        let count = text.chars().count();
        if count > LONGEST_CONTEXT {
            return Err(ContextError::Length(count));
        }
        let normal = |part: &str| part.trim().to_lowercase().chars().map(allowed).collect::<String>();
        let parts = text.split_once(':').map(|(kind, name)| (normal(kind), normal(name)));
        match parts {
            Some((kind, name)) if says_something(&kind) && says_something(&name) => {
                // Lower case can be longer than the input.
                let id: String = format!("{kind}:{name}").chars().take(LONGEST_CONTEXT).collect();
                Ok(Self(SmolStr::new(id)))
            }
            _ => Err(ContextError::Form(text.to_owned())),
        }
    }

    /// Creates an id from its stored form.
    pub fn from_stored(text: &str) -> Self {
        Self(SmolStr::new(text))
    }

    /// Returns the whole id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the type, before the first colon.
    pub fn kind(&self) -> &str {
        self.0.split_once(':').map_or("", |(kind, _)| kind)
    }

    /// Returns the name, after the first colon.
    pub fn name(&self) -> &str {
        self.0.split_once(':').map_or(self.as_str(), |(_, name)| name)
    }
}

impl std::fmt::Display for ContextId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn allowed(c: char) -> char {
    if c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | ':') { c } else { '_' }
}

fn says_something(part: &str) -> bool {
    part.chars().any(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ids_are_normalised_as_in_the_reference() {
        for (given, normal) in [
            ("skill:react", "skill:react"),
            (" Project: My App ", "project:my_app"),
            ("error:E0308 mismatched", "error:e0308_mismatched"),
            ("fn:core::fmt", "fn:core::fmt"),
            ("topic:a.b/c", "topic:a_b_c"),
        ] {
            assert_eq!(ContextId::parse(given).unwrap().as_str(), normal, "{given}");
        }
        let id = ContextId::parse("fn:core::fmt").unwrap();
        assert_eq!((id.kind(), id.name()), ("fn", "core::fmt"));
    }

    #[test]
    fn a_context_needs_a_type_and_a_name() {
        for text in ["", "react", ":react", "skill:", "skill: ", " : ", "skill:_", "::"] {
            assert!(ContextId::parse(text).is_err(), "{text}");
        }
        assert!(matches!(ContextId::parse(&format!("a:{}", "b".repeat(300))), Err(ContextError::Length(302))));
    }

    proptest! {
        #[test]
        fn normalisation_is_idempotent(text in "\\PC{0,20}:\\PC{0,20}") {
            if let Ok(id) = ContextId::parse(&text) {
                prop_assert_eq!(ContextId::parse(id.as_str()), Ok(id.clone()));
                prop_assert!(id.as_str().chars().all(|c| allowed(c) == c));
            }
        }
    }
}
