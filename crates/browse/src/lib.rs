//! The text user interface: search as you type, a list, a block with its history and neighbours, proposals and
//! contradictions to settle, and undo.
//!
//! [`browse`] runs it on the terminal. Everything it changes is an operation of [`Memory`] that can be undone; it cannot
//! purge. Stored texts pass through one function before they are shown, so that none of them does anything to a terminal.

mod app;
mod detail;
mod item;
mod keys;
mod screen;
mod settle;
mod terminal;
mod view;

#[cfg(test)]
mod tests;

use std::fmt;

use elfmem_engine::Memory;
use elfmem_store::Store;
use serde::Serialize;

/// What was done while browsing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BrowseResult {
    /// Number of operations that changed the memory, undos included.
    pub changes: usize,
}

impl fmt::Display for BrowseResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.changes {
            0 => f.write_str("Nothing was changed."),
            1 => f.write_str("One change was made. `elfmem undo` takes it back."),
            many => write!(f, "{many} changes were made. `elfmem undo` takes them back, the last first."),
        }
    }
}

/// Why browsing ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum BrowseError {
    /// The memory could not be read.
    Memory(elfmem_engine::Error),
    /// The terminal could not be used.
    Terminal(std::io::Error),
}

impl fmt::Display for BrowseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Terminal(error) => write!(f, "the terminal cannot be used: {error}"),
        }
    }
}

impl std::error::Error for BrowseError {}

/// Browses a memory on the terminal until the user quits.
///
/// # Errors
/// The memory cannot be read at the start, or the terminal cannot be used. Whatever is refused later is shown on the screen.
pub fn browse<S: Store>(memory: &Memory<S>) -> Result<BrowseResult, BrowseError> {
    let mut app = app::App::new(memory).map_err(BrowseError::Memory)?;
    terminal::run(&mut app).map_err(BrowseError::Terminal)?;
    Ok(BrowseResult { changes: app.changes() })
}
