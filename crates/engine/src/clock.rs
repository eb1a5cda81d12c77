//! The wall clock.

use elfmem_core::Timestamp;

/// A source of the current time. It is injected, so that a test can simulate a year in a second.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the only place that reads the system clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now(&self) -> Timestamp {
        (**self).now()
    }
}
