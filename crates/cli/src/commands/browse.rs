//! `browse`: the text user interface.

use std::io::{IsTerminal, stdin, stdout};

use elfmem_browse::BrowseError;
use elfmem_engine::Memory;
use elfmem_store_sqlite::SqliteStore;

use crate::failure::Failure;
use crate::output::Output;

/// Browses the memory, which is opened only if there is a terminal.
pub(super) fn browse(open: impl FnOnce() -> Result<Memory<SqliteStore>, Failure>) -> Result<Output, Failure> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Failure::no_terminal());
    }
    let memory = open()?;
    match elfmem_browse::browse(&memory) {
        Ok(result) => Ok(Output::new(result.to_string(), &result)),
        Err(BrowseError::Memory(error)) => Err(error.into()),
        Err(other) => Err(Failure::unusable_terminal(&other)),
    }
}
