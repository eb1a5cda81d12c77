//! Redaction of secrets in new texts and in stored blocks.

mod replace;
mod request;
mod rows;
mod scan;

use std::borrow::Cow;

use elfmem_text::secrets::{Redactions, SecretsPolicy, redact_with};

use crate::input::checked_text;
use crate::{Error, Result};

pub use request::ScanSecrets;
pub(crate) use rows::{ScreenedRow, screen_block, screen_json, screen_row};
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
        let (text, found) = redact_with(text, self.policy);
        self.found.merge(&found);
        text
    }

    /// Returns all texts of a list with secrets redacted.
    pub(crate) fn pass_all(&mut self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.pass(text).into_owned()).collect()
    }

    /// Returns an optional text with secrets redacted.
    pub(crate) fn pass_optional(&mut self, text: Option<&String>) -> Option<String> {
        text.map(|text| self.pass(text).into_owned())
    }

    /// Redacts the secrets of a text in place.
    pub(crate) fn replace(&mut self, text: &mut String) {
        if let Cow::Owned(redacted) = self.pass(text) {
            *text = redacted;
        }
    }

    /// Redacts the secrets of an optional text in place.
    pub(crate) fn replace_optional(&mut self, text: &mut Option<String>) {
        if let Some(text) = text {
            self.replace(text);
        }
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

/// Refuses a name that contains a secret: the id of an outcome, a context, a pattern. Names are not redacted, because
/// different names would become equal.
///
/// # Errors
/// [`Error::BadText`], unless the policy allows secrets.
pub(crate) fn refuse_secret_name(what: &'static str, name: &str, secrets: SecretsPolicy) -> Result<()> {
    let (_, found) = redact_with(name, secrets);
    if found.is_empty() {
        return Ok(());
    }
    let problem = format!("contains a secret ({found}); names are stored as they are, so use another one");
    Err(Error::BadText { what, problem })
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
