//! The commands by purpose, as the help lists them, and other names that people try.

use std::fmt::Write;

use clap::Command;
use clap::builder::{StyledStr, Styles};

use crate::layout;

/// Every command, in groups.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Everyday",
        &["remember", "recall", "frame", "outcome", "dream", "undo", "status", "ls", "show", "tags", "learn-document"],
    ),
    (
        "Care",
        &[
            "edit",
            "tag",
            "forget",
            "restore",
            "pin",
            "unpin",
            "supersede",
            "purge",
            "curate",
            "proposals",
            "contradictions",
            "secrets",
            "migrate-embeddings",
        ],
    ),
    (
        "Graph and belief",
        &["connect", "connects", "disconnect", "link", "unlink", "links", "chain", "blame", "influence", "retract"],
    ),
    ("Events", &["event", "context", "retrieve", "insights", "graduate", "session"]),
    ("Look inside", &["browse", "scope", "why", "history", "log", "verify", "doctor", "guide"]),
    ("In and out", &["import", "export", "adopt", "backup", "restore-backup"]),
    ("Set-up", &["init", "config", "models", "demo", "completions", "man"]),
    ("Serve", &["serve", "hook"]),
];

/// Names of other programs' commands, accepted without being listed.
const ALIASES: &[(&str, &[&str])] = &[
    ("recall", &["search", "find", "query", "ask"]),
    ("remember", &["add", "store", "save", "note"]),
    ("edit", &["update", "change"]),
    ("ls", &["blocks"]),
    ("event", &["events"]),
    ("context", &["contexts"]),
    ("show", &["get"]),
    ("forget", &["rm", "delete", "remove"]),
    ("status", &["stats"]),
];

/// What people type that is an option of a command, or a command of another name.
const HINTS: &[(&str, &str)] = &[
    ("documents", "ls --documents"),
    ("docs", "ls --documents"),
    ("version", "--version"),
    ("operations", "history"),
    ("upgrade", "adopt"),
    ("mcp", "serve"),
    ("tui", "browse"),
    ("ui", "browse"),
    ("scopes", "scope ls"),
    ("setup", "init"),
    ("install", "init"),
    ("check", "doctor"),
    ("health", "status"),
    ("info", "status"),
    ("archive", "forget"),
    ("drop", "forget"),
    ("cat", "show"),
    ("notes", "ls"),
    ("new", "remember"),
    ("insert", "remember"),
    ("put", "remember"),
    ("settle", "contradictions"),
    ("conflicts", "contradictions"),
    ("review", "dream --review"),
    ("inbox", "dream --pending"),
    ("merge", "supersede"),
    ("revert", "undo"),
    ("settings", "config show"),
    ("hooks", "init --hooks"),
    ("plugin", "init --plugin"),
];

/// The widest help, also on a wider terminal and on a pipe.
const WIDEST: usize = 100;
/// The column at which descriptions begin.
const DESCRIPTION: usize = 22;
/// The narrowest terminal on which a description stands beside its command.
const NARROW: usize = 60;
/// The column of a description below its command.
const BELOW: usize = 6;

/// The other names of a command.
pub(super) fn aliases(command: &str) -> &'static [&'static str] {
    ALIASES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, aliases)| aliases)
}

/// What a word that is no command probably stands for.
pub(crate) fn hint(typed: &str) -> Option<&'static str> {
    HINTS.iter().find(|(word, _)| *word == typed).map(|(_, hint)| *hint)
}

/// Lets the help list the commands in groups.
pub(super) fn group_help(root: Command) -> Command {
    let width = layout::terminal().map_or(WIDEST, |(width, _)| width.min(WIDEST));
    let root = if layout::terminal().is_some() { root.term_width(width) } else { root };
    let commands = grouped_commands(&root, width);
    let (header, reset) = (Styles::styled().get_header().render(), Styles::styled().get_header().render_reset());
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}{header}Global \
         options:{reset}\n{{options}}{{after-help}}"
    );
    root.help_template(StyledStr::from(template))
}

fn grouped_commands(root: &Command, width: usize) -> String {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut list = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(list, "{header}{heading}:{header:#}");
        for command in names.iter().filter_map(|name| root.find_subcommand(name)) {
            let name = command.get_name();
            // On a narrow terminal a description stands below its command.
            let is_narrow = width < NARROW;
            let column = if is_narrow { BELOW } else { DESCRIPTION };
            let padding = match is_narrow {
                true => format!("\n{}", " ".repeat(BELOW)),
                false => " ".repeat(DESCRIPTION.saturating_sub(name.len() + 2).max(1)),
            };
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let about = wrap(&about, width.saturating_sub(column).max(14), column);
            let _ = writeln!(list, "  {literal}{name}{literal:#}{padding}{about}");
        }
        list.push('\n');
    }
    list
}

/// Breaks a description into lines of a width; all but the first are indented to its column.
fn wrap(text: &str, width: usize, column: usize) -> String {
    let (mut wrapped, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let needed = word.chars().count();
        if length > 0 && length + 1 + needed > width {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(column));
            length = 0;
        } else if length > 0 {
            wrapped.push(' ');
            length += 1;
        }
        wrapped.push_str(word);
        length += needed;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Arguments;

    #[test]
    fn every_command_is_in_exactly_one_group() {
        let root = Arguments::command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let mut known: Vec<&str> = root.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    #[test]
    fn no_alias_is_the_name_of_a_command_or_of_two() {
        let root = Arguments::command();
        let mut all: Vec<&str> = ALIASES.iter().flat_map(|(_, aliases)| *aliases).copied().collect();
        assert!(root.get_subcommands().all(|command| !all.contains(&command.get_name())));
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn no_line_of_the_list_is_wider_than_the_terminal() {
        let root = Arguments::command();
        for width in [40, 60, 80, 100] {
            let list = anstream::adapter::strip_str(&grouped_commands(&root, width)).to_string();
            assert!(list.lines().all(|line| line.chars().count() <= width), "{width}: {list}");
        }
    }
}
