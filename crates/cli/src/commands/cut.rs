//! What a list that is cut says to a person: how many entries there are, and how to see the others.

use std::io::IsTerminal;

use crate::failure::Failure;
use crate::style::DIM;

/// Entries that are counted at most where counting means reading.
pub(super) const MAX_COUNTED: u32 = 10_000;

/// Returns `20 of 96; …` on a terminal if a list is cut, and nothing otherwise: on a pipe a line is an entry.
pub(super) fn cut_note(
    shown: usize,
    total: impl FnOnce() -> Result<u64, Failure>,
    others: &str,
) -> Result<String, Failure> {
    if shown == 0 || !std::io::stdout().is_terminal() {
        return Ok(String::new());
    }
    let total = total()?;
    Ok(match total > shown as u64 {
        true if total > u64::from(MAX_COUNTED) => format!("{DIM}{shown} of more than {MAX_COUNTED}; {others}{DIM:#}\n"),
        true => format!("{DIM}{shown} of {total}; {others}{DIM:#}\n"),
        false => String::new(),
    })
}
