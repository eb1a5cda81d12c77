//! `elfmem`: the command line of elfmem.
//!
//! Every command is a translation: arguments into a call of the library, its result into text for people or, with
//! `--json`, into the same dictionary that every other surface gives. Standard output is data, standard error is talk.

mod args;
mod commands;
mod configuration;
mod database;
mod environment;
mod failure;
mod input;
mod key;
mod layout;
mod local_time;
mod logging;
mod models;
mod output;
mod pager;
mod print;
mod private_file;
mod progress;
mod python_memory;
mod setup;
mod signals;
mod spoken;
mod style;

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use elfmem_engine::catalog::nearest;

use args::Arguments;
use failure::Failure;
use output::Format;
use print::{Content, printable};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refused(&with_nearest_command(error)),
    };
    signals::report_size_limits_as_errors();
    let format = arguments.format();
    let _log = logging::flush_at_exit();
    match commands::run(&arguments)
        .and_then(|output| output.print(format, arguments.paging()).map(|()| output.exit_code()))
    {
        Ok(code) => code,
        Err(failure) => failure.report(format),
    }
}

/// Suggests the command that is meant by a word that people type instead of it. Of several commands that look like what was
/// typed, it suggests the nearest: the parser lists them in no useful order.
fn with_nearest_command(mut error: clap::Error) -> clap::Error {
    let typed = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    let hint = typed.as_deref().and_then(args::hint);
    if let Some(hint) = hint {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![hint.to_owned()]));
        return error;
    }
    if let (Some(typed), Some(ContextValue::Strings(found))) = (typed, error.get(ContextKind::SuggestedSubcommand))
        && let Some(near) = nearest(&typed, found.iter().map(String::as_str)).map(str::to_owned)
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![near]));
    }
    error
}

/// What was typed cannot be understood. A host that calls a hook must not suffer from that: to it the usual code 2 means to stop.
fn refused(error: &clap::Error) -> ExitCode {
    let by_a_host = std::env::args_os().nth(1).is_some_and(|first| first == "hook");
    if by_a_host && error.use_stderr() {
        let told = error.to_string();
        let lines: Vec<&str> = told.lines().take_while(|line| !line.trim().is_empty()).collect();
        commands::hook::give_up(lines.join(" ").trim_start_matches("error: "));
        return ExitCode::SUCCESS;
    }
    let asks_for_json = std::env::args_os().any(|argument| argument == "--json");
    if asks_for_json && error.use_stderr() {
        Failure::usage(error).report(Format::Json);
        return ExitCode::from(2);
    }
    // The parser repeats what was typed; a secret among it must not get into a log, nor a control character to a terminal.
    let told = error.to_string();
    let (safe, _) = elfmem_text::secrets::redact(&told);
    let fits = layout::error_width().is_none_or(|width| layout::wrap(&told, width) == told);
    if safe == told && printable(&told, Content::Fenced) == told && (fits || !error.use_stderr()) {
        error.exit();
    }
    print::talk(safe.trim_end(), Content::Fenced);
    ExitCode::from(2)
}
