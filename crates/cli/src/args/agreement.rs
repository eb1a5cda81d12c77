//! What can be typed agrees with the table of verbs.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, Command, CommandFactory, Parser};
use elfmem_engine::catalog::{self, Parameter, ValueKind, Verb};

use super::Arguments;

/// Commands that are about the program and its files, not about what is remembered.
const ABOUT_THE_PROGRAM: &[&str] = &[
    "completions",
    "config",
    "demo",
    "backup",
    "doctor",
    "export",
    "help",
    "hook",
    "import",
    "init",
    "man",
    "models",
    "restore-backup",
    "serve",
];

/// The command of a verb, without the options that choose it.
fn command_of(verb: &Verb) -> Command {
    let mut command = Arguments::command();
    command.build();
    for word in verb.command.split(' ').filter(|word| !word.starts_with('-')) {
        let found = command.find_subcommand(word).cloned();
        command = found.unwrap_or_else(|| panic!("there is no command for {}", verb.name));
    }
    command
}

fn argument_of<'a>(command: &'a Command, verb: &Verb, parameter: &Parameter) -> &'a Arg {
    let is_it = |argument: &&Arg| match parameter.typed.strip_prefix("--") {
        Some(long) => argument.get_long() == Some(long),
        None => {
            let names = argument.get_value_names().unwrap_or_default();
            argument.is_positional() && names.iter().any(|name| name.as_str() == parameter.typed)
        }
    };
    let found = command.get_arguments().find(is_it);
    found.unwrap_or_else(|| panic!("{}: no {} for {}", verb.command, parameter.typed, parameter.name))
}

#[test]
fn every_verb_can_be_typed_with_everything_it_takes() {
    for verb in catalog::all() {
        let command = command_of(verb);
        for option in verb.command.split(' ').filter_map(|word| word.strip_prefix("--")) {
            assert!(command.get_arguments().any(|argument| argument.get_long() == Some(option)), "{}", verb.command);
        }
        for parameter in verb.parameters {
            let argument = argument_of(&command, verb, parameter);
            let which = format!("{} {}", verb.command, parameter.typed);
            match parameter.kind {
                ValueKind::Flag => assert!(matches!(argument.get_action(), ArgAction::SetTrue), "{which}"),
                ValueKind::Texts | ValueKind::Counts => {
                    let many = argument.get_num_args().is_some_and(|counts| counts.max_values() > 1);
                    assert!(many || matches!(argument.get_action(), ArgAction::Append), "{which} takes one");
                }
                ValueKind::Choice(words) if !argument.get_possible_values().is_empty() => {
                    let typed: Vec<String> =
                        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
                    assert_eq!(typed, words, "{which}");
                }
                _ => {}
            }
            let typed: Vec<&str> = argument.get_default_values().iter().filter_map(|value| value.to_str()).collect();
            if let (Some(told), [typed]) = (parameter.default, typed.as_slice()) {
                let same = match (told.parse::<f64>(), typed.parse::<f64>()) {
                    (Ok(told), Ok(typed)) => told == typed,
                    _ => told == *typed,
                };
                assert!(same, "{which}: {told} and {typed}");
            }
        }
    }
}

/// Every command that does something belongs to a verb, or is about the program; and every option of a verb's command is
/// a parameter of a verb of that command.
#[test]
fn nothing_can_be_typed_that_the_table_does_not_know() {
    const HOW_TO_SAY_IT: &[&str] = &["help", "version", "explain", "yes"];
    let mut root = Arguments::command();
    root.build();
    let mut known: BTreeSet<String> = ABOUT_THE_PROGRAM.iter().map(|name| (*name).to_owned()).collect();
    for verb in catalog::all() {
        known.insert(verb.command.split(' ').next().unwrap().to_owned());
        let command = command_of(verb);
        let path = |verb: &Verb| verb.command.split(" --").next().unwrap().to_owned();
        let family: Vec<&Verb> = catalog::all().filter(|other| path(other) == path(verb)).collect();
        for argument in command.get_arguments().filter(|argument| !argument.is_global_set()) {
            let Some(long) = argument.get_long() else { continue };
            let typed = format!("--{long}");
            let told = family.iter().any(|verb| {
                verb.command.ends_with(&typed) || verb.parameters.iter().any(|parameter| parameter.typed == typed)
            });
            assert!(told || HOW_TO_SAY_IT.contains(&long), "{} {typed}", verb.command);
        }
    }
    for command in root.get_subcommands() {
        assert!(known.contains(command.get_name()), "{} is in no table", command.get_name());
    }
}

/// What the guide calls a verb can be typed too, where it is one word.
#[test]
fn every_name_and_alias_of_a_daily_verb_can_be_typed() {
    let mut root = Arguments::command();
    root.build();
    for verb in catalog::all().filter(|verb| verb.profile == catalog::Profile::Core) {
        for name in verb.aliases.iter().chain([&verb.name]) {
            assert!(root.find_subcommand(name).is_some(), "elfmem {name}");
        }
    }
}

#[test]
fn the_example_on_every_card_can_be_typed() {
    for verb in catalog::all() {
        for line in verb.card.example.lines() {
            let words = shell_words(line);
            let parsed = Arguments::try_parse_from(&words);
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            assert!(line.starts_with(&format!("elfmem {}", verb.command.split(' ').next().unwrap())), "{line}");
        }
    }
}

/// Words as a shell would cut them, for lines with quotes and no other tricks.
fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == ' ' => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.push(word);
    words
}
