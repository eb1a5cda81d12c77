//! Shows an answer that is longer than the terminal with a pager, as `git` does.

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use crate::environment;

/// The pager where `PAGER` names none. It ends by itself if everything fits, keeps colours and leaves the text on the screen.
const DEFAULT: &str = "less";
const DEFAULT_LESS: &str = "FRX";

/// Whether an answer may go to a pager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paging {
    /// If it is longer than the terminal.
    Long,
    /// Never.
    Off,
}

/// Shows a text with the pager; returns whether it did. It does not where no person can use one, and where none can be started.
pub(crate) fn show(text: &str, paging: Paging, height: usize) -> bool {
    let is_long = height > 0 && text.lines().count() >= height;
    if paging == Paging::Off || !is_long || !io::stdin().is_terminal() {
        return false;
    }
    let Some(pager) = environment::pager(DEFAULT) else { return false };
    run(&pager, text).is_ok()
}

fn run(pager: &str, text: &str) -> io::Result<()> {
    let mut command = match cfg!(unix) {
        true => {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(pager);
            shell
        }
        false => Command::new(pager),
    };
    if pager == DEFAULT {
        // A shell starts also if the pager is missing; then the answer would be lost.
        Command::new(pager).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    }
    if environment::text_of("LESS").is_none() {
        command.env("LESS", DEFAULT_LESS);
    }
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // Whoever has seen enough ends the pager before it has read everything.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().map(drop)
}
