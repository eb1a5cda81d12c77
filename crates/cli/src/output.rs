//! What a command answers: text for people, one object for programs.

use std::io::Write;
use std::process::ExitCode;

use elfmem_text::terms::{escape_hidden_in_json, strip_hidden};
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::style;

/// Who reads the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// People.
    Text,
    /// Programs.
    Json,
}

/// An answer in both forms.
#[derive(Debug)]
pub(crate) struct Output {
    text: String,
    json: Value,
    /// Whether the text is for programs and people alike.
    exact: bool,
    /// Whether what is told is that something is wrong.
    failing: bool,
}

impl Output {
    /// An answer whose text is made by the command.
    pub(crate) fn new(text: impl Into<String>, value: &impl Serialize) -> Self {
        Self {
            text: text.into(),
            json: serde_json::to_value(value).unwrap_or(Value::Null),
            exact: false,
            failing: false,
        }
    }

    /// An answer that says it all in one sentence.
    pub(crate) fn sentence(value: &(impl Serialize + std::fmt::Display)) -> Self {
        Self::new(value.to_string(), value)
    }

    /// What a program that calls us expects, whoever reads; nothing at all if that is empty.
    pub(crate) fn exactly(text: String) -> Self {
        Self { text, json: Value::Null, exact: true, failing: false }
    }

    /// An answer that is a finding: it is printed like any other, and the program ends with code 1.
    #[must_use]
    pub(crate) fn failing(mut self) -> Self {
        self.failing = true;
        self
    }

    /// What the program ends with once the answer is printed.
    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.failing { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// The answer for people.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The answer for programs.
    pub(crate) fn json(&self) -> &Value {
        &self.json
    }

    /// Prints the answer. A reader that went away early (`| head`) is no error.
    pub(crate) fn print(&self, format: Format) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        let written = match format {
            _ if self.exact && self.text.is_empty() => Ok(()),
            _ if self.exact => writeln!(stdout, "{}", self.text),
            Format::Json => writeln!(stdout, "{}", escape_hidden_in_json(&format!("{:#}", self.json))),
            Format::Text => writeln!(stdout, "{}", for_terminals(self.text.trim_end())),
        };
        match written.and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::unwritable(&error)),
            _ => Ok(()),
        }
    }
}

/// A text that does nothing to a terminal: of what is no letter or sign only our own colours are left.
pub(crate) fn for_terminals(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        safe.push_str(&strip_hidden(&rest[..at]));
        rest = &rest[at..];
        match style::codes().into_iter().find(|code| rest.starts_with(code.as_str())) {
            Some(code) => {
                safe.push_str(&code);
                rest = &rest[code.len()..];
            }
            None => rest = &rest[1..],
        }
    }
    safe.push_str(&strip_hidden(rest));
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{BAD, NAME};

    #[test]
    fn only_our_own_colours_reach_a_terminal() {
        let ours = format!("{NAME}id{NAME:#} and {BAD}wrong{BAD:#}");
        assert_eq!(for_terminals(&ours), ours);
        let hostile = "title \u{1b}]0;owned\u{7} clear \u{1b}[2J hide \u{1b}[8mx turn \u{202e}abc";
        let shown = for_terminals(hostile);
        assert_eq!(shown, "title ]0;owned clear [2J hide [8mx turn abc");
    }
}
