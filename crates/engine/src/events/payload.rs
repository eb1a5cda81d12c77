//! Converts the JSON payload of an event to text.

use serde_json::{Map, Value};

/// Keys whose value is the main text of a payload. It is written without the key.
const TEXT_KEYS: [&str; 3] = ["data", "text", "content"];
/// Maximum nesting depth.
const MAX_DEPTH: usize = 8;

/// Converts a payload to text: the main text first, then topic and value, then every other key with
/// its value, one per line. Returns an empty string for an empty payload.
pub(crate) fn text_of(payload: &Value) -> String {
    let mut lines = Vec::new();
    match payload {
        Value::Object(fields) => write_fields(fields, &mut lines),
        other => flatten("", other, 0, &mut lines),
    }
    lines.join("\n").trim().to_owned()
}

fn write_fields(fields: &Map<String, Value>, lines: &mut Vec<String>) {
    for key in TEXT_KEYS {
        match fields.get(key) {
            Some(Value::Object(inner)) => write_fields(inner, lines),
            Some(value) => flatten("", value, 0, lines),
            None => {}
        }
    }
    let topic = fields.get("topic").and_then(scalar).unwrap_or_default();
    let before = lines.len();
    if let Some(value) = fields.get("value") {
        flatten(&topic, value, 0, lines);
    }
    if lines.len() == before {
        line("", &topic, lines);
    }
    for (key, value) in fields {
        if !TEXT_KEYS.contains(&key.as_str()) && key != "topic" && key != "value" {
            flatten(key, value, 0, lines);
        }
    }
}

/// Adds one line per scalar value or array of scalars. An empty `name` means no key.
fn flatten(name: &str, value: &Value, depth: usize, lines: &mut Vec<String>) {
    match value {
        _ if depth > MAX_DEPTH => {}
        Value::Array(values) if values.iter().all(|value| scalar(value).is_some()) => {
            let values: Vec<String> = values.iter().filter_map(scalar).collect();
            line(name, &values.join(", "), lines);
        }
        Value::Array(values) => values.iter().for_each(|value| flatten(name, value, depth + 1, lines)),
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&path, value, depth + 1, lines);
            }
        }
        other => line(name, &scalar(other).unwrap_or_default(), lines),
    }
}

fn line(name: &str, value: &str, lines: &mut Vec<String>) {
    match (name.is_empty(), value.is_empty()) {
        (_, true) => {}
        (true, false) => lines.push(value.to_owned()),
        (false, false) => lines.push(format!("{name}: {value}")),
    }
}

/// Converts a scalar to text. Null becomes an empty string; arrays and objects return `None`.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_payload_is_written_as_data_then_topic_then_other_keys() {
        for (payload, text) in [
            (json!("Used var"), "Used var"),
            (json!({"data": " Used var "}), "Used var"),
            (json!({"topic": "const_usage", "value": "always use const"}), "const_usage: always use const"),
            (json!({"value": "v", "topic": "t", "since": 3}), "t: v\nsince: 3"),
            (json!({"topic": "t"}), "t"),
            (json!({"value": 5.5}), "5.5"),
            (json!({"topic": "ports", "value": {"db": 5432, "web": [80, 443]}}), "ports.db: 5432\nports.web: 80, 443"),
            (json!({"kind": "fact", "data": {"topic": "t", "value": true}}), "t: true\nkind: fact"),
            (json!({"a": {"b": {"c": "deep"}}}), "a.b.c: deep"),
            (json!({}), ""),
            (json!({"topic": null, "value": ""}), ""),
            (json!([]), ""),
            (json!(null), ""),
        ] {
            assert_eq!(text_of(&payload), text, "{payload}");
        }
    }

    #[test]
    fn deeply_nested_values_are_dropped() {
        let deep = (0..100).fold(json!("x"), |inner, _| json!({ "a": inner }));
        assert_eq!(text_of(&deep), "");
        let wide = (0..100).fold(json!("x"), |inner, _| json!([[inner]]));
        assert_eq!(text_of(&wide), "");
    }
}
