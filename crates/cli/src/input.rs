//! Text from arguments, files and standard input.

use std::io::{IsTerminal, Read};
use std::path::Path;

use crate::failure::Failure;

/// Input is read up to here; what is longer is refused by the library anyway, and memory stays bounded.
const MOST_INPUT_BYTES: u64 = 64 * 1024 * 1024;

/// Joins words, or reads standard input where there are none or `-`.
pub(crate) fn read_words(words: &[String]) -> Result<String, Failure> {
    let from_standard_input = words.is_empty() || words == ["-"];
    if !from_standard_input {
        return Ok(words.join(" "));
    }
    if std::io::stdin().is_terminal() {
        return Err(Failure::nothing_given());
    }
    standard_input()
}

/// Reads a file; `-` is standard input.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    if file == Path::new("-") {
        return standard_input();
    }
    let name = file.display().to_string();
    let opened = std::fs::File::open(file).map_err(|error| Failure::unreadable(&name, &error))?;
    bounded_text(opened, &name)
}

fn standard_input() -> Result<String, Failure> {
    bounded_text(std::io::stdin().lock(), "standard input")
}

fn bounded_text(source: impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    source.take(MOST_INPUT_BYTES).read_to_end(&mut bytes).map_err(|error| Failure::unreadable(name, &error))?;
    String::from_utf8(bytes).map_err(|_| Failure::not_text(name))
}
