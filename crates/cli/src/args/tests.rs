//! Every verb and parameter of the catalog can be typed, and is read back as what the verb takes.

mod reference;

use clap::{CommandFactory, Parser};
use elfmem_engine::catalog::{self, Input, Parameter, ToolProfile, ValueKind, Verb, VerbId};
use elfmem_engine::is_of_kind;
use serde_json::{Map, Value, json};

use super::{Arguments, Command, ProgramCommand, TypedVerb};
use crate::failure::Failure;
use clap::Subcommand;

fn typed(words: &[&str]) -> TypedVerb {
    let arguments = Arguments::try_parse_from([&["elfmem"], words].concat()).unwrap_or_else(|error| panic!("{error}"));
    match arguments.command {
        Command::Verb(typed) => typed,
        Command::Program(command) => panic!("{command:?} is no verb"),
    }
}

fn fields(words: &[&str]) -> Map<String, Value> {
    typed(words).read().unwrap_or_else(|failure| panic!("{words:?}: {failure:?}")).fields
}

fn failure(words: &[&str]) -> Failure {
    typed(words).read().unwrap_err()
}

fn is_refused(words: &[&str]) -> bool {
    Arguments::try_parse_from([&["elfmem"], words].concat()).is_err()
}

/// What can be typed for a parameter.
fn sample(parameter: &Parameter, file: &str) -> Vec<String> {
    let value = match (parameter.input, parameter.kind) {
        (Input::File, _) => file.to_owned(),
        (_, ValueKind::Flag) => return vec![parameter.typed.to_owned()],
        (_, ValueKind::Count | ValueKind::Counts) => "3".to_owned(),
        (_, ValueKind::Number) => "-0.5".to_owned(),
        (_, ValueKind::Numbers) => "0.2,0.2,0.2,0.2,0.2".to_owned(),
        (_, ValueKind::Choice(words)) => words[0].to_owned(),
        (_, ValueKind::Time) => "2026-05-08".to_owned(),
        (_, ValueKind::Object) => "{}".to_owned(),
        (_, ValueKind::Objects) => "extends=skill:react".to_owned(),
        (_, ValueKind::Text | ValueKind::Texts) => "some words".to_owned(),
    };
    match parameter.typed.starts_with("--") {
        true => vec![parameter.typed.to_owned(), value],
        false => vec![value],
    }
}

/// Types a verb with what it needs and one parameter more.
fn type_with(verb: &Verb, parameter: &Parameter, file: &str) -> Vec<String> {
    let mut words: Vec<String> = verb.command_path().split(' ').map(str::to_owned).collect();
    let needs = |other: &&Parameter| {
        let chosen = verb.parameters.iter().find(|one| one.choose_one.is_some() && one.choose_one == other.choose_one);
        let is_chosen = parameter.choose_one.is_none() && chosen.is_some_and(|one| one.name == other.name);
        other.name == parameter.name || other.required || is_chosen || parameter.requires == Some(other.name)
    };
    words.extend(verb.parameters.iter().filter(needs).flat_map(|parameter| sample(parameter, file)));
    if let Some(selector) = verb.selector().filter(|selector| words.iter().all(|word| word != selector)) {
        words.push(selector.to_owned());
    }
    words
}

#[test]
fn every_parameter_of_every_verb_is_read_from_what_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("value.json");
    for verb in catalog::all() {
        for parameter in verb.parameters {
            let contents = if parameter.kind == ValueKind::Objects { "[{}]" } else { "{}" };
            std::fs::write(&file, contents).unwrap();
            let words = type_with(verb, parameter, file.to_str().unwrap());
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let typed = typed(&words);
            assert_eq!(typed.verb.id, verb.id, "{words:?}");
            let fields = typed.read().unwrap_or_else(|failure| panic!("{words:?}: {failure:?}")).fields;
            let value = fields.get(parameter.name);
            assert!(value.is_some_and(|value| is_of_kind(parameter.kind, value)), "{words:?}: {value:?}");
        }
    }
}

#[test]
fn the_parser_accepts_the_commands() {
    Arguments::command().debug_assert();
}

