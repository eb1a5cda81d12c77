//! Generates the reference page from the table.

use std::fmt::Write;

use crate::keys::{KEYS, OTHER_VARIABLES};

const INTRODUCTION: &str = "# Configuration

<!-- Generated from the table in crates/config/src/keys.rs; a test compares. -->

This page lists every setting with its default, environment variable and flag. elfmem runs without
any configuration.

Settings come in layers. Later layers win:

1. the built-in defaults,
2. your file, `$XDG_CONFIG_HOME/elfmem/config.toml` (`~/.config/elfmem/config.toml`),
3. the project's file, `.elfmem/config.toml` in this folder or the nearest parent folder,
4. environment variables,
5. flags.

`elfmem config show` prints the values in effect and their origin. `elfmem config keys` prints the
tables below. `elfmem init` writes a file with every setting as a comment. Unknown keys and invalid
values are errors that name the file, the line and the closest match. API keys are never stored in a
file: a setting can name the environment variable that contains one.

A project may come from anyone, so its file cannot set where your keys and texts are sent. Those
settings are marked *Not for projects*.

## Settings

";

/// Returns the page `docs/reference/configuration.md`.
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
        let (name, expected, variable, help) = (key.name, key.kind.expected(), key.variable, key.help);
        let _ = writeln!(page, "| `{name}` | {expected} | {default} | `{variable}` | {flag} | {help}{restricted} |");
    }
    page.push_str("\n## Other variables\n\n| variable | what it is for |\n|---|---|\n");
    for variable in &OTHER_VARIABLES {
        let _ = writeln!(page, "| `{}` | {} |", variable.name, variable.help);
    }
    page
}
