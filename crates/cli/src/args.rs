//! The arguments of the program.
//!
//! The commands of verbs are made from the catalog (`verb_command.rs`), and what is typed is read back as the verb's JSON
//! arguments (`typed_verb.rs`). By hand are the options of every command, the commands that are no verbs
//! (`program.rs`), the options of verbs that only a command line has (`own_options.rs`), and the examples.

mod argument;
mod examples;
mod groups;
mod own_options;
mod program;
mod serve;
mod setup;
#[cfg(test)]
mod tests;
mod transfer;
mod typed_verb;
mod value;
mod verb_command;

use std::path::PathBuf;

use clap::{ArgMatches, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::output::Format;
use crate::pager::Paging;

pub(crate) use groups::hint;
pub(crate) use own_options::{EXPLAIN, FULL, YES};
pub(crate) use program::*;
pub(crate) use serve::*;
pub(crate) use setup::*;
pub(crate) use transfer::*;
pub(crate) use typed_verb::{TypedVerb, VerbInput};

/// The heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// Adaptive memory for LLM agents, in one file, with no key and no server.
#[derive(Debug, Parser)]
#[command(
    name = "elfmem",
    version,
    propagate_version = true,
    // The options of a command are listed before those of every command.
    next_display_order = 100,
    after_help = "Examples:
  elfmem remember \"Maria is allergic to peanuts\"
  elfmem recall \"who can't eat nuts?\"
  git log -1 --format=%B | elfmem remember --tag topic/release
  elfmem ls --tag 'topic/%'
  elfmem status

The memory is the file that --db or ELFMEM_DB names, else .elfmem/memory.db in this folder or one above it, else memory.db in your data folder. `elfmem status` says which and why."
)]
pub(crate) struct Arguments {
    /// The memory to use
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Answer with one JSON object
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) json: bool,

    /// Do not show a long answer with a pager
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) no_pager: bool,

    /// The file that holds the key of an encrypted memory
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,

    /// How hard a write is pushed to the disk: `full` survives a power cut
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "MODE")]
    pub(crate) synchronous: Option<SynchronousMode>,

    /// The part of the memory to use: a project, an agent, a user
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "NAME")]
    pub(crate) scope: Option<String>,

    /// Also see what another scope holds; may be repeated
    #[arg(long = "inherit", global = true, help_heading = GLOBAL, value_name = "SCOPE")]
    pub(crate) inherited: Vec<String>,

    /// Where vectors come from: builtin, static, encoder, folder:PATH, openai:MODEL, ollama:MODEL
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "MODEL")]
    pub(crate) embedder: Option<String>,

    /// Who analyses blocks: rules, openai:MODEL, ollama:MODEL, anthropic:MODEL
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "MODEL")]
    pub(crate) analyst: Option<String>,

    /// Write log lines of this level: error, warn, info, debug, trace; CRATE=LEVEL for one crate
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FILTER")]
    pub(crate) log: Option<String>,

    /// Append log lines to this file instead of standard error
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FILE")]
    pub(crate) log_file: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { Format::Text }
    }

    pub(crate) fn paging(&self) -> Paging {
        if self.no_pager { Paging::Off } else { Paging::Long }
    }
}

/// How hard a write is pushed to the disk.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SynchronousMode {
    /// Survives the death of the program
    Normal,
    /// Survives a power cut too
    Full,
}

/// What the program is asked to do.
#[derive(Debug)]
pub(crate) enum Command {
    /// A verb of the catalog.
    Verb(TypedVerb),
    /// Something about the program and its files.
    Program(ProgramCommand),
}

impl Subcommand for Command {
    fn augment_subcommands(root: clap::Command) -> clap::Command {
        groups::group_help(ProgramCommand::augment_subcommands(verb_command::add_all(root)))
    }

    fn augment_subcommands_for_update(root: clap::Command) -> clap::Command {
        Self::augment_subcommands(root)
    }

    fn has_subcommand(name: &str) -> bool {
        ProgramCommand::has_subcommand(name) || verb_command::is_command(name)
    }
}

impl FromArgMatches for Command {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.subcommand() {
            Some((name, typed)) if verb_command::is_command(name) => TypedVerb::new(name, typed).map(Self::Verb),
            _ => ProgramCommand::from_arg_matches(matches).map(Self::Program),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
