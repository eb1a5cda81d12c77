//! The reference page of the commands, made from the parser.

use std::fmt::Write;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};

use crate::args::Arguments;

/// Rewrites the page instead of comparing it.
const WRITE: &str = "ELFMEM_WRITE_DOCS";

const OPENING: &str = "# Commands

Every command of the `elfmem` program with its arguments. The page is generated from the parser.
`elfmem COMMAND --help` shows the same, with examples. [Verbs](verbs.md) lists the parameters and
answers that all surfaces share.

Ids can be shortened to any unambiguous prefix of at least four characters. Exit codes: 0 done, 1
refused, 2 wrong usage.

The memory is the file that `--db` or `ELFMEM_DB` names, else `.elfmem/memory.db` in the current
folder or one above it, else `memory.db` in your data folder. [Configuration](configuration.md)
lists every setting.

| command | what it does |
|---|---|
";

#[test]
fn the_page_of_commands_is_in_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/commands.md");
    let page = page();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/reference/commands.md is not what can be typed; {WRITE}=1 writes it anew");
}

fn page() -> String {
    let mut root = Arguments::command();
    root.build();
    let mut page = OPENING.to_owned();
    let commands = || root.get_subcommands().filter(|command| command.get_name() != "help");
    for command in commands() {
        let (name, about) = (command.get_name(), about(command));
        let _ = writeln!(page, "| [`{name}`](#elfmem-{name}) | {about} |");
    }
    for command in commands() {
        section(&mut page, command);
    }
    page.push_str("\n## Options of every command\n");
    rows(&mut page, root.get_arguments().filter(|argument| argument.is_global_set()));
    elfmem_engine::catalog::wrap_markdown(&page)
}

/// A section for a command and one for each of its subcommands.
fn section(page: &mut String, command: &Command) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let _ = writeln!(page, "\n## {name}\n\n{}.", about(command));
    let aliases: Vec<String> = command.get_visible_aliases().map(|alias| format!("`{alias}`")).collect();
    if !aliases.is_empty() {
        let _ = writeln!(page, "\nAlso {}.", aliases.join(", "));
    }
    let own = |argument: &&Arg| !argument.is_global_set() && !["help", "version"].contains(&argument.get_id().as_str());
    let options = command.get_arguments().filter(|argument| !argument.is_positional());
    rows(page, command.get_positionals().chain(options).filter(own));
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        section(page, below);
    }
}

fn rows<'a>(page: &mut String, arguments: impl Iterator<Item = &'a Arg>) {
    let mut arguments = arguments.peekable();
    if arguments.peek().is_none() {
        return;
    }
    page.push_str("\n| argument | default | meaning |\n|---|---|---|\n");
    for argument in arguments {
        let takes_values = argument.get_action().takes_values();
        let defaults = argument.get_default_values().iter().filter(|_| takes_values);
        let default: Vec<String> = defaults.map(|value| format!("`{}`", value.to_string_lossy())).collect();
        let choices = argument.get_possible_values().into_iter().filter(|_| takes_values);
        let words: Vec<String> = choices.map(|value| format!("`{}`", value.get_name())).collect();
        let words = if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) };
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let (typed, default) = (typed(argument), default.join(", "));
        let _ = writeln!(page, "| `{typed}` | {default} | {}{words} |", help.replace('|', "\\|"));
    }
}

/// How an argument is typed: `-k, --top-k COUNT`.
fn typed(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let value = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" ");
    let Some(long) = argument.get_long() else {
        let many = argument.get_num_args().is_some_and(|range| range.max_values() > 1);
        return format!("{value}{}", if many { "…" } else { "" });
    };
    let short = argument.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    let value = if argument.get_action().takes_values() { format!(" {value}") } else { String::new() };
    format!("{short}--{long}{value}")
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default().replace('|', "\\|")
}
