//! Validation of short texts in requests.

use crate::{Error, Result};

/// Maximum length of a note in bytes.
pub(crate) const LONGEST_NOTE: usize = 4_096;

/// Trims and validates a text. Returns `None` if it is blank.
///
/// # Errors
/// A text that is longer than `limit` bytes or contains a NUL byte.
pub(crate) fn checked_text(what: &'static str, text: Option<&str>, limit: usize) -> Result<Option<String>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let problem = if text.len() > limit {
        format!("is longer than {limit} bytes")
    } else if text.contains('\0') {
        "contains a NUL byte, so it is not text".to_owned()
    } else {
        return Ok(Some(text.to_owned()));
    };
    Err(Error::BadText { what, problem })
}
