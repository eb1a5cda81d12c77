//! Parses a configuration file into settings with their line numbers.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::ConfigError;
use crate::keys::{KEYS, SettingKey, key};

/// A setting in a file.
pub(crate) struct Entry<'a> {
    pub(crate) key: &'static SettingKey,
    pub(crate) value: &'a DeValue<'a>,
    /// The line, from 1.
    pub(crate) line: usize,
}

/// Parses a file. Calls `take` for every setting and adds errors to `problems`.
pub(crate) fn read(file: &Path, text: &str, mut take: impl FnMut(Entry<'_>), problems: &mut Vec<ConfigError>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        // Do not use a file with syntax errors partially.
        problems.extend(errors.into_iter().map(|error| ConfigError::Syntax {
            file: file.to_owned(),
            line: error.span().map_or(1, |span| line_of(text, span.start)),
            problem: one_line(error.message()),
        }));
        return;
    }
    for (section, value) in table.get_ref() {
        let name = section.get_ref().as_ref();
        let line = line_of(text, section.span().start);
        let known = KEYS.iter().any(|key| key.parts().0 == name);
        match value.get_ref() {
            DeValue::Table(settings) if known || !settings.is_empty() => {
                for (setting, value) in settings {
                    let line = line_of(text, setting.span().start);
                    let name = format!("{name}.{}", setting.get_ref());
                    read_setting(file, line, &name, value, &mut take, problems);
                }
            }
            _ if known => {
                problems.push(ConfigError::NotASection { file: file.to_owned(), line, section: name.to_owned() });
            }
            _ => problems.push(ConfigError::UnknownKey { file: file.to_owned(), line, key: one_line(name) }),
        }
    }
}

fn read_setting(
    file: &Path,
    line: usize,
    name: &str,
    value: &Spanned<DeValue<'_>>,
    take: &mut impl FnMut(Entry<'_>),
    problems: &mut Vec<ConfigError>,
) {
    match key(name) {
        Some(key) => take(Entry { key, value: value.get_ref(), line }),
        None => problems.push(ConfigError::UnknownKey { file: file.to_owned(), line, key: one_line(name) }),
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count()
}

/// Joins lines and strips the final full stop, so that the text fits into a sentence.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches('.').to_owned()
}
