//! Colours of the program's own words. They vanish on a pipe and under NO_COLOR.
//!
//! A style writes a mark into a text, not a colour code. Only `print` turns marks into codes, and marks contain a random
//! number of this process: a stored text that contains colour codes, the same ones even, stays without effect.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::OnceLock;

use anstyle::AnsiColor;

/// Ids and names: what can be pasted back.
pub(crate) const NAME: Style = Style { letter: 'n', code: AnsiColor::Cyan.on_default() };
/// What is less important than what it stands beside.
pub(crate) const DIM: Style = Style { letter: 'd', code: anstyle::Style::new().dimmed() };
/// What went well.
pub(crate) const GOOD: Style = Style { letter: 'g', code: AnsiColor::Green.on_default() };
/// What needs attention.
pub(crate) const NOTE: Style = Style { letter: 'a', code: AnsiColor::Yellow.on_default() };
/// What went wrong.
pub(crate) const BAD: Style = Style { letter: 'b', code: AnsiColor::Red.on_default().bold() };
/// Headings, and the words of a question where they occur in a text.
pub(crate) const STRONG: Style = Style { letter: 's', code: anstyle::Style::new().bold() };

/// The column below which the further lines of a line begin, when it is longer than the terminal is wide.
pub(crate) const HANG: Style = Style { letter: 'h', code: anstyle::Style::new() };

const ALL: [Style; 6] = [NAME, DIM, GOOD, NOTE, BAD, STRONG];
/// What stands in a mark where a style ends.
const END: char = '.';

/// How the program's own words look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    letter: char,
    code: anstyle::Style,
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", mark(), if f.alternate() { END } else { self.letter })
    }
}

/// The beginning of every mark of this process.
fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| format!("\u{1b}{:016x}", RandomState::new().hash_one(())))
}

/// What a text consists of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StyledPart<'a> {
    /// A mark of a style.
    Mark(&'a str),
    /// What is seen.
    Text(&'a str),
}

impl<'a> StyledPart<'a> {
    /// The part as it is written.
    pub(crate) fn as_str(&self) -> &'a str {
        match self {
            Self::Mark(text) | Self::Text(text) => text,
        }
    }
}

/// Splits a text into marks and what stands between them.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = StyledPart<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let part = match rest.find(mark()) {
            _ if rest.is_empty() => return None,
            Some(0) => {
                let letter = rest[mark().len()..].chars().next().map_or(0, char::len_utf8);
                StyledPart::Mark(&rest[..mark().len() + letter])
            }
            Some(at) => StyledPart::Text(&rest[..at]),
            None => StyledPart::Text(rest),
        };
        rest = &rest[part.as_str().len()..];
        Some(part)
    })
}

/// Returns what stands before the mark of [`HANG`]; none without one.
pub(crate) fn before_hang(line: &str) -> Option<&str> {
    line.split_once(&HANG.to_string()).map(|(before, _)| before)
}

/// Returns a text without marks of [`HANG`].
pub(crate) fn without_hang(text: &str) -> String {
    text.replace(&HANG.to_string(), "")
}

/// Returns what a mark writes to a terminal; nothing for one that says nothing of colours.
fn code_of(written: &str) -> String {
    let letter = written[mark().len()..].chars().next();
    match ALL.iter().find(|style| Some(style.letter) == letter) {
        Some(style) => style.code.render().to_string(),
        None if letter == Some(END) => anstyle::Reset.render().to_string(),
        None => String::new(),
    }
}

/// Replaces marks by colour codes and applies a function to what stands between them.
pub(crate) fn with_codes(text: &str, render: impl Fn(&str) -> String) -> String {
    let shown = |part| match part {
        StyledPart::Mark(written) => code_of(written),
        StyledPart::Text(text) => render(text),
    };
    parts(text).map(shown).collect()
}

/// Applies a function to what stands between marks.
pub(crate) fn keeping_marks(text: &str, render: impl Fn(&str) -> String) -> String {
    let kept = |part| match part {
        StyledPart::Mark(written) => written.to_owned(),
        StyledPart::Text(text) => render(text),
    };
    parts(text).map(kept).collect()
}
