//! The one place that turns an error into words and an exit code.

use std::path::Path;
use std::process::ExitCode;

use elfmem_config::ConfigError;
use elfmem_engine::catalog::{all, guide, nearest};
use elfmem_engine::{Error, TransferError};
use elfmem_store::StoreError;
use elfmem_text::phrase::one_line;
use serde_json::json;

use crate::output::Format;
use crate::print::{self, Content};
use crate::spoken::error_as_typed;
use crate::style::{BAD, DIM};

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) recovery: String,
}

impl From<elfmem_engine::Error> for Failure {
    fn from(error: elfmem_engine::Error) -> Self {
        let mut recovery = error.recovery();
        if let Some(options) = options_for(&error) {
            recovery = format!("{recovery} {options}");
        }
        Self { kind: error.kind().as_str(), message: error.message(), recovery }
    }
}

/// Returns the options of the command line that help after an error of the library, which does not know them.
fn options_for(error: &elfmem_engine::Error) -> Option<&'static str> {
    match error {
        Error::Storage(
            StoreError::Full { .. }
            | StoreError::Unreachable { .. }
            | StoreError::ReadOnly { .. }
            | StoreError::NotElfmem { .. }
            | StoreError::Newer { .. }
            | StoreError::Damaged { .. },
        ) => Some("Another file is chosen with --db FILE or ELFMEM_DB."),
        Error::Storage(StoreError::Locked { .. }) => {
            Some("The key is given with --key-file FILE, ELFMEM_KEY_FILE or ELFMEM_KEY, the file with --db FILE.")
        }
        Error::Storage(StoreError::NotEncrypted { .. }) => {
            Some("The new file is named with --db NEW, and filled with `elfmem import`.")
        }
        Error::Storage(StoreError::NoEncryption) => Some("cargo install --path crates/cli --features encryption"),
        Error::Storage(StoreError::Exists { .. }) => Some("--force replaces it."),
        Error::Storage(StoreError::BadRows { .. }) => {
            Some("That is elfmem adopt FILE --leave-out, or elfmem import FILE --leave-out into another memory.")
        }
        Error::Transfer(TransferError::UnknownFormat | TransferError::OtherFormat { .. }) => {
            Some("It is given with --from FORMAT.")
        }
        Error::SecretInText { .. } => Some("On the command line that is --allow-secrets."),
        Error::EmptyContent => Some("It is an argument, or comes from standard input."),
        _ => None,
    }
}

impl Failure {
    fn input(message: impl Into<String>, recovery: impl Into<String>) -> Self {
        Self { kind: elfmem_engine::ErrorKind::Input.as_str(), message: message.into(), recovery: recovery.into() }
    }

