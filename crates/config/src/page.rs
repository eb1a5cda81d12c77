//! The reference page, made from the table.

use std::fmt::Write;

use crate::keys::{KEYS, OTHER_VARIABLES};

const INTRODUCTION: &str = "# Configuration

<!-- Made from the table in crates/config/src/keys.rs; a test compares. -->

elfmem needs no settings. Where you want other ones, they come in layers; a later one wins:

1. what comes with elfmem,
2. your own file, `$XDG_CONFIG_HOME/elfmem/config.toml` (`~/.config/elfmem/config.toml`),
3. the project's file, `.elfmem/config.toml` in this folder or the nearest one above it,
4. environment variables,
5. flags.

`elfmem config show` says what counts and where each value came from; `elfmem config keys` prints the tables below; `elfmem init` writes a
file with every setting as a comment. A key that does not exist and a value that cannot be are errors that name the file, the line and
what was probably meant. Keys for models are never kept in a file: a setting may name the variable that holds one.

A project can be anyone's, so its file may not say where your keys and texts are sent; those settings are marked *not for projects*.

## Settings

";

/// The page `docs/reference/configuration.md`.
pub fn reference_page() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.push_str("| setting | takes | default | variable | flag | what it is for |\n|---|---|---|---|---|---|\n");
    for key in &KEYS {
        let default = match (key.default_in_words, key.default_text()) {
            (Some(words), _) => words.to_owned(),
            (None, Some(text)) => format!("`{text}`"),
            (None, None) => "none".to_owned(),
        };
        let flag = key.flag.map(|flag| format!("`{flag}`")).unwrap_or_default();
        let restricted = if key.for_projects { "" } else { " *Not for projects.*" };
        let (name, wanted, variable, help) = (key.name, key.kind.wanted(), key.variable, key.help);
        let _ = writeln!(page, "| `{name}` | {wanted} | {default} | `{variable}` | {flag} | {help}{restricted} |");
    }
    page.push_str("\n## Other variables\n\n| variable | what it is for |\n|---|---|\n");
    for variable in &OTHER_VARIABLES {
        let _ = writeln!(page, "| `{}` | {} |", variable.name, variable.help);
    }
    page
}
