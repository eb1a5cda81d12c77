//! Asking before something that cannot simply be taken back.

use std::io::{BufRead, IsTerminal};

use crate::failure::Failure;
use crate::print;

/// Asks on the terminal; without one there is nobody to ask, and `unasked` says why that is not enough.
pub(super) fn confirm(question: &str, unasked: &str, refused: &str) -> Result<(), Failure> {
    match answer_to(question, "[y/N]")?.as_deref() {
        Some("y" | "yes") => Ok(()),
        Some(_) => Err(Failure::unconfirmed(refused)),
        None => Err(Failure::unconfirmed(unasked)),
    }
}

/// What was typed in answer to a question, in lowercase; none where there is no terminal to ask on. What is asked about may be
/// anybody's text.
pub(super) fn answer_to(question: &str, choice: &str) -> Result<Option<String>, Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(None);
    }
    Ok(Some(line_from(&format!("{question} {choice}"))?.to_lowercase()))
}

/// What was typed on the line after a question. Only where there is a terminal.
pub(super) fn line_from(question: &str) -> Result<String, Failure> {
    print::question(question).map_err(|error| Failure::unwritable(&error))?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(|error| Failure::unreadable("the answer", &error))?;
    Ok(answer.trim().to_owned())
}
