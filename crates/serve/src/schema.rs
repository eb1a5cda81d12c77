//! What the table of verbs says, as JSON Schema.

use elfmem_engine::catalog::{Field, Parameter, ToolProfile, ValueKind, Verb, VerbId};
use serde_json::{Map, Value, json};

/// Parameters that are advanced in the group they come from, and that answers of a verb recommend.
const RECOMMENDED: [(VerbId, &str); 1] = [(VerbId::Recall, "include_weak")];

/// Returns true if the short list has a parameter of a verb.
pub(crate) fn is_in_short_list(verb: &Verb, parameter: &Parameter) -> bool {
    !parameter.advanced || RECOMMENDED.contains(&(verb.id, parameter.name))
}

/// What a verb takes. The short list leaves out what is seldom needed; that is accepted all the same.
pub(crate) fn input(verb: &Verb, profile: ToolProfile) -> Map<String, Value> {
    let is_shown = |parameter: &&Parameter| profile == ToolProfile::All || is_in_short_list(verb, parameter);
    let shown = || verb.parameters.iter().filter(is_shown);
    let properties: Map<String, Value> =
        shown().map(|parameter| (parameter.name.to_owned(), of_parameter(parameter))).collect();
    let required: Vec<&str> = shown().filter(|parameter| parameter.required).map(|parameter| parameter.name).collect();
    let mut schema = object([("properties", Value::Object(properties))]);
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

/// What a verb answers with when it is done: the names of its keys, and in the full list what they are.
pub(crate) fn output(verb: &Verb, profile: ToolProfile) -> Map<String, Value> {
    let always = verb.fields.iter().filter(|field| !field.optional);
    let names: Vec<&str> = always.map(|field| field.name).collect();
    let mut schema = object([("required", json!(names))]);
    if profile == ToolProfile::All {
        let properties = verb.fields.iter().map(|field| (field.name.to_owned(), of_field(field))).collect();
        schema.insert("properties".to_owned(), Value::Object(properties));
    }
    schema
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.extend(entries.map(|(key, value)| (key.to_owned(), value)));
    schema
}

/// One thing a verb takes.
pub(crate) fn of_parameter(parameter: &Parameter) -> Value {
    let mut schema = of_kind(parameter.kind);
    schema.insert("description".to_owned(), json!(parameter.help));
    if let Some(default) = parameter.default {
        schema.insert("default".to_owned(), default_of(parameter.kind, default));
    }
    Value::Object(schema)
}

/// A default is written as text in the table; a schema wants it as the value it is.
fn default_of(kind: ValueKind, text: &str) -> Value {
    match kind {
        ValueKind::Count | ValueKind::Number | ValueKind::Flag => {
            serde_json::from_str(text).unwrap_or_else(|_| json!(text))
        }
        _ => json!(text),
    }
}

fn of_field(field: &Field) -> Value {
    let mut schema = of_kind(field.kind);
    if field.nullable {
        let kind = schema.get("type").cloned().unwrap_or_else(|| json!("null"));
        schema.insert("type".to_owned(), json!([kind, "null"]));
    }
    Value::Object(schema)
}

/// A value of a kind.
pub(crate) fn of_kind(kind: ValueKind) -> Map<String, Value> {
    let list_of = |item: &str| json!({"type": "array", "items": {"type": item}});
    let schema = match kind {
        ValueKind::Text | ValueKind::Time => json!({"type": "string"}),
        ValueKind::Texts => list_of("string"),
        ValueKind::Count => json!({"type": "integer", "minimum": 0}),
        ValueKind::Counts => json!({"type": "array", "items": {"type": "integer", "minimum": 0}}),
        ValueKind::Number => json!({"type": "number"}),
        ValueKind::Numbers => list_of("number"),
        ValueKind::Flag => json!({"type": "boolean"}),
        ValueKind::Choice(words) => json!({"type": "string", "enum": words}),
        ValueKind::Object => json!({"type": "object"}),
        ValueKind::Objects => list_of("object"),
    };
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use elfmem_engine::catalog::{all, find};

    use super::*;

    #[test]
    fn the_short_list_leaves_out_what_is_seldom_needed_and_keeps_what_is() {
        let learn = find("learn").unwrap();
        let (short, full) = (input(learn, ToolProfile::Core), input(learn, ToolProfile::All));
        assert!(short["properties"].get("event_at").is_none() && full["properties"].get("event_at").is_some());
        assert_eq!(short["required"], json!(["content"]));
        assert_eq!(full["required"], short["required"]);
    }

    #[test]
    fn nothing_that_is_needed_is_left_out_of_a_list() {
        for parameter in all().flat_map(|verb| verb.parameters) {
            assert!(!(parameter.required && parameter.advanced), "{}", parameter.name);
        }
    }

    #[test]
    fn defaults_are_of_the_kind_of_their_parameter() {
        for verb in all() {
            for parameter in verb.parameters.iter().filter(|parameter| parameter.default.is_some()) {
                let schema = of_parameter(parameter);
                let default = &schema["default"];
                let fits = match schema["type"].as_str() {
                    Some("integer") => default.is_u64(),
                    Some("number") => default.is_number(),
                    Some("boolean") => default.is_boolean(),
                    _ => default.is_string(),
                };
                assert!(fits, "{}.{}: {default}", verb.name, parameter.name);
            }
        }
    }

    #[test]
    fn the_list_for_events_names_the_keys_of_an_answer() {
        let recall = find("recall").unwrap();
        let short = output(recall, ToolProfile::Locus);
        assert!(short["required"].as_array().unwrap().contains(&json!("blocks")));
        assert!(short.get("properties").is_none());
        assert_eq!(output(recall, ToolProfile::All)["required"].as_array().unwrap().len(), recall.fields.len());
    }

    #[test]
    fn what_may_be_null_says_so() {
        let status = output(find("status").unwrap(), ToolProfile::All);
        assert_eq!(status["properties"]["session_hours"], json!({"type": ["number", "null"]}));
        assert_eq!(status["properties"]["health"], json!({"type": "string"}));
    }
}
