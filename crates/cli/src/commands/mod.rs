//! The commands, one file each; this one sends the arguments to the right one.

mod backup;
mod blocks;
mod care;
mod config;
mod confirm;
mod connect;
mod contradictions;
mod curate;
mod demo;
mod doctor;
mod dream;
mod events;
mod export;
mod frame;
mod history;
pub(crate) mod hook;
mod import;
mod init;
mod learn;
mod lineage;
mod log;
mod man;
mod models;
mod outcome;
mod proposals;
mod purge;
mod recall;
mod secrets;
mod serve;
mod session;
mod status;
mod time;
mod undo;
mod verify;

use clap::CommandFactory;
use elfmem_engine::{Clock, Memory, Request, SystemClock};
use elfmem_store_sqlite::SqliteStore;

use crate::args::{Arguments, Command};
use crate::database::{Database, options};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) use learn::text_of;

/// The memory that the arguments ask for, looked for only when a command wants it: some must work where none can be had.
struct Wanted<'a>(&'a Arguments);

impl Wanted<'_> {
    fn database(&self) -> Result<Database, Failure> {
        Database::discover(self.0)
    }

    /// To change it; the file is made when it is missing.
    fn open(&self) -> Result<Memory<SqliteStore>, Failure> {
        self.database()?.open(self.0)
    }

    /// To look at it; a missing file reads as an empty memory.
    fn look(&self) -> Result<Memory<SqliteStore>, Failure> {
        self.database()?.open_to_look(self.0)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Output, Failure> {
    let memory = Wanted(arguments);
    match &arguments.command {
        Command::Remember(remember) => learn::remember(remember, || memory.open()),
        Command::LearnDocument(document) => learn::document(document, || memory.open()),
        Command::Recall(recall) => recall::recall(recall, &memory.database()?.settings.config.recall, &memory.look()?),
        Command::Why(why) => recall::why(why, &memory.database()?.settings.config.recall, &memory.look()?),
        Command::Frame(frame) => {
            let recalling = memory.database()?.settings.config.recall;
            frame::frame(frame, &recalling, || memory.open(), || memory.look())
        }
        Command::Dream(dream) => dream::dream(dream, &memory.open()?),
        Command::Contradictions(asked) => contradictions::contradictions(asked, &memory.look()?),
        Command::Edit(edit) => care::edit(edit, || memory.look()),
        Command::Forget(forget) => care::forget(forget, &memory.look()?),
        Command::Restore(named) => care::restore(named, &memory.look()?),
        Command::Pin(named) => care::pin(named, &memory.look()?),
        Command::Unpin(named) => care::unpin(named, &memory.look()?),
        Command::Supersede(pair) => care::supersede(pair, &memory.look()?),
        Command::Purge(purge) => purge::purge(purge, &memory.look()?),
        Command::Blame(named) => lineage::blame(named, &memory.look()?),
        Command::Influence(named) => lineage::influence(named, &memory.look()?),
        Command::Retract(asked) => lineage::retract(asked, &memory.look()?),
        Command::Secrets(asked) => secrets::secrets(asked, &memory.look()?),
        Command::Tag(tags) => care::tag(tags, &memory.look()?),
        Command::Proposals(asked) => proposals::proposals(asked, &memory.look()?),
        Command::Undo(undo) => undo::undo(undo, &memory.look()?),
        Command::History(asked) => history::history(asked, &memory.look()?),
        Command::Connect(asked) => connect::connect(asked, &memory.look()?),
        Command::Connects(list) => connect::connects(list, || memory.look()),
        Command::Disconnect(asked) => connect::disconnect(asked, &memory.look()?),
        Command::Event(asked) => events::event(asked, || memory.open(), || memory.look()),
        Command::Context(asked) => events::context(asked, &memory.look()?),
        Command::Link(asked) => events::link(asked, &memory.look()?),
        Command::Unlink(asked) => events::unlink(asked, &memory.look()?),
        Command::Links(asked) => events::links(asked, &memory.look()?),
        Command::Chain(asked) => events::chain(asked, &memory.look()?),
        Command::Retrieve(asked) => events::retrieve(asked, &memory.look()?),
        Command::Insights(asked) => events::insights(asked, &memory.look()?),
        Command::Graduate(asked) => events::graduate(asked, &memory.look()?),
        Command::Outcome(outcome) => outcome::outcome(outcome, &memory.look()?),
        Command::Curate(asked) => curate::curate(asked, &memory.look()?),
        Command::Backup(asked) => backup::backup(asked, &memory.database()?, || memory.open()),
        Command::RestoreBackup(asked) => backup::restore_backup(asked, &memory.database()?),
        Command::Export(asked) => export::export(asked, &memory.look()?),
        Command::Import(asked) => {
            let settings = memory.database()?.settings;
            let view = options(&settings.config).view;
            import::import(asked, &view, &settings, || if asked.dry_run { memory.look() } else { memory.open() })
        }
        Command::MigrateEmbeddings => dream::migrate(&memory.open()?),
        Command::Models(asked) => models::models(&memory.database()?.settings, asked, &memory.look()?),
        Command::Ls(ls) => blocks::list(ls, &memory.look()?),
        Command::Show(show) => blocks::show(show, &memory.look()?),
        Command::Log(log) => log::log(log, &memory.look()?),
        Command::Status => status::status(&memory.database()?, &memory.look()?),
        Command::Session(session) => session::session(session, &memory.open()?),
        Command::Completions { shell } => Ok(completions(*shell)),
        Command::Config(asked) => config::config(asked.action, arguments),
        Command::Demo(asked) => demo::demo(asked, arguments.format()),
        Command::Doctor(asked) => doctor::doctor(asked, arguments),
        Command::Verify(asked) => verify::verify(asked, &memory.look()?),
        Command::Guide { name } => Ok(guide(name.as_deref())),
        Command::Hook(asked) => Ok(hook::answer(asked, arguments)),
        Command::Init(asked) => init::init(asked, arguments),
        Command::Man { dir } => man::man(dir.as_deref()),
        Command::Serve(asked) => serve::serve(asked, memory.database()?),
    }
}

/// Reads a request from fields; null is the same as not given.
fn request<R: Request>(fields: &serde_json::Value) -> Result<R, Failure> {
    let none = serde_json::Map::new();
    Ok(R::from_json(fields.as_object().unwrap_or(&none), SystemClock.now())?)
}

fn guide(name: Option<&str>) -> Output {
    let text = elfmem_engine::guide(name);
    Output::new(text.clone(), &serde_json::json!({"text": text}))
}

fn completions(shell: clap_complete::Shell) -> Output {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "elfmem", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let json = serde_json::json!({"shell": shell.to_string(), "script": script});
    Output::new(script, &json)
}