    /// What was typed cannot be understood. The parser's first line says why, and its tips what to do.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        let told = error.to_string();
        if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            return Self::missing_subcommand(&told);
        }
        let mut paragraphs = told.split("\n\n").map(one_line);
        let message = paragraphs.next().unwrap_or_default();
        let tips: Vec<String> = paragraphs.filter_map(|line| Some(line.strip_prefix("tip: ")?.to_owned())).collect();
        let recovery = match tips.is_empty() {
            true => "`elfmem help COMMAND` says what a command takes.".to_owned(),
            false => tips.join(" "),
        };
        Self::input(message.trim_start_matches("error: "), recovery)
    }

    /// A command was typed without its sub-command; the help that the parser would print lists them.
    fn missing_subcommand(help: &str) -> Self {
        let usage = help.lines().find_map(|line| line.strip_prefix("Usage: elfmem ")).unwrap_or_default();
        let command: Vec<&str> = usage.split(' ').take_while(|word| !word.starts_with(['[', '<'])).collect();
        let below = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let name = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
        let names: Vec<String> = below.map(name).filter(|name| name != "help").collect();
        match command.is_empty() || names.is_empty() {
            true => Self::input("A command is missing.", "`elfmem help` lists the commands."),
            false => {
                let command = command.join(" ");
                let message = format!("{command} needs a sub-command: {}.", names.join(", "));
                Self::input(message, format!("`elfmem help {command}` says what they do."))
            }
        }
    }

    pub(crate) fn not_text(source: &str) -> Self {
        Self::input(format!("{source} is not UTF-8 text."), "Convert it to UTF-8 first, for example with iconv.")
    }

    pub(crate) fn unreadable(source: &str, error: &std::io::Error) -> Self {
        Self::input(format!("Cannot read {source}: {error}."), "Check the name and that you may read it.")
    }

    pub(crate) fn not_a_time(text: &str) -> Self {
        Self::input(
            format!("'{text}' names no time."),
            "Give a date such as 2026-05-08, a time such as 2026-05-08T13:56:00Z, or words such as 'last week'.",
        )
    }

    pub(crate) fn nothing_given() -> Self {
        elfmem_engine::Error::EmptyContent.into()
    }

    pub(crate) fn no_messages() -> Self {
        Self::input(
            "The conversation has no messages.",
            "Give a JSON list of objects with speaker, content and at: `elfmem help remember` shows one.",
        )
    }

    pub(crate) fn no_home() -> Self {
        Self::config("Your home folder is unknown.", "Name the memory with --db FILE or ELFMEM_DB.")
    }

    pub(crate) fn no_folder(error: &std::io::Error) -> Self {
        Self::config(format!("The current folder cannot be read: {error}."), "Change to a folder that exists.")
    }

    pub(crate) fn unreadable_key(file: &Path, problem: &str) -> Self {
        Self::config(
            format!("The key cannot be read from {}: {problem}.", file.display()),
            "Name the file that holds it: --key-file FILE, ELFMEM_KEY_FILE, or database.key_file in your settings.",
        )
    }

    pub(crate) fn two_keys() -> Self {
        Self::config(
            "ELFMEM_KEY holds a key, and ELFMEM_KEY_FILE names a file with one.",
            "Unset one of them, or name the file with --key-file, which goes before both.",
        )
    }

    pub(crate) fn config(message: impl Into<String>, recovery: impl Into<String>) -> Self {
        Self { kind: elfmem_engine::ErrorKind::Config.as_str(), message: message.into(), recovery: recovery.into() }
    }

    pub(crate) fn unknown_model(name: &str) -> Self {
        Self::config(
            format!("'{name}' names no model."),
            "Use builtin, static, encoder, folder:PATH, openai:MODEL or ollama:MODEL to embed, and rules, \
             openai:MODEL, ollama:MODEL or anthropic:MODEL to analyse.",
        )
    }

    pub(crate) fn unknown_event(given: &str) -> Self {
        Self::input(
            format!("There is no hook '{given}'."),
            "Use session-start, prompt, stop, pre-compact or session-end.",
        )
    }

    pub(crate) fn no_host() -> Self {
        Self::input(
            "There is no host on standard input.",
            "`elfmem init --hooks` registers the hooks with Claude Code.",
        )
    }

    pub(crate) fn not_started(what: &str, error: &std::io::Error) -> Self {
        Self::config(format!("Cannot start {what}: {error}."), "Run `elfmem doctor`.")
    }

    pub(crate) fn bad_call(error: &serde_json::Error) -> Self {
        Self::input(format!("What the host handed in cannot be read: {error}."), "Give one JSON object.")
    }

    pub(crate) fn broken_tour(problem: &str) -> Self {
        Self::input(format!("The tour is broken: {problem}."), "Report it; `elfmem --help` shows the way meanwhile.")
    }

    /// What happened and what to do, for those who have one line.
    pub(crate) fn in_one_line(&self) -> String {
        format!("{}. {}", self.message.trim_end().trim_end_matches('.'), self.recovery)
    }

    pub(crate) fn home_is_no_project() -> Self {
        Self::input(
            "Your home folder is not a project.",
            "Change to the folder of a project first. Outside of projects elfmem needs no set-up: it uses the memory in your data folder.",
        )
    }

    pub(crate) fn unknown_seed(given: &str, choices: &[&str]) -> Self {
        Self::input(
            format!("'{given}' is neither a built-in choice of principles nor a file."),
            format!("Use {}, or a text file with one principle per paragraph.", choices.join(", ")),
        )
    }

    /// A file of someone else that elfmem should add to and cannot.
    pub(crate) fn unusable_file(file: &str, problem: &str) -> Self {
        Self::input(
            format!("Cannot add elfmem to {file}: {problem}."),
            "Correct the file or move it away, and repeat the command. Nothing was changed.",
        )
    }

    pub(crate) fn unwritable_file(file: &Path, error: &std::io::Error) -> Self {
        Self::input(
            format!("Cannot write {}: {error}.", file.display()),
            "Check that you may write there and that the disk is not full, and repeat the command.",
        )
    }

    /// The first thing that is wrong with the settings; all of them are for `config show`.
    pub(crate) fn bad_settings(problems: &[ConfigError]) -> Self {
        let Some(first) = problems.first() else { return Self::config("The settings cannot be used.", "") };
        let more = match problems.len() - 1 {
            0 => String::new(),
            more => format!(" {more} more: `elfmem config show` lists them."),
        };
        Self::config(format!("{first}{more}"), first.recovery())
    }

    pub(crate) fn bad_json(typed: &str, error: &serde_json::Error, recovery: impl Into<String>) -> Self {
        Self::input(format!("{typed} cannot be read as JSON: {error}."), recovery)
    }

    pub(crate) fn not_finite(name: &str) -> Self {
        Self::input(format!("The {name} must be a finite number."), "Give a number such as 0.5.")
    }

    pub(crate) fn not_a_pair(typed: &str, form: &str, given: &str) -> Self {
        Self::input(
            format!("'{given}' cannot be used for {typed}."),
            format!("Give {form}, two texts with an equals sign between them."),
        )
    }

    pub(crate) fn no_terminal() -> Self {
        Self::input(
            "browse needs a terminal.",
            "Without one, `elfmem recall QUESTION`, `elfmem ls` and `elfmem show BLOCK` read the memory.",
        )
    }

    pub(crate) fn unusable_terminal(error: &impl std::fmt::Display) -> Self {
        Self::input(
            format!("{error}."),
            "`elfmem recall QUESTION`, `elfmem ls` and `elfmem show BLOCK` read the memory without a screen.",
        )
    }

    pub(crate) fn unconfirmed(message: &str) -> Self {
        Self::input(message, "Repeat it with --yes if you mean it. Nothing was changed.")
    }

    pub(crate) fn exists(place: &Path, is_folder: bool) -> Self {
        let recovery = match is_folder {
            true => "Choose another name, or an empty folder.",
            false => "Choose another name, or repeat with --force to replace that file.",
        };
        Self::input(format!("{} exists already.", place.display()), recovery)
    }

    pub(crate) fn no_memory(path: &Path) -> Self {
        Self::config(
            format!("There is no memory at {} yet.", path.display()),
            "Remember something first, or name another memory with --db FILE.",
        )
    }

    pub(crate) fn read_only(path: &Path) -> Self {
        Self::config(
            format!("The memory at {} can only be read. Nothing was changed.", path.display()),
            "Make the file and its folder writable for you, or work on a copy: `elfmem backup COPY.db`, then --db COPY.db.",
        )
    }

    /// Answers a client of a server, who chose neither the memory nor the user that the server runs as.
    pub(crate) fn served_read_only(path: &Path) -> Self {
        let recovery = "Everything that only reads works. Whoever runs the server can make the file and its folder writable for it, \
                        or let it serve a copy.";
        Self { recovery: recovery.to_owned(), ..Self::read_only(path) }
    }

    pub(crate) fn no_folder_for_markdown() -> Self {
        Self::input("Markdown is a folder of files.", "Name a folder: elfmem export --format markdown FOLDER.")
    }

    pub(crate) fn archive(name: &str) -> Self {
        Self::input(format!("{name} is a ZIP archive."), "Unpack it, then import the file or folder inside.")
    }

    pub(crate) fn too_large(name: &str, limit: u64) -> Self {
        Self::input(format!("{name} is larger than {limit} bytes."), "Import it in several parts.")
    }

    pub(crate) fn nothing_to_import(folder: &Path) -> Self {
        Self::input(
            format!("There is no Markdown file in {}: nothing was imported, and nothing archived.", folder.display()),
            "Name the folder that holds the .md files, or a file. If you deleted the notes of this folder, forget each: \
             `elfmem ls --documents` lists them, `elfmem forget --document NAME` forgets one.",
        )
    }

    pub(crate) fn no_card(name: &str) -> Self {
        let near = nearest(name.trim(), all().flat_map(|verb| [verb.command, verb.name]));
        let hint = near.map(|near| format!("Did you mean `elfmem guide {near}`? ")).unwrap_or_default();
        Self::input(guide(Some(name)), format!("{hint}`elfmem guide` lists them all."))
    }

    pub(crate) fn unwritable(error: &std::io::Error) -> Self {
        Self::config(format!("Cannot write the answer: {error}."), "Check where standard output goes.")
    }

    /// Returns the message and the recovery text.
    pub(crate) fn message_and_recovery(&self) -> (&str, &str) {
        (&self.message, &self.recovery)
    }

    /// Says what happened and what to do, on standard error.
    pub(crate) fn report(&self, format: Format) -> ExitCode {
        // What was typed or read may be repeated in a message; a secret in it is not.
        let (kind, recovery) = (self.kind, &self.recovery);
        let message = &elfmem_text::secrets::redact(&self.message).0;
        let [message, recovery] = [error_as_typed(message), error_as_typed(recovery)];
        match format {
            Format::Json => {
                let error = json!({"error": {"kind": kind, "message": message, "recovery": recovery}});
                print::talk(&error.to_string(), Content::Json);
            }
            Format::Text => {
                let text = format!("{BAD}error:{BAD:#} {message}\n{DIM}Recovery:{DIM:#} {recovery}");
                print::talk(&text, Content::Fenced);
            }
        }
        ExitCode::FAILURE
    }
}
