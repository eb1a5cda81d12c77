//! `hook`: what Claude Code and hosts like it call while an agent works.
//!
//! The host hands in one JSON object and takes one back. It must never suffer from us: whatever goes wrong, the answer is nothing, one
//! line on standard error says why, and the exit code is 0 (2 would stop the host).

use std::io::{IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use elfmem_engine::{FrameResult, Memory, RenderFrame, Strength};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::terms::strip_hidden;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::args::{self, Arguments};
use crate::configuration::Surroundings;
use crate::database::Database;
use crate::failure::Failure;
use crate::output::Output;

/// The host hands in the prompt and little else.
const MOST_INPUT_BYTES: u64 = 16 * 1024 * 1024;
/// A prompt up to this length is the question.
const QUESTION_CHARACTERS: usize = 500;
/// As much of the end of a transcript is looked at.
const MOST_TRANSCRIPT_BYTES: u64 = 32 * 1024 * 1024;

/// How the reminder begins. It is looked for in the transcript, so that a session hears it once.
const REMINDER_MARK: &str = "elfmem: before you stop";

/// What in a transcript shows that the agent has used its memory for more than asking.
const CARED_FOR: [&str; 6] =
    [REMINDER_MARK, "elfmem remember", "elfmem outcome", "elfmem_learn", "elfmem_remember", "elfmem_outcome"];

/// What a host hands in. Everything may be missing, and there may be more.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Call {
    cwd: Option<PathBuf>,
    prompt: Option<String>,
    transcript_path: Option<PathBuf>,
    stop_hook_active: bool,
}

/// Answers the host, or not.
pub(crate) fn answer(asked: &args::Hook, arguments: &Arguments) -> Output {
    let output = hook_output(&asked.event, arguments).unwrap_or_else(|failure| {
        give_up(&failure.in_one_line());
        None
    });
    Output::exactly(output.map(|output| output.to_string()).unwrap_or_default())
}

/// Says why there is no answer, in one line.
pub(crate) fn give_up(why: &str) {
    let line: Vec<&str> = why.split_whitespace().collect();
    let _ = writeln!(std::io::stderr().lock(), "elfmem hook: {}", strip_hidden(&line.join(" ")));
}

fn hook_output(event: &str, arguments: &Arguments) -> Result<Option<Value>, Failure> {
    let call = call()?;
    match event {
        "session-start" => Ok(context("SessionStart", beginning(&open(&call, arguments)?)?)),
        "prompt" => {
            let question = question_in(call.prompt.as_deref().unwrap_or(""));
            if question.trim().is_empty() {
                return Ok(None);
            }
            Ok(context("UserPromptSubmit", about(&question, &open(&call, arguments)?)?))
        }
        "stop" => Ok(reminder(&call)),
        other => Err(Failure::unknown_event(other)),
    }
}

fn call() -> Result<Call, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err(Failure::no_host());
    }
    let mut bytes = Vec::new();
    let read = stdin.lock().take(MOST_INPUT_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| Failure::unreadable("standard input", &error))?;
    let object: serde_json::Map<String, Value> =
        serde_json::from_slice(&bytes).map_err(|error| Failure::bad_call(&error))?;
    serde_json::from_value(Value::Object(object)).map_err(|error| Failure::bad_call(&error))
}

/// What a prompt asks. In a long one it stands at the beginning or at the end, and what is pasted in between says little.
fn question_in(prompt: &str) -> String {
    let prompt = prompt.trim();
    if prompt.chars().nth(QUESTION_CHARACTERS).is_none() {
        return prompt.to_owned();
    }
    let mut paragraphs = prompt.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let beginning = |paragraph: &str| paragraph.chars().take(QUESTION_CHARACTERS / 2).collect::<String>();
    let first = paragraphs.next().map(beginning).unwrap_or_default();
    match paragraphs.last().map(beginning) {
        Some(last) => format!("{first}\n{last}"),
        None => first,
    }
}

