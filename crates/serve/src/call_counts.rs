//! Counts calls by verb and result.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Number of calls by verb and success.
#[derive(Debug, Default)]
pub(crate) struct CallCounts(Mutex<BTreeMap<(&'static str, bool), u64>>);

impl CallCounts {
    pub(crate) fn count(&self, verb: &'static str, done: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry((verb, done)).or_default() += 1;
    }

    /// Returns all counts in alphabetical order.
    pub(crate) fn counts(&self) -> Vec<((&'static str, bool), u64)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(key, count)| (*key, *count)).collect()
    }
}
