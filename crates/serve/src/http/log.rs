//! One line a request on standard error, when asked for.

use std::io::Write;
use std::sync::mpsc::{SyncSender, sync_channel};

/// Lines that may wait to be written. When whoever reads them is too slow, lines are lost rather than requests.
const LINES: usize = 1024;

/// Where the lines go; nowhere unless asked for.
#[derive(Debug, Default)]
pub(super) struct AccessLog(Option<SyncSender<String>>);

impl AccessLog {
    /// Writes on a thread of its own: a full pipe must not stop the server.
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
