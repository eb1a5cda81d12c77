//! Times as people type them.

use elfmem::core::Timestamp;
use elfmem::core::when::{explicit_time, parse_time_query};
use elfmem::{Clock, SystemClock};

use crate::failure::Failure;

/// The instant a text names: a timestamp, a date, or words such as `yesterday`; a span counts by its beginning.
pub(super) fn instant(text: &str) -> Result<Timestamp, Failure> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    if let Some(span) = explicit_time(text) {
        return Ok(span.from);
    }
    let asked = parse_time_query(text, SystemClock.now()).and_then(|time| time.span);
    asked.map(|span| span.from).ok_or_else(|| Failure::not_a_time(text))
}
