//! How often each verb was asked for, and with what end.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Counts by the verb's name and whether it was done.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<BTreeMap<(&'static str, bool), u64>>);

impl Tally {
    pub(crate) fn count(&self, verb: &'static str, done: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry((verb, done)).or_default() += 1;
    }

    /// All that is not zero, in the order of names.
    pub(crate) fn counts(&self) -> Vec<((&'static str, bool), u64)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(key, count)| (*key, *count)).collect()
    }
}
