//! A counting semaphore.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A counting semaphore. Calls have timeouts, so waiting is bounded.
#[derive(Debug)]
pub(super) struct Semaphore {
    free: Mutex<usize>,
    returned: Condvar,
}

/// Releases the permit on drop.
#[derive(Debug)]
pub(super) struct SemaphorePermit<'a>(&'a Semaphore);

impl Semaphore {
    pub(super) fn new(count: usize) -> Self {
        Self { free: Mutex::new(count.max(1)), returned: Condvar::new() }
    }

    pub(super) fn acquire(&self) -> SemaphorePermit<'_> {
        let waiting = self.returned.wait_while(self.free(), |free| *free == 0);
        *waiting.unwrap_or_else(PoisonError::into_inner) -= 1;
        SemaphorePermit(self)
    }

    fn free(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SemaphorePermit<'_> {
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
    fn the_semaphore_limits_concurrency() {
        let semaphore = Semaphore::new(2);
        let (running, most, done) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _permit = semaphore.acquire();
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
