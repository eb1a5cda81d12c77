//! `remember` and `learn-document`.

use std::io::{IsTerminal, Read};
use std::path::Path;

use elfmem_engine::{Learn, LearnDocument, Memory};
use elfmem_store_sqlite::SqliteStore;

use super::time::instant;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;

/// Input is read up to here; what is longer is refused by the library anyway, and memory stays bounded.
const MOST_INPUT_BYTES: u64 = 64 * 1024 * 1024;

/// The memory is opened only once there is something to store.
pub(crate) fn remember(
    arguments: &args::Remember,
    open: impl FnOnce() -> Result<Memory<SqliteStore>, Failure>,
) -> Result<Output, Failure> {
    let new = learn_of(arguments)?;
    Ok(Output::sentence(&open()?.remember(new)?))
}

/// What the arguments ask to be stored, checked.
pub(super) fn learn_of(arguments: &args::Remember) -> Result<Learn, Failure> {
    let text = given_text(&arguments.text)?;
    let mut new = Learn::new(text).tags(&arguments.labels.tags).category(&arguments.labels.category);
    new = new.source(arguments.source.as_deref().unwrap_or("cli"));
    for cue in &arguments.cues {
        new = new.cue(cue);
    }
    if let Some(time) = &arguments.event_at {
        new = new.event_at(instant(time)?);
    }
    if arguments.allow_secrets {
        new = new.allow_secrets();
    }
    new.check()?;
    Ok(new)
}

pub(crate) fn document(
    arguments: &args::LearnDocument,
    open: impl FnOnce() -> Result<Memory<SqliteStore>, Failure>,
) -> Result<Output, Failure> {
    let text = text_of(&arguments.file)?;
    let from_file = (arguments.file != Path::new("-")).then(|| arguments.file.display().to_string());
    let mut document = LearnDocument::new(text)
        .tags(&arguments.labels.tags)
        .category(&arguments.labels.category)
        .chunk_words(arguments.chunk_words);
    if arguments.allow_secrets {
        document = document.allow_secrets();
    }
    if let Some(name) = arguments.name.clone().or(from_file) {
        document = document.name(name);
    }
    Ok(Output::sentence(&open()?.learn_document(&document)?))
}

/// The text of the arguments, or standard input where they ask for it.
pub(super) fn given_text(words: &[String]) -> Result<String, Failure> {
    let from_standard_input = words.is_empty() || words == ["-"];
    if !from_standard_input {
        return Ok(words.join(" "));
    }
    if std::io::stdin().is_terminal() {
        return Err(Failure::nothing_given());
    }
    standard_input()
}

/// The text of a file; `-` is standard input.
pub(crate) fn text_of(file: &Path) -> Result<String, Failure> {
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
