//! `purge`, after a question.

use std::io::{BufRead, IsTerminal, Write};

use elfmem::{CareError, Error, Memory};
use elfmem_store_sqlite::SqliteStore;

use crate::args;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn purge(arguments: &args::Purge, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    // An id that names nothing is no reason to ask. One that was purged before has only bytes left to remove.
    let content = match memory.show(&arguments.block) {
        Ok(details) => Some(details.block.content),
        Err(Error::Care(CareError::Purged { .. })) => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(content) = content.filter(|_| !arguments.yes) {
        confirm(&content)?;
    }
    Ok(Output::sentence(&memory.purge(&arguments.block)?))
}

/// Asks on the terminal; without one there is nobody to ask.
fn confirm(content: &str) -> Result<(), Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err(Failure::unconfirmed("Purging cannot be undone, and there is no terminal to ask on."));
    }
    let mut talk = anstream::stderr().lock();
    let asked =
        write!(talk, "{content}\n\nRemove this for good? It cannot be undone. [y/N] ").and_then(|()| talk.flush());
    asked.map_err(|error| Failure::unwritable(&error))?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(|error| Failure::unreadable("the answer", &error))?;
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Failure::unconfirmed("Nothing was purged.")),
    }
}
