//! Parses the front matter of a Markdown file: names with texts and lists, a subset of YAML or, between `+++`, of TOML.

use std::collections::BTreeMap;

use serde_json::Value;

/// The fields of a front matter, by lowercase name. A value is JSON if it parses as JSON, otherwise
/// a string.
pub(super) type FrontMatter = BTreeMap<String, Value>;

/// The lines around a front matter.
const YAML: &str = "---";
const TOML: &str = "+++";

/// Splits a file into front matter and body. An unterminated front matter is part of the body.
pub(super) fn split(text: &str) -> (Option<FrontMatter>, &str) {
    let opened = |mark: &'static str| Some((mark, text.strip_prefix(mark).and_then(after_line_end)?));
    let Some((mark, rest)) = opened(YAML).or_else(|| opened(TOML)) else { return (None, text) };
    let is_yaml = mark == YAML;
    let separator = if is_yaml { ':' } else { '=' };
    let mut fields = FrontMatter::new();
    let mut list: Option<(String, Vec<Value>)> = None;
    let mut at = rest;
    while !at.is_empty() {
        let (line, after) = at.split_once('\n').unwrap_or((at, ""));
        let line = line.trim_end();
        if line == mark || is_yaml && line == "..." {
            store(&mut fields, list);
            return (Some(fields), after);
        }
        at = after;
        let item = line.trim_start().strip_prefix("- ").filter(|_| is_yaml).filter(|_| list.is_some());
        if let (Some(item), Some((_, items))) = (item, &mut list) {
            items.push(parse_value(item));
            continue;
        }
        // Nested structures and comments are ignored.
        if line.starts_with([' ', '\t', '#']) {
            continue;
        }
        if let Some((name, value)) = line.split_once(separator) {
            store(&mut fields, list.take());
            let name = name.trim().to_lowercase();
            match value.trim() {
                "" => list = Some((name, Vec::new())),
                value => _ = fields.insert(name, parse_value(value)),
            }
        }
    }
    (None, text)
}

fn store(fields: &mut FrontMatter, list: Option<(String, Vec<Value>)>) {
    if let Some((name, items)) = list {
        fields.insert(name, Value::Array(items));
    }
}

/// Returns the text after a blank line. Returns `None` if the line is not blank.
fn after_line_end(text: &str) -> Option<&str> {
    let (line, rest) = text.split_once('\n')?;
    line.trim().is_empty().then_some(rest)
}

/// Parses a value as JSON, as a list of unquoted strings, or as a string.
fn parse_value(text: &str) -> Value {
    let text = text.trim();
    if let Ok(value) = serde_json::from_str(text) {
        return value;
    }
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let items = items_of(inner).into_iter().map(unquoted).filter(|item| !item.is_empty());
        return items.map(|item| Value::String(item.to_owned())).collect();
    }
    Value::String(unquoted(text).to_owned())
}

/// Splits a list at the commas that stand outside of quotation marks. A mark opens at the beginning of an item.
fn items_of(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut open) = (Vec::new(), 0, None);
    for (at, c) in list.char_indices() {
        match open {
            Some(quote) if c == quote => open = None,
            None if ['\'', '"'].contains(&c) && list[start..at].trim().is_empty() => open = Some(c),
            None if c == ',' => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    items
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    ['\'', '"'].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(text)
}

/// Returns the strings of a field: a list, or one string separated by commas.
pub(super) fn texts(fields: &FrontMatter, name: &str) -> Vec<String> {
    match fields.get(name) {
        Some(Value::String(text)) => text.split(',').map(|part| part.trim().to_owned()).collect(),
        Some(Value::Array(items)) => items.iter().filter_map(in_words).collect(),
        Some(value) => in_words(value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Returns the tags of a field. Tags contain no space: one string is separated by commas or spaces.
pub(super) fn tags(fields: &FrontMatter, name: &str) -> Vec<String> {
    let tags = match fields.get(name) {
        Some(Value::String(text)) => text.trim_start_matches('[').split([',', ' ', '\t']).map(str::to_owned).collect(),
        _ => texts(fields, name),
    };
    let tags = tags.into_iter().map(|tag| tag.trim().trim_start_matches('#').to_owned());
    tags.filter(|tag| !tag.is_empty()).collect()
}

/// Returns true if a field begins as a list and does not end as one.
pub(super) fn is_torn(fields: &FrontMatter, name: &str) -> bool {
    fields.get(name).and_then(Value::as_str).is_some_and(|text| text.starts_with('['))
}

/// Returns a value as it was written. Returns `None` for a list or an empty value.
fn in_words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns the string of a field, if it is not blank.
pub(super) fn text<'a>(fields: &'a FrontMatter, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_of_elfmem_and_of_other_programs_are_parsed() {
        let file = "---\nelfmem: block\nTags: [a, 'b c']\ncue: \"when: \\n now\"\naliases:\n  - one\n  - two\n\
                    nested:\n  deep: 1\n# a remark\n---\nBody\n---\nmore";
        let (fields, body) = split(file);
        let fields = fields.unwrap();
        assert_eq!(texts(&fields, "tags"), ["a", "b c"]);
        assert_eq!(tags(&fields, "tags"), ["a", "b c"]);
        assert_eq!(text(&fields, "cue"), Some("when: \n now"));
        assert_eq!(texts(&fields, "aliases"), ["one", "two"]);
        assert_eq!(fields["nested"], json!([]));
        assert_eq!(body, "Body\n---\nmore");
    }

    #[test]
    fn tags_are_parsed_in_all_their_forms() {
        for (yaml, expected) in [
            ("tags: one, #two", vec!["one", "two"]),
            ("tags: one #two/three", vec!["one", "two/three"]),
            ("tags: [one, \"#two\"]", vec!["one", "two"]),
            ("tags:\n- one\n- \"#two\"", vec!["one", "two"]),
            ("tags:\n    - 2024\n    - true", vec!["2024", "true"]),
            ("tags: 2024", vec!["2024"]),
            ("tags:", vec![]),
            ("tags: []", vec![]),
            ("tags: [one, two", vec!["one", "two"]),
            ("tags: [one, \"two, three\", it's]", vec!["one", "two, three", "it's"]),
        ] {
            let file = format!("---\n{yaml}\n---\n");
            assert_eq!(tags(&split(&file).0.unwrap(), "tags"), expected, "{yaml}");
        }
    }

    #[test]
    fn toml_stands_between_its_own_marks() {
        let file =
            "+++\ntitle = \"Bees\"\ndate = 2024-03-05\n[taxonomies]\ntags = [\"one\", 'two']\n---\n+++\nBody: x = 1";
        let (fields, body) = split(file);
        let fields = fields.unwrap();
        assert_eq!((text(&fields, "title"), text(&fields, "date")), (Some("Bees"), Some("2024-03-05")));
        assert_eq!((tags(&fields, "tags"), body), (vec!["one".to_owned(), "two".to_owned()], "Body: x = 1"));
    }

    #[test]
    fn a_file_without_front_matter_is_all_body() {
        for file in [
            "",
            "+++",
            "+++\nname = x\n---\n",
            "---",
            "--- text\n---\n",
            "---\nname: x\nno end",
            "text\n---\na: b\n---\n",
        ] {
            assert_eq!(split(file), (None, file), "{file:?}");
        }
        assert_eq!(split("---\n---\nx").1, "x");
        assert_eq!(split("---\r\na: b\r\n---\r\nx").1, "x");
    }
}
