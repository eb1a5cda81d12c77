//! Log lines of `tracing`: off unless the settings ask for them, to standard error or to a file.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use elfmem_config::LogConfig;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::writer::{BoxMakeWriter, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::failure::Failure;

/// Names of the crates whose lines are written begin with this. Others may log what is stored.
const OURS: &str = "elfmem";
/// Lines that may wait for standard error. If its reader is slower than that, lines are lost and the program goes on.
const WAITING_LINES: usize = 65_536;
/// How long the program waits at its end for lines that are not yet written.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// The channel to standard error; empty if nothing is logged there.
static LINES: OnceLock<StandardError> = OnceLock::new();

/// Starts logging if the settings ask for it. Further calls do nothing.
pub(crate) fn start(config: &LogConfig) -> Result<(), Failure> {
    let filter = match (&config.filter, &config.file) {
        (Some(filter), _) => filter,
        (None, Some(_)) => "info",
        (None, None) => return Ok(()),
    };
    let writer = match &config.file {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            BoxMakeWriter::new(Mutex::new(file.map_err(|error| Failure::unwritable_file(path, &error))?))
        }
        None => BoxMakeWriter::new(LINES.get_or_init(StandardError::open).clone()),
    };
    let layer = tracing_subscriber::fmt::layer().with_writer(writer).with_span_events(FmtSpan::CLOSE);
    // It fails if logging has been started: some commands find their memory twice.
    let _ = tracing_subscriber::registry().with(layer.with_filter(targets(filter))).try_init();
    Ok(())
}

/// The levels of a filter that the settings accepted, each for one of our crates or for all of them.
fn targets(filter: &str) -> Targets {
    let parts = filter.split(',').map(|part| part.trim().split_once('=').unwrap_or((OURS, part.trim())));
    parts.filter_map(|(target, level)| Some((target, level.parse::<LevelFilter>().ok()?))).collect()
}

/// Waits, when dropped, until the lines for standard error are written.
pub(crate) fn flush_at_exit() -> impl Drop {
    struct Flush;
    impl Drop for Flush {
        fn drop(&mut self) {
            if let Some(lines) = LINES.get() {
                lines.flush();
            }
        }
    }
    Flush
}

/// Writes to standard error on a thread of its own: a host that reads nothing from it must not stop a server.
#[derive(Clone)]
struct StandardError(SyncSender<LogMessage>);

enum LogMessage {
    Line(Vec<u8>),
    Flush(SyncSender<()>),
}

impl StandardError {
    fn open() -> Self {
        let (sender, messages) = sync_channel(WAITING_LINES);
        // Without the thread nothing is received, and every line is dropped.
        let _ = std::thread::Builder::new().name("elfmem-log".to_owned()).spawn(move || {
            for message in messages {
                match message {
                    LogMessage::Line(line) => drop(io::stderr().write_all(&line)),
                    LogMessage::Flush(done) => drop(done.try_send(())),
                }
            }
        });
        Self(sender)
    }

    fn flush(&self) {
        let (done, flushed) = sync_channel(1);
        if self.0.try_send(LogMessage::Flush(done)).is_ok() {
            let _ = flushed.recv_timeout(LAST_WAIT);
        }
    }
}

impl Write for StandardError {
    /// Takes one line, which `tracing` writes at once.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let _ = self.0.try_send(LogMessage::Line(line.to_vec()));
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for StandardError {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn a_level_is_for_our_crates_alone_and_a_name_for_one_of_them() {
        let warn = targets("warn, elfmem_engine=trace");
        assert!(warn.would_enable("elfmem_models", &Level::WARN) && !warn.would_enable("elfmem_models", &Level::INFO));
        assert!(warn.would_enable("elfmem_engine", &Level::TRACE));
        assert!(!targets("trace").would_enable("rmcp::service", &Level::ERROR));
    }
}
