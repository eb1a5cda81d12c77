//! Settling open questions one by one on a terminal.

use std::fmt::Write;
use std::io::IsTerminal;

use super::confirm::answer_to;
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::DIM;

/// Something that waits for a decision.
pub(super) struct PendingDecision<'a> {
    /// What it is about.
    pub(super) text: &'a str,
    /// The letters that can be typed, with what they mean.
    pub(super) choices: Vec<(char, &'static str)>,
    /// Does what a letter means and says what was done.
    pub(super) decide: Box<dyn Fn(char) -> Result<String, Failure> + 'a>,
}

/// Asks about each on a terminal, where a person reads the answer too; gives the list without one.
pub(super) fn settle(
    input: &VerbInput<'_>,
    questions: Vec<PendingDecision<'_>>,
    list: Output,
) -> Result<Output, Failure> {
    let by_person = !input.has_flag("json");
    let asks = by_person
        && std::io::stdin().is_terminal()
        && std::io::stderr().is_terminal()
        && std::io::stdout().is_terminal();
    if !asks || questions.is_empty() {
        return Ok(list);
    }
    let (total, mut settled, mut said) = (questions.len(), 0, String::new());
    for PendingDecision { text, choices, decide } in questions {
        let words: Vec<String> = choices.iter().map(|(letter, word)| format!("[{letter}] {word}")).collect();
        let choice = format!("{}, [s] skip, [q] quit?", words.join(", "));
        let answer = answer_to(text, &choice)?.unwrap_or_default();
        match answer.chars().next() {
            Some('s') => {}
            Some(letter) if choices.iter().any(|(known, _)| *known == letter) => {
                let _ = writeln!(said, "{}", decide(letter)?);
                settled += 1;
            }
            // Whatever else is typed decides nothing.
            _ => break,
        }
    }
    let _ = writeln!(said, "{DIM}{settled} of {total} settled. Take a decision back with: elfmem undo{DIM:#}");
    Ok(list.instead(said))
}
