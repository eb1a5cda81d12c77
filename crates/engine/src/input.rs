//! Checks on short texts that come with a request.

use crate::{Error, Result};

/// The longest note, in bytes.
pub(crate) const LONGEST_NOTE: usize = 4_096;

/// A text without the white space around it; none when nothing is left.
///
/// # Errors
/// A text that is longer than `limit` bytes or holds a NUL.
pub(crate) fn checked_text(what: &'static str, text: Option<&str>, limit: usize) -> Result<Option<String>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let problem = if text.len() > limit {
        format!("is longer than {limit} bytes")
    } else if text.contains('\0') {
        "holds a NUL byte, so it is not text".to_owned()
    } else {
        return Ok(Some(text.to_owned()));
    };
    Err(Error::BadText { what, problem })
}
