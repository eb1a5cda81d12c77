//! `hook`: what Claude Code and hosts like it call while an agent works.
//!
//! The host hands in one JSON object and takes one back. It must never suffer from us: whatever goes wrong, the answer is nothing, one
//! line on standard error says why, and the exit code is 0 (2 would stop the host).

mod call;
mod injection;
mod reminder;
mod transcript;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use elfmem_engine::{HostSession, Memory};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::asking::asks_something;
use elfmem_text::terms::strip_hidden;
use serde_json::{Value, json};

use crate::args::{self, Arguments};
use crate::configuration::Surroundings;
use crate::database::Database;
use crate::failure::Failure;
use crate::output::Output;
use call::Call;
use reminder::reminder_text;
use transcript::WorkDone;

/// The event at the end of a session.
const SESSION_END: &str = "session-end";
/// The event of the process that the end of a session starts.
const CONSOLIDATE: &str = "consolidate";

/// What a summary of the session should keep. The host adds it to its own instructions for the summary.
const FOR_THE_SUMMARY: &str = "elfmem: list in the summary every decision, preference or finding of this session that is \
    worth having next time and was not stored with `elfmem remember` or `elfmem_learn` yet, so that it can be stored after \
    the summary, one fact per call.";

/// Answers the host, or not.
pub(crate) fn answer(asked: &args::Hook, arguments: &Arguments) -> Output {
    let output = hook_output(&asked.event, arguments).unwrap_or_else(|failure| {
        give_up(&failure.in_one_line());
        None
    });
    Output::exactly(output.unwrap_or_default())
}

/// Says why there is no answer, in one line.
pub(crate) fn give_up(why: &str) {
    let line: Vec<&str> = why.split_whitespace().collect();
    let _ = writeln!(std::io::stderr().lock(), "elfmem hook: {}", strip_hidden(&line.join(" ")));
}

fn hook_output(event: &str, arguments: &Arguments) -> Result<Option<String>, Failure> {
    let given = call::read()?;
    let call = Call::parse(&given)?;
    let open = || OpenedMemory::open(&call, arguments);
    match event {
        "session-start" => Ok(context("SessionStart", injection::beginning(&call, &open()?)?)),
        "prompt" if !call.prompt.as_deref().is_some_and(asks_something) => Ok(None),
        "prompt" => Ok(context("UserPromptSubmit", injection::about(&call, &open()?)?)),
        "stop" => reminder(&call, arguments),
        "pre-compact" => summary_instructions(&call, arguments),
        SESSION_END => start_consolidation(&given).map(|()| None),
        CONSOLIDATE => consolidate(&open()?).map(|()| None),
        other => Err(Failure::unknown_event(other)),
    }
}

/// A memory, and the settings of hooks.
struct OpenedMemory {
    memory: Memory<SqliteStore>,
    /// How many blocks a frame shows.
    top_k: usize,
    /// Most tokens that are added for a prompt.
    prompt_tokens: u32,
    /// How long the end of a session consolidates; none if it does not.
    consolidation_time: Option<Duration>,
}

impl OpenedMemory {
    /// Opens the memory of the folder the host works in.
    fn open(call: &Call, arguments: &Arguments) -> Result<Self, Failure> {
        let around = match call.cwd.as_deref().filter(|folder| folder.is_dir()) {
            Some(folder) => Surroundings::of(folder),
            None => Surroundings::here()?,
        };
        let database = Database::discover_around(&around, arguments)?;
        let config = &database.settings.config;
        Ok(Self {
            top_k: usize::try_from(config.recall.top_k).unwrap_or(usize::MAX),
            prompt_tokens: u32::try_from(config.hooks.prompt_tokens).unwrap_or(u32::MAX),
            consolidation_time: (config.session.consolidate)
                .then(|| Duration::from_secs(config.session.consolidate_seconds)),
            memory: database.open_to_look(arguments)?,
        })
    }

    /// What the host was told in this session; nothing where it names none.
    fn session(&self, call: &Call) -> Result<HostSession, Failure> {
        match call.session() {
            Some(id) => Ok(self.memory.host_session(id)?),
            None => Ok(HostSession::default()),
        }
    }

    /// Notes what the host was told. A memory that cannot be written answers all the same.
    fn note(&self, call: &Call, change: impl Fn(&mut HostSession)) {
        if let Some(id) = call.session() {
            let _ = self.memory.note_host_session(id, change);
        }
    }
}

fn context(event: &str, text: Option<String>) -> Option<String> {
    let output = |text| json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}).to_string();
    text.map(output)
}

/// Asks the agent once in a session to keep what it learned: after real work, and unless it has done so. Without a
/// transcript nothing is known of the work, and nothing is asked.
fn reminder(call: &Call, arguments: &Arguments) -> Result<Option<String>, Failure> {
    let done = call.transcript_path.as_deref().and_then(WorkDone::read);
    if call.stop_hook_active || !done.is_some_and(|done| done.is_real() && !done.kept && !done.reminded) {
        return Ok(None);
    }
    let opened = OpenedMemory::open(call, arguments)?;
    if opened.session(call)?.reminded {
        return Ok(None);
    }
    opened.note(call, |session| session.reminded = true);
    Ok(Some(json!({"decision": "block", "reason": reminder_text(call)}).to_string()))
}

/// What the summary of a session should keep, if there was work in it. What was shown goes with the context, so that it may be
/// shown again.
fn summary_instructions(call: &Call, arguments: &Arguments) -> Result<Option<String>, Failure> {
    let done = call.transcript_path.as_deref().and_then(WorkDone::read);
    let opened = OpenedMemory::open(call, arguments)?;
    opened.note(call, |session| session.shown.clear());
    Ok(done.filter(|done| done.is_real()).map(|_| FOR_THE_SUMMARY.to_owned()))
}

/// Starts a process that consolidates, and does not wait for it: the host is about to go.
fn start_consolidation(given: &Value) -> Result<(), Failure> {
    let start = || -> std::io::Result<()> {
        let arguments = std::env::args_os().skip(1);
        let arguments = arguments.map(|one| if one == SESSION_END { CONSOLIDATE.into() } else { one });
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Its own process group: what the host sends to its children does not end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut started = command.spawn()?;
        match started.stdin.take() {
            Some(mut stdin) => stdin.write_all(given.to_string().as_bytes()),
            None => Ok(()),
        }
    };
    start().map_err(|error| Failure::not_started("the consolidation", &error))
}

/// Consolidates within the time that the settings give.
fn consolidate(opened: &OpenedMemory) -> Result<(), Failure> {
    if let Some(time) = opened.consolidation_time {
        opened.memory.dream_for(time)?;
    }
    Ok(())
}
