//! What a list that is cut says to a person: how many entries there are, and how to see the others.

use crate::style::DIM;

/// Entries that are counted at most where counting means reading.
pub(super) const MAX_COUNTED: u32 = 10_000;

/// Returns `20 of 96; …` if a list is cut, and nothing otherwise. No total stands for more than are counted.
pub(super) fn cut_note(shown: usize, total: Option<u64>, others: &str) -> String {
    match total {
        _ if shown == 0 => String::new(),
        None => format!("{DIM}{shown} of more than {MAX_COUNTED}; {others}{DIM:#}\n"),
        Some(total) if total > shown as u64 => format!("{DIM}{shown} of {total}; {others}{DIM:#}\n"),
        Some(_) => String::new(),
    }
}