#[test]
fn what_is_not_typed_is_left_to_the_verb() {
    assert_eq!(Value::Object(fields(&["ls"])), json!({}));
    assert_eq!(Value::Object(fields(&["recall", "who", "is", "it?"])), json!({"query": "who is it?"}));
    assert_eq!(Value::Object(fields(&["dream", "--rescore"])), json!({"rescore": 20}));
}

#[test]
fn options_of_another_verb_of_the_command_are_refused() {
    for words in [
        &["connect", "a", "b", "--dry-run"][..],
        &["connect", "a", "b", "--by-query", "--weight", "0.5"],
        &["dream", "--pending", "--dry-run"],
        &["outcome", "1f3a"],
        &["outcome", "1f3a", "--signal", "1", "--retract", "00c0"],
        &["graduate", "--text", "x"],
        &["event", "store", "--kind", "fact", "--payload", "{}", "--content", "x"],
        &["event", "store"],
        &["contradictions", "resolve", "a", "b"],
        &["contradictions", "resolve", "a", "b", "--keep", "a", "--both", "x"],
        &["secrets", "scan", "--yes"],
        &["frame"],
        &["event"],
    ] {
        assert!(is_refused(words), "{words:?}");
    }
    assert_eq!(typed(&["frame", "self"]).verb.id, VerbId::RenderFrame);
    assert_eq!(typed(&["frame", "ls"]).verb.id, VerbId::ListFrames);
    assert_eq!(typed(&["proposals", "--json", "accept", "3"]).verb.id, VerbId::AcceptProposals);
}

#[test]
fn values_that_the_parser_lets_through_are_checked_when_they_are_read() {
    for (words, problem) in [
        (&["recall", "x", "--since", "whenever"][..], "'whenever' names no time."),
        (&["outcome", "a", "--signal", "NaN"], "The signal must be a finite number."),
        (&["event", "store", "--kind", "fact", "--link", "extends"], "'extends' cannot be used for --link."),
        (&["retrieve", "x", "--context-types", "{]"], "--context-types cannot be read as JSON: "),
    ] {
        assert!(failure(words).message.starts_with(problem), "{:?}", failure(words));
    }
    assert!(failure(&["retrieve", "x", "--context-types", "{]"]).recovery.contains("{\"skill\": [\"react\"]"));
}

#[test]
fn an_event_of_a_file_grows_by_what_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.json");
    std::fs::write(&file, r#"{"event_kind": "fact", "source": "user", "related_to": ["project:shop"]}"#).unwrap();
    let stored =
        fields(&["event", "store", file.to_str().unwrap(), "--source", "agent", "--related-to", "skill:react"]);
    let expected = json!({"event_kind": "fact", "source": "agent", "related_to": ["project:shop", "skill:react"]});
    assert_eq!(Value::Object(stored), expected);
}

#[test]
fn a_document_is_called_like_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "Notes").unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(fields(&["learn-document", file])["name"], file);
    assert_eq!(fields(&["learn-document", file, "--name", "mine"])["name"], "mine");
}

#[test]
fn no_command_is_both_a_verb_and_one_of_the_program() {
    for verb in catalog::all() {
        for name in verb.command.split(' ').take(1).chain(verb.aliases.iter().copied()) {
            assert!(!ProgramCommand::has_subcommand(name), "{name}");
        }
    }
}

/// The library writes `verb()` for a verb; the summary of a command is shown as it is.
#[test]
fn the_summaries_of_commands_name_no_methods() {
    assert!(catalog::all().all(|verb| !verb.card.what.contains("()")));
}

#[test]
fn every_name_and_alias_of_a_daily_verb_can_be_typed() {
    let mut root = Arguments::command();
    root.build();
    for verb in catalog::all().filter(|verb| verb.profile == ToolProfile::Core) {
        for name in verb.aliases.iter().chain([&verb.name]) {
            assert!(root.find_subcommand(name).is_some(), "elfmem {name}");
        }
    }
}

#[test]
fn the_example_on_every_card_can_be_typed() {
    for verb in catalog::all() {
        for line in verb.card.example.lines() {
            let words = shell_words(line.strip_prefix("elfmem ").unwrap());
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            assert_eq!(typed(&words).verb.id, verb.id, "{line}");
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
