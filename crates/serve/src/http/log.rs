//! The access log: one line per request on standard error, if enabled.

use std::io::Write;
use std::sync::mpsc::{SyncSender, sync_channel};

/// Capacity of the queue. If the reader is too slow, lines are dropped and requests are not
/// delayed.
const LINES: usize = 1024;

/// Sends log lines to a writer thread; drops them if disabled.
#[derive(Debug, Default)]
pub(super) struct AccessLog(Option<SyncSender<String>>);

impl AccessLog {
    /// Starts the writer thread, so that a full pipe does not block the server.
    pub(super) fn on_standard_error() -> Self {
        let (sender, lines) = sync_channel::<String>(LINES);
        let writer = std::thread::Builder::new().name("elfmem-log".to_owned()).spawn(move || {
            for line in lines {
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        });
        Self(writer.ok().map(|_| sender))
    }

    pub(super) fn write(&self, line: impl FnOnce() -> String) {
        if let Some(sender) = &self.0 {
            let _ = sender.try_send(line());
        }
    }
}
