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
mod models;
mod output;
mod progress;
mod spoken;
mod style;

use std::process::ExitCode;

use clap::Parser;

use args::Arguments;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let format = arguments.format();
    match commands::run(&arguments).and_then(|output| output.print(format)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(format),
    }
}
