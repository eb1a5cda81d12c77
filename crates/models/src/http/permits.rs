//! At most so many at once.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A fixed number of permits; whoever wants one waits until it is free. Holders are bounded in time, so waiting is too.
#[derive(Debug)]
pub(super) struct Permits {
    free: Mutex<usize>,
    returned: Condvar,
}

/// Gives the permit back when dropped.
#[derive(Debug)]
pub(super) struct Permit<'a>(&'a Permits);

impl Permits {
    pub(super) fn new(count: usize) -> Self {
        Self { free: Mutex::new(count.max(1)), returned: Condvar::new() }
    }

    pub(super) fn take(&self) -> Permit<'_> {
        let waiting = self.returned.wait_while(self.free(), |free| *free == 0);
        *waiting.unwrap_or_else(PoisonError::into_inner) -= 1;
        Permit(self)
    }

    fn free(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.free() += 1;
        self.0.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn no_more_than_allowed_run_at_once_and_all_get_their_turn() {
        let permits = Permits::new(2);
        let (running, most, done) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _permit = permits.take();
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    running.fetch_sub(1, Ordering::SeqCst);
                    done.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        assert!(most.load(Ordering::SeqCst) <= 2);
        assert_eq!(done.load(Ordering::SeqCst), 8);
    }
}
