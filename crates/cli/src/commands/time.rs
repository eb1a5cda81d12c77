//! Times as people type them.

use elfmem::core::{Timestamp, when};
use elfmem::{Clock, SystemClock};

use crate::failure::Failure;

/// The instant a text names.
pub(super) fn instant(text: &str) -> Result<Timestamp, Failure> {
    when::instant(text, SystemClock.now()).ok_or_else(|| Failure::not_a_time(text.trim()))
}