/// A memory and how many blocks a frame shows.
struct Opened {
    memory: Memory<SqliteStore>,
    top_k: usize,
}

/// Opens the memory of the folder the host works in.
fn open(call: &Call, arguments: &Arguments) -> Result<Opened, Failure> {
    let around = match call.cwd.as_deref().filter(|folder| folder.is_dir()) {
        Some(folder) => Surroundings::of(folder),
        None => Surroundings::here()?,
    };
    let database = Database::discover_around(&around, arguments)?;
    let top_k = usize::try_from(database.settings.config.recall.top_k).unwrap_or(usize::MAX);
    Ok(Opened { memory: database.open_to_look(arguments)?, top_k })
}

fn context(event: &str, text: Option<String>) -> Option<Value> {
    text.map(|text| json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
}

/// Who the agent is, and what has been on its mind.
fn beginning(opened: &Opened) -> Result<Option<String>, Failure> {
    let frame = |name: &str| opened.memory.frame(RenderFrame::new(name).top_k(opened.top_k));
    let (own, attention) = (frame("self")?, frame("attention")?);
    let identity = (!own.blocks.is_empty()).then_some(own.text);
    let parts: Vec<String> = identity.into_iter().chain(with_ids(&attention)).collect();
    Ok((!parts.is_empty()).then(|| parts.join("\n\n")))
}

/// What the memory holds about a question; nothing when it knows of nothing. Only what is shown counts as used, so it looks first.
fn about(question: &str, opened: &Opened) -> Result<Option<String>, Failure> {
    let asked = RenderFrame::new("attention").query(question).top_k(opened.top_k);
    let seen = opened.memory.frame(asked.clone().preview())?;
    if seen.blocks.is_empty() || seen.strength == Some(Strength::Weak) {
        return Ok(None);
    }
    Ok(with_ids(&opened.memory.frame(asked)?))
}

/// A rendering, and the ids to say later how well its blocks served.
fn with_ids(shown: &FrameResult) -> Option<String> {
    if shown.blocks.is_empty() {
        return None;
    }
    let ids: Vec<&str> = shown.blocks.iter().map(|block| block.id.short()).collect();
    Some(format!("{}\nelfmem blocks, the best first: {}", shown.text, ids.join(" ")))
}

/// Asks the agent once in a session to keep what it learned, unless it has done so.
fn reminder(call: &Call) -> Option<Value> {
    let cared_for = call.transcript_path.as_deref().is_some_and(|transcript| mentions(transcript, &CARED_FOR));
    if call.stop_hook_active || cared_for {
        return None;
    }
    let reason = format!(
        "{REMINDER_MARK}, keep what this session taught you. Store each decision, preference or finding worth having next time with \
         `elfmem remember`, one fact per call, and say how well recalled blocks served with `elfmem outcome ID --signal 0.9` (1 perfect, 0 \
         harmful). If there is nothing worth keeping, just stop."
    );
    Some(json!({"decision": "block", "reason": reason}))
}

/// Whether the end of a file mentions one of some words. A file that cannot be read mentions nothing.
fn mentions(file: &Path, words: &[&str]) -> bool {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = std::fs::File::open(file)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(MOST_TRANSCRIPT_BYTES)))?;
        let mut bytes = Vec::new();
        file.take(MOST_TRANSCRIPT_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let text = read().unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    words.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_prompt_asks_with_its_beginning_and_its_end() {
        assert_eq!(question_in("  short and whole\n\nwith a gap "), "short and whole\n\nwith a gap");
        let log = "é 2026 error\n".repeat(500);
        assert_eq!(
            question_in(&format!("Why does it fail?\n\n{log}\n\nIt did not last week.")),
            "Why does it fail?\nIt did not last week."
        );
        assert_eq!(question_in(&"é".repeat(9_999)).chars().count(), QUESTION_CHARACTERS / 2);
    }
}
