//! `docs/reference/verbs.md` is made from the table of verbs.
//!
//! `ELFMEM_WRITE_DOCS=1 cargo test -p elfmem-engine --test verbs_page` writes it anew.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;
use std::path::Path;

use elfmem_engine::catalog::{self, Effect, Field, ToolProfile, Verb, wrap_markdown};

fn section(page: &mut String, verb: &Verb) {
    let card = &verb.card;
    writeln!(page, "\n### {}\n\n{}\n", verb.name, card.what).unwrap();
    let effect = match verb.effect {
        Effect::Reads => "reads",
        Effect::Writes => "writes",
        Effect::Destroys => "takes away",
    };
    writeln!(page, "`elfmem {}` on the command line, `elfmem_{}` over MCP; {effect}.", verb.command, verb.name)
        .unwrap();
    if !verb.aliases.is_empty() {
        writeln!(
            page,
            "It answers to {} too.",
            verb.aliases.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        )
        .unwrap();
    }
    writeln!(page).unwrap();
    for (label, text) in [
        ("Use when", card.when),
        ("Not when", card.when_not),
        ("Cost", card.cost),
        ("Returns", card.returns),
        ("Next", card.next),
    ] {
        writeln!(page, "- {label}: {text}").unwrap();
    }
    writeln!(page, "\n```sh\n{}\n```", card.example).unwrap();
    if !verb.parameters.is_empty() {
        writeln!(page, "\n| parameter | typed | kind | default | meaning |\n| --- | --- | --- | --- | --- |").unwrap();
        for parameter in verb.parameters {
            let default = match (parameter.required, parameter.default) {
                (true, _) => "needed",
                (false, Some(default)) => default,
                (false, None) => "",
            };
            let (name, typed, help) = (parameter.name, parameter.typed, parameter.help);
            writeln!(page, "| `{name}` | `{typed}` | {} | {default} | {help} |", parameter.kind.in_words()).unwrap();
        }
    }
    let fields: Vec<String> = verb.fields.iter().map(Field::in_words).collect();
    writeln!(page, "\nKeys of the answer: {}.", fields.join(", ")).unwrap();
}

fn page() -> String {
    let mut page = "# Verbs\n\nEverything a memory can be asked to do, with the same names and keys on every surface. \
                    This page is made from the table in `crates/engine/src/catalog/`; a test keeps it so.\n"
        .to_owned();
    let chapters = [
        ("Each day", ToolProfile::Core),
        ("With events and contexts", ToolProfile::Locus),
        ("When you need it", ToolProfile::All),
    ];
    for (heading, profile) in chapters {
        writeln!(page, "\n## {heading}").unwrap();
        for verb in catalog::all().filter(|verb| verb.profile == profile) {
            section(&mut page, verb);
        }
    }
    wrap_markdown(&page)
}

#[test]
fn the_page_of_verbs_says_what_the_table_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/verbs.md");
    if std::env::var_os("ELFMEM_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), page(), "write it anew with ELFMEM_WRITE_DOCS=1");
}
