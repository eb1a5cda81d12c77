//! Asking before something that cannot simply be taken back.

use std::io::{BufRead, IsTerminal, Write};

use crate::failure::Failure;

/// Asks on the terminal; without one there is nobody to ask, and `unasked` says why that is not enough.
pub(super) fn confirm(question: &str, unasked: &str, refused: &str) -> Result<(), Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err(Failure::unconfirmed(unasked));
    }
    let mut talk = anstream::stderr().lock();
    let asked = write!(talk, "{question} [y/N] ").and_then(|()| talk.flush());
    asked.map_err(|error| Failure::unwritable(&error))?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(|error| Failure::unreadable("the answer", &error))?;
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Failure::unconfirmed(refused)),
    }
}
