//! The clients against a real server on this machine that misbehaves on purpose.

#![expect(clippy::unwrap_used, reason = "a test whose setting cannot be built has failed")]

mod anthropic;
mod chat;
mod embeddings;
mod server;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use elfmem_models::{Backoff, Connection, Pause, Secret};

/// What must appear in no error.
const KEY: &str = "tk-very-secret-0123456789";

/// The waits between attempts, noted instead of waited for.
#[derive(Clone, Default)]
struct Waits(Arc<Mutex<Vec<Duration>>>);

impl Waits {
    fn pause(&self) -> Pause {
        let noted = Arc::clone(&self.0);
        Pause::new(move |wait| noted.lock().unwrap().push(wait), || 0.0)
    }

    fn seconds(&self) -> Vec<u64> {
        self.0.lock().unwrap().iter().map(Duration::as_secs).collect()
    }
}

/// A connection that is quick to lose patience.
fn connection(url: &str, waits: &Waits) -> Connection {
    Connection {
        connect_timeout: Duration::from_millis(1_000),
        request_timeout: Duration::from_millis(1_500),
        backoff: Backoff { attempts: 3, pause: waits.pause(), ..Backoff::default() },
        ..Connection::to(url).with_key(Secret::new(KEY))
    }
}
