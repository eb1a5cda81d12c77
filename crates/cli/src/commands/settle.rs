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
        match choice_of(text, &choices)? {
            'q' => break,
            's' => {}
            letter => {
                let _ = writeln!(said, "{}", decide(letter)?);
                settled += 1;
            }
        }
    }
    let back = if settled > 0 { " Take a decision back with: elfmem undo" } else { "" };
    let _ = writeln!(said, "{DIM}{settled} of {total} settled.{back}{DIM:#}");
    Ok(list.instead(said))
}

/// Asks until one of the choices is typed, by its letter or its word. An empty line quits, and so does the end of what is typed.
fn choice_of(text: &str, choices: &[(char, &'static str)]) -> Result<char, Failure> {
    let all: Vec<(char, &str)> = choices.iter().copied().chain([('s', "skip"), ('q', "quit")]).collect();
    let words: Vec<String> = all.iter().map(|(letter, word)| format!("[{letter}] {word}")).collect();
    let choice = format!("{}?", words.join(", "));
    let mut asked = text.to_owned();
    loop {
        let answer = answer_to(&asked, &choice)?.unwrap_or_default();
        if answer.is_empty() {
            return Ok('q');
        }
        if let Some((letter, _)) = all.iter().find(|(letter, word)| answer == letter.to_string() || answer == *word) {
            return Ok(*letter);
        }
        asked = format!("\"{answer}\" is none of them:");
    }
}
