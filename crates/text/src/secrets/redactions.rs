//! Counts of redacted secrets by kind, without the secrets.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of a secret, such as `openai_key` or `private_key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SecretKind(pub(super) &'static str);

impl SecretKind {
    /// Returns the name of the kind.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for SecretKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Number of redacted secrets by kind. Never contains the secrets.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Redactions(BTreeMap<String, u32>);

impl Redactions {
    /// Counts one secret.
    pub fn count(&mut self, kind: SecretKind) {
        *self.0.entry(kind.as_str().to_owned()).or_default() += 1;
    }

    /// Adds the counts of another instance.
    pub fn merge(&mut self, other: &Self) {
        for (kind, count) in &other.0 {
            *self.0.entry(kind.clone()).or_default() += count;
        }
    }

    /// Returns true if nothing was redacted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the total number of secrets.
    pub fn total(&self) -> u32 {
        self.0.values().sum()
    }

    /// Appends a sentence about the redacted secrets, or nothing if there are none.
    pub fn write_suffix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() { Ok(()) } else { write!(f, " Redacted: {self}.") }
    }

    /// Iterates over the kinds with their counts.
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

/// How texts with secrets are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SecretsPolicy {
    /// Store the text without the secrets.
    #[default]
    Redact,
    /// Store the text without keys, tokens and assigned passwords; keep passwords told in sentences.
    RedactTokens,
    /// Reject the text.
    Refuse,
    /// Store the text unchanged.
    Allow,
}

impl SecretsPolicy {
    /// All policies.
    pub const ALL: [Self; 4] = [Self::Redact, Self::RedactTokens, Self::Refuse, Self::Allow];

    /// Names of the policies, in the order of the variants.
    pub const WORDS: [&'static str; 4] = ["redact", "redact-tokens", "refuse", "allow"];
}
