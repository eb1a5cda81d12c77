//! Times as people type them.

use elfmem_core::Timestamp;
use elfmem_engine::{Clock, SystemClock};
use elfmem_text::temporal;

use crate::failure::Failure;

/// The instant a text names.
pub(super) fn instant(text: &str) -> Result<Timestamp, Failure> {
    temporal::parse_instant(text, SystemClock.now()).ok_or_else(|| Failure::not_a_time(text.trim()))
}
