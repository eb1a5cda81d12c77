//! Secrets on their way in, and in what is stored already.

mod scan;

use std::borrow::Cow;

use elfmem_core::secrets::{Redactions, SecretsPolicy, redact};

use crate::{Error, Result};

pub use scan::{SecretBlock, SecretsScan};

/// What texts go through before they are stored; it counts what was in them.
pub(crate) struct Screen {
    policy: SecretsPolicy,
    found: Redactions,
}

impl Screen {
    pub(crate) fn new(policy: SecretsPolicy) -> Self {
        Self { policy, found: Redactions::default() }
    }

    /// The text as it may be stored.
    pub(crate) fn pass<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        if self.policy == SecretsPolicy::Allow {
            return Cow::Borrowed(text);
        }
        let (text, found) = redact(text);
        self.found.absorb(&found);
        text
    }

    /// What was redacted.
    ///
    /// # Errors
    /// [`Error::SecretInText`] when something was found and is to be refused.
    pub(crate) fn finish(self) -> Result<Redactions> {
        match self.policy {
            SecretsPolicy::Refuse if !self.found.is_empty() => Err(Error::SecretInText { found: self.found }),
            _ => Ok(self.found),
        }
    }
}
