//! The commands, one file each; this one sends the arguments to the right one.

mod blocks;
mod care;
mod config;
mod connect;
mod contradictions;
mod curate;
mod demo;
mod dream;
mod frame;
mod history;
pub(crate) mod hook;
mod init;
mod learn;
mod log;
mod man;
mod models;
mod outcome;
mod proposals;
mod purge;
mod recall;
mod session;
mod status;
mod time;
mod undo;

use clap::CommandFactory;

use crate::args::{Arguments, Command};
use crate::database::Database;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) use learn::text_of;

pub(crate) fn run(arguments: &Arguments) -> Result<Output, Failure> {
    // These need no memory, and must work where none can be had.
    match &arguments.command {
        Command::Completions { shell } => return Ok(completions(*shell)),
        Command::Guide { name } => return Ok(guide(name.as_deref())),
        Command::Man { dir } => return man::man(dir.as_deref()),
        _ => {}
    }
    match &arguments.command {
        Command::Config(asked) => return config::config(asked.action, arguments),
        Command::Demo(asked) => return demo::demo(asked, arguments.format()),
        Command::Hook(asked) => return Ok(hook::answer(asked, arguments)),
        Command::Init(asked) => return init::init(asked, arguments),
        _ => {}
    }
    let database = Database::discover(arguments)?;
    let recalling = &database.settings.config.recall;
    match &arguments.command {
        Command::Remember(remember) => learn::remember(remember, || database.open(arguments)),
        Command::LearnDocument(document) => learn::document(document, || database.open(arguments)),
        Command::Recall(recall) => recall::recall(recall, recalling, &database.open_to_look(arguments)?),
        Command::Why(why) => recall::why(why, recalling, &database.open_to_look(arguments)?),
        Command::Frame(frame) => {
            frame::frame(frame, recalling, || database.open(arguments), || database.open_to_look(arguments))
        }
        Command::Dream(dream) => dream::dream(dream, &database.open(arguments)?),
        Command::Contradictions(asked) => contradictions::contradictions(asked, &database.open_to_look(arguments)?),
        Command::Edit(edit) => care::edit(edit, || database.open_to_look(arguments)),
        Command::Forget(forget) => care::forget(forget, &database.open_to_look(arguments)?),
        Command::Restore(named) => care::restore(named, &database.open_to_look(arguments)?),
        Command::Pin(named) => care::pin(named, &database.open_to_look(arguments)?),
        Command::Unpin(named) => care::unpin(named, &database.open_to_look(arguments)?),
        Command::Supersede(pair) => care::supersede(pair, &database.open_to_look(arguments)?),
        Command::Purge(purge) => purge::purge(purge, &database.open_to_look(arguments)?),
        Command::Tag(tags) => care::tag(tags, &database.open_to_look(arguments)?),
        Command::Proposals(asked) => proposals::proposals(asked, &database.open_to_look(arguments)?),
        Command::Undo(undo) => undo::undo(undo, &database.open_to_look(arguments)?),
        Command::History(asked) => history::history(asked, &database.open_to_look(arguments)?),
        Command::Connect(asked) => connect::connect(asked, &database.open_to_look(arguments)?),
        Command::Connects(list) => connect::connects(list, || database.open_to_look(arguments)),
        Command::Disconnect(asked) => connect::disconnect(asked, &database.open_to_look(arguments)?),
        Command::Outcome(outcome) => outcome::outcome(outcome, &database.open_to_look(arguments)?),
        Command::Curate(asked) => curate::curate(asked, &database.open_to_look(arguments)?),
        Command::MigrateEmbeddings => dream::migrate(&database.open(arguments)?),
        Command::Models(asked) => models::models(&database.settings, asked, &database.open_to_look(arguments)?),
        Command::Ls(ls) => blocks::list(ls, &database.open_to_look(arguments)?),
        Command::Show(show) => blocks::show(show, &database.open_to_look(arguments)?),
        Command::Log(log) => log::log(log, &database.open_to_look(arguments)?),
        Command::Status => status::status(&database, &database.open_to_look(arguments)?),
        Command::Session(session) => session::session(session, &database.open(arguments)?),
        Command::Config(asked) => config::config(asked.action, arguments),
        Command::Demo(asked) => demo::demo(asked, arguments.format()),
        Command::Init(asked) => init::init(asked, arguments),
        Command::Hook(asked) => Ok(hook::answer(asked, arguments)),
        Command::Completions { shell } => Ok(completions(*shell)),
        Command::Guide { name } => Ok(guide(name.as_deref())),
        Command::Man { dir } => man::man(dir.as_deref()),
    }
}

fn guide(name: Option<&str>) -> Output {
    let text = elfmem::guide(name);
    Output::new(text.clone(), &serde_json::json!({"text": text}))
}

fn completions(shell: clap_complete::Shell) -> Output {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "elfmem", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let json = serde_json::json!({"shell": shell.to_string(), "script": script});
    Output::new(script, &json)
}
