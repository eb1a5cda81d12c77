//! Secrets on their way in, and in what is stored already.

mod request;
mod scan;

use std::borrow::Cow;

use elfmem_text::secrets::{Redactions, SecretsPolicy, redact};

use crate::input::checked_text;
use crate::{Error, Result};

pub use request::ScanSecrets;
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
        self.found.merge(&found);
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

/// A note or the like that comes with a request, as it may be stored; none when there is nothing in it.
///
/// # Errors
/// What [`checked_text`] refuses, and a secret where secrets are refused.
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
