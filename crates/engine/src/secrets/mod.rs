//! Redaction of secrets in new texts and in stored blocks.

mod request;
mod scan;

use std::borrow::Cow;

use elfmem_text::secrets::{Redactions, SecretsPolicy, redact};

use crate::input::checked_text;
use crate::{Error, Result};

pub use request::ScanSecrets;
pub use scan::{SecretBlock, SecretsScan};

/// Screens texts for secrets before they are stored, and counts what it found.
pub(crate) struct Screen {
    policy: SecretsPolicy,
    found: Redactions,
}

impl Screen {
    pub(crate) fn new(policy: SecretsPolicy) -> Self {
        Self { policy, found: Redactions::default() }
    }

    /// Returns the text with secrets redacted, unless the policy allows them.
    pub(crate) fn pass<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        if self.policy == SecretsPolicy::Allow {
            return Cow::Borrowed(text);
        }
        let (text, found) = redact(text);
        self.found.merge(&found);
        text
    }

    /// Returns what was redacted.
    ///
    /// # Errors
    /// [`Error::SecretInText`] if a secret was found and the policy refuses secrets.
    pub(crate) fn finish(self) -> Result<Redactions> {
        match self.policy {
            SecretsPolicy::Refuse if !self.found.is_empty() => Err(Error::SecretInText { found: self.found }),
            _ => Ok(self.found),
        }
    }
}

/// Validates a note or reason and screens it for secrets. Returns `None` for an empty text.
///
/// # Errors
/// The errors of [`checked_text`], and [`Error::SecretInText`].
pub(crate) fn checked_remark(
    what: &'static str,
    text: Option<&str>,
    limit: usize,
    secrets: SecretsPolicy,
) -> Result<Option<String>> {
    let Some(text) = checked_text(what, text, limit)? else { return Ok(None) };
    let mut screen = Screen::new(secrets);
    let passed = screen.pass(&text).into_owned();
    screen.finish()?;
    Ok(Some(passed))
}
