//! Runs engine calls on blocking threads, with limits for running and waiting calls.

use std::fmt;
use std::sync::Arc;

use elfmem_store::Store;
use tokio::sync::Semaphore;

use crate::memory::LazyMemory;
use crate::trace;

/// Maximum number of concurrent calls.
pub(crate) const MAX_RUNNING: usize = 16;
/// Maximum number of waiting calls. Further calls fail at once, which is better than a long wait.
const MAX_WAITING: usize = 512;

/// A call did not complete. The memory is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallError {
    /// Too many calls are waiting.
    Overloaded,
    /// The call panicked.
    Broken,
}

/// Runs calls of the memory on blocking threads.
pub(crate) struct CallPool<S: Store> {
    memory: Arc<LazyMemory<S>>,
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl<S: Store> fmt::Debug for CallPool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallPool").field("places", &self.places.available_permits()).finish_non_exhaustive()
    }
}

impl<S: Store> Clone for CallPool<S> {
    fn clone(&self) -> Self {
        let Self { memory, places, waiting } = self;
        Self { memory: Arc::clone(memory), places: Arc::clone(places), waiting: Arc::clone(waiting) }
    }
}

impl<S: Store + 'static> CallPool<S> {
    pub(crate) fn new(memory: Arc<LazyMemory<S>>) -> Self {
        let (places, waiting) = (Semaphore::new(MAX_RUNNING), Semaphore::new(MAX_RUNNING + MAX_WAITING));
        Self { memory, places: Arc::new(places), waiting: Arc::new(waiting) }
    }

    /// Runs a call when a slot is free. Dropping the future gives up the slot; a call that has
    /// started runs to its end.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LazyMemory<S>) -> T + Send + 'static,
    ) -> Result<T, CallError> {
        let queued = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| {
            trace::crowded(MAX_WAITING as u64);
            CallError::Overloaded
        })?;
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| CallError::Broken)?;
        let memory = Arc::clone(&self.memory);
        let task = tokio::task::spawn_blocking(move || {
            let answer = work(&memory);
            drop((place, queued));
            answer
        });
        task.await.map_err(broken)
    }

    /// Runs a short call without waiting for a slot, for health checks.
    pub(crate) async fn run_unqueued<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LazyMemory<S>) -> T + Send + 'static,
    ) -> Result<T, CallError> {
        let memory = Arc::clone(&self.memory);
        tokio::task::spawn_blocking(move || work(&memory)).await.map_err(broken)
    }
}

fn broken(error: tokio::task::JoinError) -> CallError {
    if error.is_panic() {
        trace::panicked();
    }
    CallError::Broken
}
