//! Generates the reference page of the MCP tools.

use std::fmt::Write;

use elfmem_engine::catalog::{Effect, Field, Parameter, ToolProfile, Verb, all, wrap_markdown};

use super::tools::{PREFIX, description};
use super::{INSTRUCTIONS, prompts, resources};
use crate::schema;

/// Returns the page `docs/reference/mcp-tools.md`.
pub fn reference() -> String {
    let mut page = "# MCP: tools, resources, prompts\n\n\
        Made from the table of verbs; a test keeps it in step. How to connect a client is in the [guide](../guide/mcp.md).\n\n\
        Every tool answers with a text for the context window and with a dictionary (`structuredContent`). An error has \
        `isError`, the text `{message} — Recovery: {recovery}` and the dictionary `{error, message, recovery}`; nothing was \
        changed then.\n\n## Instructions\n\nWhat a client is told when it connects:\n\n"
        .to_owned();
    for line in INSTRUCTIONS.lines() {
        let _ = writeln!(page, "{}", format!("> {line}").trim_end());
    }
    let lists = [
        ("Tools of every list", ToolProfile::Core),
        ("Tools that `elfmem serve --tools locus` adds: events, contexts, links", ToolProfile::Locus),
        ("Tools that `elfmem serve --tools all` adds to those", ToolProfile::All),
    ];
    for (heading, profile) in lists {
        let _ = writeln!(page, "\n## {heading}");
        for verb in all().filter(|verb| verb.profile == profile) {
            tool(&mut page, verb);
        }
    }
    rest(&mut page);
    wrap_markdown(&page)
}

fn tool(page: &mut String, verb: &Verb) {
    let effect = match verb.effect {
        Effect::Reads => "reads",
        Effect::Writes => "writes",
        Effect::Destroys => "takes something away",
    };
    let _ = writeln!(page, "\n### `{PREFIX}{}`\n\n{}\n", verb.name, description(verb));
    let also: Vec<String> = verb.aliases.iter().map(|alias| format!("`{PREFIX}{alias}`")).collect();
    let also = if also.is_empty() { String::new() } else { format!(" Also {}.", also.join(", ")) };
    let _ = writeln!(page, "It {effect}. {} Typed: `elfmem {}`.{also}", verb.card.cost, verb.command);
    if !verb.parameters.is_empty() {
        page.push_str("\n| parameter | kind | default | meaning |\n|---|---|---|---|\n");
        for parameter in verb.parameters {
            row(page, verb, parameter);
        }
    }
    let fields: Vec<String> = verb.fields.iter().map(Field::in_words).collect();
    let _ = writeln!(page, "\nAnswers {}.", fields.join(", "));
}

fn row(page: &mut String, verb: &Verb, parameter: &Parameter) {
    let needed = match (parameter.required, parameter.default) {
        (true, _) => "needed".to_owned(),
        (false, Some(default)) => format!("`{default}`"),
        (false, None) => String::new(),
    };
    let more = if schema::is_in_short_list(verb, parameter) { "" } else { " (not in the short list)" };
    let (name, kind, help) = (parameter.name, parameter.kind.in_words(), parameter.help);
    let _ = writeln!(page, "| `{name}` | {kind} | {needed} | {help}{more} |");
}

fn rest(page: &mut String) {
    page.push_str("\n## Resources\n\nReading one counts as no use.\n\n| address | what it is |\n|---|---|\n");
    for resource in resources::list() {
        let _ = writeln!(page, "| `{}` | {} |", resource.uri, resource.description.unwrap_or_default());
    }
    for template in resources::templates() {
        let _ = writeln!(page, "| `{}` | {} |", template.uri_template, template.description.unwrap_or_default());
    }
    page.push_str("\n## Prompts\n\n| prompt | arguments | what it is |\n|---|---|---|\n");
    for prompt in prompts::list() {
        let arguments: Vec<String> =
            prompt.arguments.into_iter().flatten().map(|argument| format!("`{}`", argument.name)).collect();
        let _ = writeln!(
            page,
            "| `{}` | {} | {} |",
            prompt.name,
            arguments.join(", "),
            prompt.description.unwrap_or_default()
        );
    }
}
