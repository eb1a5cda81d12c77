//! The commands, one file each; this one sends the arguments to the right one.

mod adopt;
mod available_models;
mod backup;
mod blocks;
mod browse;
mod config;
mod confirm;
mod connect;
mod contradictions;
mod curate;
mod cut;
mod demo;
mod doctor;
mod documents;
mod dream;
mod events;
mod export;
mod frame;
mod history;
pub(crate) mod hook;
mod import;
mod init;
mod lineage;
mod log;
mod man;
mod models;
mod outcome;
mod plugin;
mod proposals;
mod purge;
mod recall;
mod review;
mod scopes;
mod secrets;
mod serve;
mod settle;
mod status;
mod tags;
mod undo;
mod verbs;
mod verify;

use clap::CommandFactory;
use elfmem_engine::Memory;
use elfmem_store_sqlite::SqliteStore;

use crate::args::{Arguments, Command, ProgramCommand, ScopeAction};
use crate::database::{Database, options};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) use verbs::calls_model;

/// Opens the memory that the arguments name. Some commands must work where none can be opened.
struct MemoryOpener<'a>(&'a Arguments);

impl MemoryOpener<'_> {
    fn database(&self) -> Result<Database, Failure> {
        Database::discover(self.0)
    }

    /// Opens it to change it. A missing file is made.
    fn open(&self) -> Result<Memory<SqliteStore>, Failure> {
        self.database()?.open(self.0)
    }

    /// Opens it to look at it. A missing file reads as an empty memory.
    fn look(&self) -> Result<Memory<SqliteStore>, Failure> {
        self.database()?.open_to_look(self.0)
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Output, Failure> {
    match &arguments.command {
        Command::Verb(typed) => verbs::run(typed, arguments),
        Command::Program(command) => run_program(command, arguments),
    }
}

fn run_program(command: &ProgramCommand, arguments: &Arguments) -> Result<Output, Failure> {
    let memory = MemoryOpener(arguments);
    match command {
        ProgramCommand::Adopt(asked) => adopt::adopt(asked, &memory.database()?),
        ProgramCommand::Backup(asked) => backup::backup(asked, &memory.database()?, || memory.look()),
        ProgramCommand::RestoreBackup(asked) => backup::restore_backup(asked, &memory.database()?),
        ProgramCommand::Browse => browse::browse(|| memory.open()),
        ProgramCommand::Export(asked) => export::export(asked, &memory.look()?),
        ProgramCommand::Import(asked) => {
            let settings = memory.database()?.settings;
            let view = options(&settings.config).view;
            import::import(asked, &view, &settings, || if asked.dry_run { memory.look() } else { memory.open() })
        }
        ProgramCommand::Models(asked) => models::models(&memory.database()?.settings, asked, &memory.look()?),
        ProgramCommand::Completions { shell } => Ok(completions(*shell)),
        ProgramCommand::Config(asked) => config::config(asked.action, arguments),
        ProgramCommand::Demo(asked) => demo::demo(asked, arguments.format()),
        ProgramCommand::Doctor(asked) => doctor::doctor(asked, arguments),
        ProgramCommand::Hook(asked) => Ok(hook::answer(asked, arguments)),
        ProgramCommand::Init(asked) => init::init(asked, arguments),
        ProgramCommand::Man { dir } => man::man(dir.as_deref()),
        ProgramCommand::Scope(ScopeAction::Ls) => {
            let view = options(&memory.database()?.settings.config).view;
            scopes::list(&memory.look()?, &view)
        }
        ProgramCommand::Tags => tags::tags(&memory.look()?),
        ProgramCommand::Serve(asked) => serve::serve(asked, memory.database()?),
    }
}

fn completions(shell: clap_complete::Shell) -> Output {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "elfmem", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let json = serde_json::json!({"shell": shell.to_string(), "script": script});
    Output::new(script, &json)
}
