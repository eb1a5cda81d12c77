//! Generates the commented configuration file of a new project.

use std::fmt::Write;

use crate::keys::{KEYS, SettingKey};

/// Line width of the comments.
const WIDTH: usize = 100;

/// Returns a configuration file in which every setting is commented out.
pub fn commented_file() -> String {
    let mut text = String::from(
        "# Settings of elfmem for this project. Every line is a comment that shows a default: remove the # to\n\
         # change it. They override the settings in your own file; environment variables and flags override\n\
         # them. `elfmem config show` prints the values in effect. Do not store keys or passwords here.\n",
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
        for line in wrapped(&format!("{} Takes {}. Variable: {}.", key.help, key.kind.expected(), key.variable)) {
            let _ = writeln!(text, "# {line}");
        }
        let _ = writeln!(text, "# {name} = {}", example(key));
    }
    text
}

/// Returns the default, or an example value if there is none.
fn example(key: &SettingKey) -> String {
    match (key.default_text(), key.name) {
        (Some(default), _) => default,
        (None, "database.path") => "\"memory.db\"".to_owned(),
        // Those of common hosted embedders.
        (None, "thresholds.exact") => "0.95".to_owned(),
        (None, "thresholds.near") => "0.9".to_owned(),
        (None, "thresholds.edge") => "0.6".to_owned(),
        (None, "thresholds.contradiction_prefilter") => "0.4".to_owned(),
        (None, "thresholds.contradiction") => "0.8".to_owned(),
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
