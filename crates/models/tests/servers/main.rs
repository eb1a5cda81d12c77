//! Runs the clients against a local server that misbehaves on purpose.

#![expect(clippy::unwrap_used, reason = "a test whose setting cannot be built has failed")]

mod anthropic;
mod chat;
mod embeddings;
#[cfg(feature = "tracing")]
mod logs;
mod server;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use elfmem_models::{Backoff, Connection, RetryTimer, Secret};

/// A key that must not appear in any error.
const KEY: &str = "tk-very-secret-0123456789";

/// Records the waits between attempts instead of sleeping.
#[derive(Clone, Default)]
struct Waits(Arc<Mutex<Vec<Duration>>>);

impl Waits {
    fn timer(&self) -> RetryTimer {
        let noted = Arc::clone(&self.0);
        RetryTimer::new(move |wait| noted.lock().unwrap().push(wait), || 0.0)
    }

    fn seconds(&self) -> Vec<u64> {
        self.0.lock().unwrap().iter().map(Duration::as_secs).collect()
    }
}

/// A connection with short timeouts.
fn connection(url: &str, waits: &Waits) -> Connection {
    Connection {
        connect_timeout: Duration::from_millis(1_000),
        request_timeout: Duration::from_millis(1_500),
        backoff: Backoff { attempts: 3, timer: waits.timer(), ..Backoff::default() },
        ..Connection::to(url).with_key(Secret::new(KEY))
    }
}
