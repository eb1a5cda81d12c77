//! The one place that prints text for people: whatever it says, it does nothing to a terminal.
//!
//! Control characters, colour codes and characters that turn the direction of writing are taken out, whether the text goes
//! to a terminal or into a pipe, to standard output or to standard error. Only the colours of `style` are left.

#![allow(clippy::disallowed_methods, reason = "this is the place that all printing goes through")]

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use elfmem_text::fence::safe_text;
use elfmem_text::terms::{escape_hidden_in_json, strip_hidden};

use crate::layout;
use crate::pager::{self, Paging};
use crate::style;

/// What a text is, which decides what is taken out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Anything: hidden characters are taken out, and forged fences.
    Text,
    /// A rendering that has its fences.
    Fenced,
    /// JSON: hidden characters are spelled out, so that it says the same.
    Json,
}

/// Returns a text as it is printed.
pub(crate) fn printable(text: &str, content: Content) -> String {
    match content {
        Content::Text => style::with_codes(text, safe_text),
        Content::Fenced => style::with_codes(text, |part| strip_hidden(part).into_owned()),
        Content::Json => escape_hidden_in_json(text).into(),
    }
}

/// Prints a text and the end of its line to standard output.
pub(crate) fn answer(text: &str, content: Content) -> io::Result<()> {
    write(&mut anstream::stdout().lock(), &format!("{}\n", printable(text, content)))
}

/// Prints a text to standard output, or shows it with a pager if it is longer than so many lines.
pub(crate) fn page(text: &str, content: Content, paging: Paging, height: usize) -> io::Result<()> {
    let shown = printable(text, content);
    let for_pager = match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => anstream::adapter::strip_str(&shown).to_string(),
        _ => shown.clone(),
    };
    if pager::show(&for_pager, paging, height) {
        return Ok(());
    }
    write(&mut anstream::stdout().lock(), &format!("{shown}\n"))
}

/// Prints a text and the end of its line to standard error, as far as that can be written to.
pub(crate) fn talk(text: &str, content: Content) {
    let wrapped = layout::error_width().filter(|_| content != Content::Json).map(|width| layout::wrap(text, width));
    let text = wrapped.as_deref().unwrap_or(text);
    let _ = write(&mut anstream::stderr().lock(), &format!("{}\n", printable(text, content)));
}

/// Prints a question to standard error; what is typed follows on its line.
pub(crate) fn question(text: &str) -> io::Result<()> {
    // The answer is typed on the last line, behind a space.
    let wrapped = layout::error_width().map(|width| layout::wrap(text, width - 1));
    let text = wrapped.as_deref().unwrap_or(text);
    write(&mut anstream::stderr().lock(), &format!("{} ", printable(text, Content::Text)))
}

fn write(stream: &mut impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{BAD, NAME};

    #[test]
    fn only_our_own_colours_reach_a_terminal() {
        let ours = format!("{NAME}id{NAME:#} and {BAD}wrong{BAD:#}");
        let coloured = "\u{1b}[36mid\u{1b}[0m and \u{1b}[1m\u{1b}[31mwrong\u{1b}[0m";
        assert_eq!(printable(&ours, Content::Text), coloured);
        assert_eq!(printable(coloured, Content::Text), "[36mid[0m and [1m[31mwrong[0m", "they were stored so");
        let hostile = "title \u{1b}]0;owned\u{7} clear \u{1b}[2J hide \u{1b}[8mx turn \u{202e}abc";
        for content in [Content::Text, Content::Fenced] {
            assert_eq!(printable(hostile, content), "title ]0;owned clear [2J hide [8mx turn abc");
        }
    }

    #[test]
    fn a_mark_without_its_letter_leaves_nothing() {
        let mark: String = NAME.to_string().chars().take(17).collect();
        assert_eq!(printable(&format!("a{mark}"), Content::Text), "a");
        assert_eq!(printable(&format!("a{mark}ñb"), Content::Text), "ab", "an unknown letter is part of the mark");
    }
}
