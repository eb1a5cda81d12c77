//! `init`: sets a project up. Everything is worked out first; then it is written, each file whole; running it again changes nothing.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use elfmem_config::commented_file;
use elfmem_text::phrase::counted;
use serde_json::{Value, json};

use super::confirm::answer_to;
use super::plugin;
use crate::args::{self, Arguments};
use crate::configuration::Surroundings;
use crate::database::{Database, FoundBy};
use crate::failure::Failure;
use crate::output::Output;
use crate::setup::{
    Action, CommandState, FileChange, JsonProblem, Kept, PROGRAM, PrincipleAction, all_new, hooks, hooks_found_again,
    host_command, instructions, mcp_server, memory_folder, registered_commands, root_of, selected_principles,
    server_found_again, state_of, store,
};
use crate::style::{DIM, GOOD, NAME, NOTE};

/// Where Claude Code looks for the hooks of a project.
const HOST_SETTINGS: &str = ".claude/settings.json";
/// Where it looks for the MCP servers of a project.
const SERVERS: &str = ".mcp.json";
/// What of the memory's folder is for the repository: the settings. The memory, its backups and what else may come are not.
const IGNORED: &str = "*\n!.gitignore\n!config.toml\n";

/// How the others are told.
const OTHER_HOSTS: &str = "Other hosts start the MCP server with the command `elfmem serve`:
  Claude Code   claude mcp add elfmem -- elfmem serve
  Cursor        .cursor/mcp.json    {\"mcpServers\": {\"elfmem\": {\"command\": \"elfmem\", \"args\": [\"serve\"]}}}
  VS Code       .vscode/mcp.json    {\"servers\": {\"elfmem\": {\"command\": \"elfmem\", \"args\": [\"serve\"]}}}
  Codex         ~/.codex/config.toml    [mcp_servers.elfmem] command = \"elfmem\", args = [\"serve\"]
Hosts without MCP can run the commands; the section in the instructions file teaches them.";

pub(crate) fn init(asked: &args::Init, arguments: &Arguments) -> Result<Output, Failure> {
    if let Some(folder) = &asked.plugin {
        return plugin::make(folder, asked);
    }
    let here = std::env::current_dir().map_err(|error| Failure::no_folder(&error))?;
    let around = Surroundings::of(&here);
    let root = root_of(&here, around.places.home.as_deref()).ok_or_else(Failure::home_is_no_project)?;
    // Settings that are wrong are told before anything is changed.
    Database::discover_around(&around, arguments)?;
    let principles = selected_principles(asked)?;
    let program = host_command();
    let changes = changes(&root, asked.hooks, &program)?;
    let touches_others = changes.iter().any(|change| change.action() == Action::Updated);
    if !asked.dry_run {
        if touches_others && !asked.yes {
            confirm(&root, &changes)?;
        }
        for change in &changes {
            change.write()?;
        }
    }
    let database = memory_of(&root, &around, arguments)?;
    let kept = match &database {
        _ if principles.is_empty() => Vec::new(),
        Some(database) if asked.dry_run => store(&principles, &database.open_to_look(arguments)?, true)?,
        Some(database) => store(&principles, &database.open(arguments)?, false)?,
        None => all_new(&principles),
    };
    let memory = database.map_or_else(|| memory_folder(&root).join("memory.db"), |database| database.path);
    let files: Vec<_> = changes.iter().map(|change| json!({"path": change.path, "action": change.action()})).collect();
    let json = json!({
        "project": root, "dry_run": asked.dry_run, "files": files, "blocks": kept, "memory": memory, "command": program,
    });
    let mut said = text(&root, &memory, &changes, &kept, asked);
    let is_registered = |change: &FileChange| {
        change.action() != Action::Unchanged && [SERVERS, HOST_SETTINGS].iter().any(|name| change.path.ends_with(name))
    };
    if program != PROGRAM && changes.iter().any(is_registered) {
        let _ = writeln!(said, "\n{NOTE}`{PROGRAM}` is not on your path, so it is registered as {program}.{NOTE:#}");
    }
    if !asked.dry_run {
        for command in lost_commands(&root) {
            let _ = writeln!(said, "\n{NOTE}Hosts cannot start {command}: `elfmem doctor` says why.{NOTE:#}");
        }
    }
    Ok(Output::new(said, &json))
}

/// The memory of the project as it is now; none while there is none and nobody names another.
fn memory_of(root: &Path, before: &Surroundings, arguments: &Arguments) -> Result<Option<Database>, Failure> {
    if memory_folder(root).is_dir() {
        return Database::discover_around(&Surroundings::of(root), arguments).map(Some);
    }
    let database = Database::discover_around(before, arguments)?;
    Ok(matches!(database.found_by, FoundBy::Flag | FoundBy::Environment).then_some(database))
}

/// Every file and what it shall say.
fn changes(root: &Path, with_hooks: bool, program: &str) -> Result<Vec<FileChange>, Failure> {
    let folder = memory_folder(root);
    // What is there is its owner's.
    let start_with =
        |file: &str, start: String| FileChange::of(folder.join(file), |text| Ok(text.map_or(start, str::to_owned)));
    let mut changes = vec![start_with("config.toml", commented_file())?, start_with(".gitignore", IGNORED.to_owned())?];
    for file in instruction_files(root) {
        let shown = file.display().to_string();
        changes.push(FileChange::of(file, |text| {
            instructions(text, program).map_err(|torn| Failure::unusable_file(&shown, torn.problem))
        })?);
    }
    let register = |file: &str, edit: &dyn Fn(Option<&str>) -> Result<String, JsonProblem>| {
        let file = root.join(file);
        let shown = file.display().to_string();
        FileChange::of(file, |text| edit(text).map_err(|problem| Failure::unusable_file(&shown, &problem.to_string())))
    };
    // A command that hosts cannot start any more becomes the one that they can.
    let is_lost = |command: &str| !matches!(state_of(command, root), CommandState::Usable(_));
    changes.push(register(SERVERS, &|text| server_found_again(&mcp_server(text, program)?, program, is_lost))?);
    if with_hooks {
        changes.push(register(HOST_SETTINGS, &|text| hooks_found_again(&hooks(text, program)?, program, is_lost))?);
    } else if has_hooks(root) {
        let settings = register(HOST_SETTINGS, &|text| hooks_found_again(text.unwrap_or("{}"), program, is_lost))?;
        changes.extend(Some(settings).filter(|settings| settings.action() == Action::Updated));
    }
    Ok(changes)
}

/// The files that agents read their instructions from: those that are there, else `AGENTS.md`. One that only leads to another is left
/// alone.
fn instruction_files(root: &Path) -> Vec<PathBuf> {
    let (agents, claude) = (root.join("AGENTS.md"), root.join("CLAUDE.md"));
    let same_file = || matches!((agents.canonicalize(), claude.canonicalize()), (Ok(a), Ok(b)) if a == b);
    let imports = || std::fs::read_to_string(&claude).is_ok_and(|text| text.contains("@AGENTS.md"));
    match (agents.exists(), claude.exists()) {
        (true, true) if !same_file() && !imports() => vec![agents, claude],
        (false, true) => vec![claude],
        _ => vec![agents],
    }
}

/// Asks on the terminal before files that are there are changed. Without a terminal there is nobody to ask, and nothing is
/// changed.
pub(super) fn confirm(root: &Path, changes: &[FileChange]) -> Result<(), Failure> {
    let updated: Vec<String> = changes
        .iter()
        .filter(|change| change.action() == Action::Updated)
        .map(|change| change.path.strip_prefix(root).unwrap_or(&change.path).display().to_string())
        .collect();
    let mut question = String::new();
    write_changes(&mut question, root, changes, true);
    match answer_to(&format!("{question}\nGo on?"), "[Y/n]")?.as_deref() {
        Some("" | "y" | "yes") => Ok(()),
        Some(_) => Err(Failure::unconfirmed("Nothing was set up.")),
        None => Err(Failure::unconfirmed(&format!(
            "Files that are there would be changed ({}), and there is no terminal to ask on.",
            updated.join(", ")
        ))),
    }
}

pub(super) fn write_changes(text: &mut String, root: &Path, changes: &[FileChange], with_lines: bool) {
    for change in changes {
        let action = change.action();
        let style = if action == Action::Unchanged { DIM } else { GOOD };
        let path = change.path.strip_prefix(root).unwrap_or(&change.path).display();
        let _ = writeln!(text, "{style}{:<10}{style:#} {path}", action.as_str());
        let (gone, come) = change.lines();
        match action {
            Action::Updated if with_lines => {
                for (sign, line) in gone.iter().map(|line| ('-', line)).chain(come.iter().map(|line| ('+', line))) {
                    let _ = writeln!(text, "  {DIM}{sign} {line}{DIM:#}");
                }
            }
            Action::Created if with_lines => {
                let _ = writeln!(text, "  {DIM}{}{DIM:#}", counted(come.len() as u64, "line"));
            }
            _ => {}
        }
    }
}

/// The registered commands that cannot be started: those of other programs, which stay as they are.
fn lost_commands(root: &Path) -> Vec<String> {
    let parsed = |file: &str| -> Value {
        let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    };
    let mut commands = registered_commands(&parsed(SERVERS), &parsed(HOST_SETTINGS));
    commands.retain(|command| !matches!(state_of(command, root), CommandState::Usable(_)));
    commands
}

/// Whether the project calls the program in hooks.
fn has_hooks(root: &Path) -> bool {
    let settings = std::fs::read_to_string(root.join(HOST_SETTINGS));
    settings.is_ok_and(|text| text.contains(&format!("{PROGRAM} hook ")))
}

fn text(root: &Path, memory: &Path, changes: &[FileChange], kept: &[Kept], asked: &args::Init) -> String {
    let mut text = String::new();
    if asked.dry_run {
        let _ = writeln!(text, "{NOTE}Nothing was changed. It would be:{NOTE:#}");
    }
    let _ = writeln!(text, "{DIM}{:<10}{DIM:#} {}", "project", root.display());
    let _ = writeln!(text, "{DIM}{:<10}{DIM:#} {}", "memory", memory.display());
    write_changes(&mut text, root, changes, asked.dry_run);
    for Kept { role, fate, content } in kept {
        let word = match fate {
            PrincipleAction::Stored => "stored",
            PrincipleAction::Replaced => "replaced",
            PrincipleAction::Kept => "unchanged",
        };
        let style = if *fate == PrincipleAction::Kept { DIM } else { GOOD };
        let role = role.as_deref().unwrap_or("principle");
        let _ = writeln!(text, "{style}{word:<10}{style:#} {NAME}{role}{NAME:#} {content}");
    }
    let all_as_before = changes.iter().all(|change| change.action() == Action::Unchanged)
        && kept.iter().all(|kept| kept.fate == PrincipleAction::Kept);
    if all_as_before {
        text.push_str("\nThe project is set up; there was nothing to do.\n");
    } else if !asked.dry_run {
        let _ = writeln!(
            text,
            "\nReady. Start your agent anew in this project, or try: elfmem remember \"…\"\n\n{OTHER_HOSTS}"
        );
        if !asked.hooks && !has_hooks(root) {
            text.push_str("Claude Code can recall by itself: elfmem init --hooks\n");
        }
    }
    text
}
