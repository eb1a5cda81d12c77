//! Checks the arguments of a tool against its input schema, with the messages of the official TypeScript SDK.

use serde_json::Value;

/// Returns what is wrong with a value, one line each. `None` is a value that was not given.
pub(super) fn problems(schema: &Value, value: Option<&Value>) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, value, "", &mut found);
    found
}

fn check(schema: &Value, value: Option<&Value>, place: &str, found: &mut Vec<String>) {
    let expected = schema["type"].as_str().unwrap_or_default();
    let received = value.map_or("undefined", kind);
    if expected != received {
        let place = if place.is_empty() { String::new() } else { format!(" at {place}") };
        found.push(format!("Invalid input: expected {expected}, received {received}{place}"));
        return;
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let below = if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
        check(&schema["properties"][name], value.and_then(|value| value.get(name)), &below, found);
    }
    for (at, item) in value.and_then(Value::as_array).into_iter().flatten().enumerate() {
        check(&schema["items"], Some(item), &format!("{place}[{at}]"), found);
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn problems_name_their_place() {
        let text = json!({"type": "string"});
        let schema = json!({
            "type": "object",
            "properties": {"items": {"type": "array", "items": {
                "type": "object", "properties": {"name": text, "texts": {"type": "array", "items": text}}, "required": ["name", "texts"],
            }}},
            "required": ["items"],
        });
        let checked = |value: Value| problems(&schema, Some(&value)).join("\n");
        assert_eq!(checked(json!({"items": [{"name": "a", "texts": [], "more": 1}]})), "");
        assert_eq!(checked(json!({})), "Invalid input: expected array, received undefined at items");
        assert_eq!(
            checked(json!({"items": [{"texts": ["a", 5]}]})),
            "Invalid input: expected string, received undefined at items[0].name\n\
             Invalid input: expected string, received number at items[0].texts[1]"
        );
        assert_eq!(problems(&schema, None), ["Invalid input: expected object, received undefined"]);
        assert_eq!(checked(json!({"items": null})), "Invalid input: expected array, received null at items");
    }
}
