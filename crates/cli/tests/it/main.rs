//! The program as its users see it: whole processes, real files.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod across_surfaces;
mod adopting;
mod bad_input;
mod calibrating;
mod commands;
mod configuring;
mod crashes;
mod discovery;
mod documents;
mod dreaming;
mod encryption;
mod examining;
#[cfg(unix)]
mod files;
mod graph;
mod hooking;
#[cfg(unix)]
mod hostile_text;
mod http;
mod keys;
mod logging;
mod many_processes;
mod mcp;
mod moving;
#[cfg(unix)]
mod read_only;
#[cfg(unix)]
mod readme;
mod recalling;
mod red_team;
mod reference;
mod reviewing;
mod scopes;
#[cfg(unix)]
mod screens;
#[cfg(unix)]
mod scripts;
mod setting_up;
mod slow_model;
mod story;
mod task_frames;
mod telling;
mod tending;
#[cfg(unix)]
mod terminal;
mod touring;
mod untrusted_marks;
mod vaults;
mod verifying;
#[cfg(unix)]
mod vocabulary;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder that is its own home, so that no test sees the memory of another, of the person running it, or in a folder above:
/// projects are looked for below the home folder.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
}

/// What a command answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Answer {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file that only its owner can read.
    pub(crate) fn write_private(&self, name: &str, text: &str) {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(self.file(name)).unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// The program, in this folder, with nothing of the caller's environment that matters to it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elfmem"));
        command.args(arguments).current_dir(self.path()).env("HOME", self.path()).stdin(Stdio::null());
        // Times are shown in the zone of the machine.
        command.env("TZ", "UTC");
        // Installed, as far as hosts can tell.
        let program = Path::new(env!("CARGO_BIN_EXE_elfmem")).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env("PATH", std::env::join_paths([program].into_iter().chain(std::env::split_paths(&path))).unwrap());
        let settings = elfmem_config::KEYS.iter().map(|key| OsString::from(key.variable));
        let others = elfmem_config::OTHER_VARIABLES.iter().map(|variable| OsString::from(variable.name));
        // Any other variable with our prefix would show up in `config show`: ELFMEM_WRITE_DOCS, for one.
        let prefixed =
            std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("ELFMEM_"));
        for variable in settings.chain(others).chain(prefixed) {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        self.command(arguments).output().unwrap().into()
    }

    /// Runs it with something on standard input.
    pub(crate) fn pipe(&self, input: &[u8], arguments: &[&str]) -> Answer {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program may refuse before it has read everything.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap().into()
    }

    /// Runs it, expecting success; what it said.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let answer = self.run(arguments);
        assert_eq!(answer.code, 0, "{arguments:?}: {answer:?}");
        assert_eq!(answer.stderr, "", "nothing to say about success");
        answer.stdout
    }

    /// Runs it, expecting success; the data, and what it said about it on standard error.
    pub(crate) fn said(&self, arguments: &[&str]) -> String {
        let answer = self.run(arguments);
        assert_eq!(answer.code, 0, "{arguments:?}: {answer:?}");
        answer.stdout + &answer.stderr
    }

    /// Runs it, expecting a clear error with a way out; what it said.
    pub(crate) fn fails(&self, arguments: &[&str]) -> String {
        clear_error(&self.run(arguments))
    }
}

/// Exit code 1, nothing on standard output, what happened and what to do on standard error.
pub(crate) fn clear_error(answer: &Answer) -> String {
    assert_eq!((answer.code, answer.stdout.as_str()), (1, ""), "{answer:?}");
    assert!(answer.stderr.starts_with("error: ") && answer.stderr.contains("\nRecovery: "), "{answer:?}");
    assert!(!answer.stderr.contains("panicked"), "{answer:?}");
    answer.stderr.clone()
}
