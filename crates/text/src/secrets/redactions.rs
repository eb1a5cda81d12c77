//! What was found, told without telling it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What a secret is, such as `openai_key` or `private_key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SecretKind(pub(super) &'static str);

impl SecretKind {
    /// The name that is shown.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for SecretKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How many secrets of which kind were replaced; never what they were.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Redactions(BTreeMap<String, u32>);

impl Redactions {
    /// Counts one more.
    pub fn count(&mut self, kind: SecretKind) {
        *self.0.entry(kind.as_str().to_owned()).or_default() += 1;
    }

    /// Adds what was found elsewhere.
    pub fn absorb(&mut self, other: &Self) {
        for (kind, count) in &other.0 {
            *self.0.entry(kind.clone()).or_default() += count;
        }
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there were of all kinds.
    pub fn total(&self) -> u32 {
        self.0.values().sum()
    }

    /// Says after a sentence what was redacted; nothing where nothing was.
    pub fn write_after(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() { Ok(()) } else { write!(f, " Redacted: {self}.") }
    }

    /// The kinds and how many of each.
    pub fn by_kind(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().map(|(kind, count)| (kind.as_str(), *count))
    }
}

impl fmt::Display for Redactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (kind, count)) in self.by_kind().enumerate() {
            write!(f, "{}{count} {kind}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// What becomes of a text with secrets in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecretsPolicy {
    /// It is stored without them.
    #[default]
    Redact,
    /// It is not stored.
    Refuse,
    /// It is stored as it is.
    Allow,
}

impl SecretsPolicy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Redact, Self::Refuse, Self::Allow];

    /// The words for it, in the order of the variants.
    pub const WORDS: [&'static str; 3] = ["redact", "refuse", "allow"];
}
