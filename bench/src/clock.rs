//! A clock that a measurement sets, so that a year passes in seconds.

use std::sync::atomic::{AtomicI64, Ordering};

use elfmem_core::Timestamp;
use elfmem_engine::Clock;

/// A clock that is set by hand, in seconds.
#[derive(Debug)]
pub(crate) struct SetClock(AtomicI64);

impl SetClock {
    /// Creates a clock that shows a number of seconds since 1970.
    pub(crate) fn at(seconds: i64) -> Self {
        Self(AtomicI64::new(seconds))
    }

    /// Moves the clock forward.
    pub(crate) fn pass(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }

    /// Sets the clock.
    pub(crate) fn set(&self, seconds: i64) {
        self.0.store(seconds, Ordering::Relaxed);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.load(Ordering::Relaxed)).unwrap_or_default()
    }
}
