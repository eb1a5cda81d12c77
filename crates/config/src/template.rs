//! The file a project starts with: every setting it may make, commented out, with its default.

use std::fmt::Write;

use crate::keys::{KEYS, Key};

/// Comments are wrapped here.
const WIDTH: usize = 100;

/// A file of settings in which everything is a comment.
pub fn commented_file() -> String {
    let mut text = String::from(
        "# Settings of elfmem for this project. Every line is a comment that shows a default: take the # away to change it.\n\
         # They go before those in your own file, and behind environment variables and flags; `elfmem config show` says what\n\
         # counts and where it came from. Keys and passwords do not belong here.\n",
    );
    let mut section = "";
    for key in KEYS.iter().filter(|key| key.for_projects) {
        let (own_section, name) = key.parts();
        if own_section != section {
            section = own_section;
            let _ = writeln!(text, "\n[{section}]");
        } else {
            text.push('\n');
        }
        for line in wrapped(&format!("{} Takes {}. Variable: {}.", key.help, key.kind.wanted(), key.variable)) {
            let _ = writeln!(text, "# {line}");
        }
        let _ = writeln!(text, "# {name} = {}", example(key));
    }
    text
}

/// What the line shows: the default, or what one could write where there is none.
fn example(key: &Key) -> String {
    match (key.default_text(), key.name) {
        (Some(default), _) => default,
        (None, "database.path") => "\"memory.db\"".to_owned(),
        (None, _) => "\"\"".to_owned(),
    }
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
