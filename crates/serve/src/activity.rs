//! Whether a server has calls to answer.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Counts calls that run, and calls that ended.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    running: AtomicUsize,
    ended: AtomicU64,
}

/// A call that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct RunningCall<'a>(&'a Activity);

impl Activity {
    /// Counts a call.
    pub(crate) fn begin(&self) -> RunningCall<'_> {
        self.running.fetch_add(1, Ordering::Relaxed);
        RunningCall(self)
    }

    /// Returns the number of calls that ended; none while one runs.
    pub(crate) fn ended_if_idle(&self) -> Option<u64> {
        (self.running.load(Ordering::Relaxed) == 0).then(|| self.ended.load(Ordering::Relaxed))
    }
}

impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        // In this order: whoever sees no running call sees that this one ended.
        self.0.ended.fetch_add(1, Ordering::Release);
        self.0.running.fetch_sub(1, Ordering::Release);
    }
}
