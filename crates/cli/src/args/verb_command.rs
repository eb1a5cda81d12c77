//! The commands of the verbs, made from the catalog.

use clap::{Arg, ArgAction, ArgGroup, Command};
use elfmem_engine::catalog::{self, Parameter, Verb};

use super::argument::argument;
use super::{examples, groups, own_options};
use crate::spoken::as_typed;

/// Adds a command for every verb. Its arguments are made when it is used.
pub(super) fn add_all(root: Command) -> Command {
    let mut added: Vec<&str> = Vec::new();
    catalog::all().fold(root, |root, verb| {
        let name = first_word(verb);
        if added.contains(&name) {
            return root;
        }
        added.push(name);
        root.subcommand(summary(name, name).defer(complete))
    })
}

/// Tells whether a command is one of verbs.
pub(super) fn is_command(name: &str) -> bool {
    catalog::all().any(|verb| first_word(verb) == name)
}

/// The verbs of a command. Only the first needs no option that selects it.
pub(super) fn verbs_of(path: &str) -> impl Iterator<Item = &'static Verb> {
    catalog::all().filter(move |verb| verb.command_path() == path)
}

fn first_word(verb: &Verb) -> &'static str {
    verb.command.split(' ').next().unwrap_or_default()
}

/// A command without its arguments: what the list of commands shows.
fn summary(name: &'static str, path: &str) -> Command {
    let verb = verbs_of(path).next();
    let about = examples::about(path).or(verb.map(|verb| verb.card.what)).unwrap_or_default();
    let aliases = if path == name { groups::aliases(name) } else { list_alias(name) };
    let command = Command::new(name).about(about.trim_end_matches('.')).aliases(aliases.iter().copied());
    match verb {
        Some(verb) if path == name && verb.name != name && !verb.name.contains('_') => command.visible_alias(verb.name),
        _ => command,
    }
}

/// Lets a subcommand that lists be typed as `list` too.
fn list_alias(name: &str) -> &'static [&'static str] {
    if name == "ls" { &["list"] } else { &[] }
}

/// Adds the arguments and subcommands of a command.
fn complete(command: Command) -> Command {
    let path = command.get_name().to_owned();
    let below = |verb: &'static Verb| verb.command_path().strip_prefix(path.as_str())?.strip_prefix(' ');
    let mut command = with_arguments(command, &path);
    let (has_verb, has_places) = (verbs_of(&path).next().is_some(), command.get_positionals().next().is_some());
    let mut has_subcommands = false;
    for name in catalog::all().filter_map(below) {
        has_subcommands = true;
        let path = format!("{path} {name}");
        command = command.subcommand(with_arguments(summary(name, &path), &path));
    }
    match (has_subcommands, has_verb) {
        (true, false) => command.subcommand_required(true).arg_required_else_help(true),
        // The first word is either a subcommand or the value of a place.
        (true, true) if has_places => command.args_conflicts_with_subcommands(true).subcommand_negates_reqs(true),
        _ => command,
    }
}

fn with_arguments(mut command: Command, path: &str) -> Command {
    let verbs: Vec<&Verb> = verbs_of(path).collect();
    for verb in &verbs {
        for parameter in verb.parameters {
            if command.get_arguments().all(|known| known.get_id() != parameter.typed) {
                command = command.arg(related(argument(parameter), parameter, verb, &verbs));
            }
        }
        match verb.selector() {
            Some(selector) if verb.parameters.iter().all(|parameter| parameter.typed != selector) => {
                let help = as_typed(verb.card.what.trim_end_matches('.'));
                let flag = Arg::new(selector).long(selector.trim_start_matches('-')).action(ArgAction::SetTrue);
                command = command.arg(flag.help(help));
            }
            _ => {}
        }
    }
    for group in verbs.iter().flat_map(|verb| groups(verb)) {
        command = command.group(group);
    }
    command = own_options::add(command, path);
    match examples::after_help(path) {
        Some(text) => command.after_help(text.into_owned()),
        None => command,
    }
}

/// Adds what an argument has to do with others: with those of its verb, and with the options that select another verb.
fn related(mut argument: Arg, parameter: &Parameter, verb: &Verb, verbs: &[&Verb]) -> Arg {
    let typed = |name: &str| verb.parameter(name).map(|other| other.typed);
    if let Some(other) = parameter.requires.and_then(typed) {
        argument = argument.requires(other);
    }
    if let Some(other) = parameter.excludes.and_then(typed) {
        argument = argument.conflicts_with(other);
    }
    let takes = |verb: &&&Verb| verb.parameters.iter().any(|other| other.typed == parameter.typed);
    let others: Vec<&str> = verbs.iter().filter(|verb| !takes(verb)).filter_map(|verb| verb.selector()).collect();
    let reads_input = parameter.input == catalog::Input::WordsOrStandardInput;
    match verb.selector() {
        None if parameter.required && !reads_input && others.is_empty() => argument = argument.required(true),
        None if parameter.required && !reads_input => argument = argument.required_unless_present_any(&others),
        Some(selector) if selector != parameter.typed => argument = argument.requires(selector),
        _ => {}
    }
    argument.conflicts_with_all(others)
}

/// The groups of which exactly one parameter must be given.
fn groups(verb: &Verb) -> Vec<ArgGroup> {
    let mut names: Vec<&'static str> = verb.parameters.iter().filter_map(|parameter| parameter.choose_one).collect();
    names.dedup();
    let members = |name| verb.parameters.iter().filter(move |parameter| parameter.choose_one == Some(name));
    let group = |name| ArgGroup::new(name).required(true).args(members(name).map(|parameter| parameter.typed));
    names.into_iter().map(group).collect()
}
