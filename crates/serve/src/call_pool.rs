//! Calls of the library: each on a thread of its own, so many at once, so many waiting.

use std::fmt;
use std::sync::Arc;

use elfmem_store::Store;
use tokio::sync::Semaphore;

use crate::memory::LateMemory;
use crate::trace;

/// Calls that run at once; the others wait their turn.
pub(crate) const CALLS_AT_ONCE: usize = 16;
/// Calls that may wait. Whoever comes after them is better told so at once than after a minute.
const CALLS_WAITING: usize = 512;

/// Why a call gave no answer. The memory is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// Too many wait already.
    Crowded,
    /// The call broke off: a fault of ours.
    Broken,
}

/// The way to the memory for everything that may wait.
pub(crate) struct Calls<S: Store> {
    memory: Arc<LateMemory<S>>,
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl<S: Store> fmt::Debug for Calls<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calls").field("places", &self.places.available_permits()).finish_non_exhaustive()
    }
}

impl<S: Store> Clone for Calls<S> {
    fn clone(&self) -> Self {
        let Self { memory, places, waiting } = self;
        Self { memory: Arc::clone(memory), places: Arc::clone(places), waiting: Arc::clone(waiting) }
    }
}

impl<S: Store + 'static> Calls<S> {
    pub(crate) fn new(memory: Arc<LateMemory<S>>) -> Self {
        let (places, waiting) = (Semaphore::new(CALLS_AT_ONCE), Semaphore::new(CALLS_AT_ONCE + CALLS_WAITING));
        Self { memory, places: Arc::new(places), waiting: Arc::new(waiting) }
    }

    /// Runs work when its turn has come. Whoever stops waiting gives up the turn; work that has begun goes on to its end, which
    /// changes everything it should or nothing.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LateMemory<S>) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let queued = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| {
            trace::crowded(CALLS_WAITING as u64);
            NoAnswer::Crowded
        })?;
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| NoAnswer::Broken)?;
        let memory = Arc::clone(&self.memory);
        let task = tokio::task::spawn_blocking(move || {
            let answer = work(&memory);
            drop((place, queued));
            answer
        });
        task.await.map_err(broken)
    }

    /// Runs work that is short and must not wait behind calls: whether the memory answers.
    pub(crate) async fn run_at_once<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LateMemory<S>) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let memory = Arc::clone(&self.memory);
        tokio::task::spawn_blocking(move || work(&memory)).await.map_err(broken)
    }
}

fn broken(error: tokio::task::JoinError) -> NoAnswer {
    if error.is_panic() {
        trace::panicked();
    }
    NoAnswer::Broken
}
