//! The description of the API in OpenAPI 3.1, made from the table of verbs.

use elfmem_engine::catalog::{Effect, Parameter, ToolProfile, ValueKind, Verb, all};
use serde_json::{Map, Value, json};

use super::locus::{LocusParameter, Route};
use super::problem::PROBLEM;
use super::{health, locus, memory_tool, metrics, verbs};
use crate::schema;

/// Where the document is served.
pub(super) const ROUTE: &str = "/openapi.json";

/// `docs/reference/openapi.json`, which is also what the server hands out.
pub fn openapi() -> String {
    let mut paths = Map::new();
    for verb in all() {
        paths.insert(format!("{}/{}", verbs::ROOT, verb.name), of_verb(verb));
    }
    paths.extend(beside_the_verbs());
    for route in locus::ROUTES {
        let item = paths.entry(route.path).or_insert_with(|| json!({}));
        item[route.method.to_ascii_lowercase()] = of_route(route);
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "elfmem",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Adaptive memory for LLM agents. Every verb is a POST with a JSON object; those that only read are also a GET. \
                A refusal is a problem (RFC 9457) with what to do, and nothing was changed then. A server that only this \
                machine can reach may run without tokens.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Problem": problem_schema(), "Refusal": refusal_schema()},
            "responses": {
                "Problem": problem("What was refused, why, and what to do."),
                "Refusal": {
                    "description": "The same in the envelope of these routes.",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
                },
            },
        },
        "security": [{"bearer": []}],
    });
    format!("{document:#}\n")
}

fn of_verb(verb: &Verb) -> Value {
    let mut item = Map::new();
    if verb.effect == Effect::Reads {
        let parameters: Vec<Value> = verb.parameters.iter().map(in_query).collect();
        let mut get = operation(verb, "get");
        get.insert("parameters".to_owned(), json!(parameters));
        item.insert("get".to_owned(), Value::Object(get));
    }
    let mut post = operation(verb, "post");
    let needed = verb.parameters.iter().any(|parameter| parameter.required);
    post.insert(
        "requestBody".to_owned(),
        json!({"required": needed, "content": {"application/json": {"schema": input(verb)}}}),
    );
    item.insert("post".to_owned(), Value::Object(post));
    Value::Object(item)
}

fn operation(verb: &Verb, method: &str) -> Map<String, Value> {
    let card = &verb.card;
    let done = json!({
        "description": card.returns,
        "headers": {"X-Request-Id": {"description": "What the request is called.", "schema": {"type": "string"}}},
        "content": {
            "application/json": {"schema": schema::output(verb, ToolProfile::All)},
            "text/plain": {"schema": {"type": "string"}},
        },
    });
    let mut responses = Map::from_iter([("200".to_owned(), done)]);
    responses.extend(refusals(&REFUSED, "Problem"));
    let mut operation = Map::new();
    operation.insert("operationId".to_owned(), json!(format!("{}_{method}", verb.name)));
    operation.insert("summary".to_owned(), json!(card.what));
    operation.insert(
        "description".to_owned(),
        json!(format!("Use when: {} Not when: {} Cost: {}", card.when, card.when_not, card.cost)),
    );
    operation.insert("responses".to_owned(), Value::Object(responses));
    operation
}

/// Every status that the refusal of a verb may have.
const REFUSED: [&str; 12] = ["400", "401", "403", "404", "408", "409", "413", "415", "429", "500", "502", "503"];

fn refusals(statuses: &[&str], form: &str) -> Vec<(String, Value)> {
    let reference = json!({"$ref": format!("#/components/responses/{form}")});
    statuses.iter().map(|status| ((*status).to_owned(), reference.clone())).collect()
}

/// A route of the system of seed 004.
fn of_route(route: &Route) -> Value {
    let data = json!({"type": "object", "required": route.answers});
    let envelope = json!({
        "type": "object",
        "required": ["success", "data"],
        "properties": {"success": {"const": true}, "data": data},
    });
    let done = json!({"description": route.summary, "content": {"application/json": {"schema": envelope}}});
    let mut responses = Map::from_iter([("200".to_owned(), done)]);
    responses.extend(refusals(&REFUSED, "Refusal"));
    let mut parameters: Vec<Value> = route.path.split('/').filter_map(in_path).collect();
    let mut operation = json!({"operationId": route.id, "summary": route.summary, "responses": responses});
    if route.method == "GET" {
        parameters.extend(route.takes.iter().map(
            |taken| json!({"name": taken.name, "in": "query", "required": taken.required, "schema": of_taken(taken)}),
        ));
    } else if !route.takes.is_empty() {
        let named = |taken: &LocusParameter| {
            let mut schema = of_taken(taken);
            if !taken.required {
                or_null(&mut schema);
            }
            (taken.name.to_owned(), Value::Object(schema))
        };
        let properties: Map<String, Value> = route.takes.iter().map(named).collect();
        let required: Vec<&str> = route.takes.iter().filter(|taken| taken.required).map(|taken| taken.name).collect();
        let mut schema = json!({"type": "object", "additionalProperties": false, "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        operation["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    }
    operation["parameters"] = json!(parameters);
    operation
}

fn of_taken(taken: &LocusParameter) -> Map<String, Value> {
    taken.kind.map(schema::of_kind).unwrap_or_default()
}

/// A part of an address that stands for something. A server holds one graph.
fn in_path(part: &str) -> Option<Value> {
    let name = part.strip_prefix('{')?.strip_suffix('}')?;
    let schema = match name {
        "graph" => json!({"type": "string", "enum": ["default"]}),
        _ => json!({"type": "string", "minLength": 1}),
    };
    Some(json!({"name": name, "in": "path", "required": true, "schema": schema}))
}

/// What a verb takes and nothing else. What need not be given may also be null.
fn input(verb: &Verb) -> Value {
    let mut schema = schema::input(verb, ToolProfile::All);
    schema.insert("additionalProperties".to_owned(), json!(false));
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for parameter in verb.parameters {
            let Some(property) = properties.get_mut(parameter.name).and_then(Value::as_object_mut) else { continue };
            // A list of one text may be given as the text.
            if parameter.kind == ValueKind::Texts {
                or_type(property, "string");
            }
            if !parameter.required {
                or_null(property);
            }
        }
    }
    Value::Object(schema)
}

/// Lets a value be of another type too.
fn or_type(schema: &mut Map<String, Value>, other: &str) {
    let types = match schema.get("type").cloned() {
        Some(Value::Array(mut types)) => {
            types.push(json!(other));
            types
        }
        Some(one) => vec![one, json!(other)],
        None => return,
    };
    schema.insert("type".to_owned(), Value::Array(types));
}

fn or_null(schema: &mut Map<String, Value>) {
    or_type(schema, "null");
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.push(Value::Null);
    }
}

fn in_query(parameter: &Parameter) -> Value {
    let mut schema = schema::of_parameter(parameter);
    if let Value::Object(schema) = &mut schema {
        schema.remove("description");
    }
    let mut described = json!({
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.help,
    });
    // An object in an address is written as JSON.
    match parameter.kind {
        ValueKind::Object | ValueKind::Objects => {
            described["content"] = json!({"application/json": {"schema": schema}});
        }
        _ => described["schema"] = schema,
    }
    described
}

fn beside_the_verbs() -> Vec<(String, Value)> {
    let object = |required: &[&str], properties: Value| json!({"type": "object", "required": required, "properties": properties});
    let list = object(
        &["count", "verbs"],
        json!({
            "count": {"type": "integer", "minimum": 0},
            "verbs": {"type": "array", "items": object(
                &["name", "path", "methods", "effect", "what"],
                json!({
                    "name": {"type": "string"},
                    "path": {"type": "string"},
                    "methods": {"type": "array", "items": {"type": "string"}},
                    "effect": {"type": "string", "enum": ["reads", "writes", "destroys"]},
                    "what": {"type": "string"},
                }),
            )},
        }),
    );
    let state = object(
        &["status", "version", "store"],
        json!({"status": {"const": "ok"}, "version": {"type": "string"}, "store": {"const": "answers"}}),
    );
    let text = json!({"type": "string"});
    let document = object(&["openapi", "info", "paths"], json!({}));
    let guarded = ["401", "403", "408", "413", "429", "500"];
    let mut well = get(
        "health",
        "Say whether the server and its store answer. Everybody may ask.",
        "application/json",
        state,
        &["500", "503"],
    );
    well["get"]["security"] = json!([]);
    vec![
        (verbs::ROOT.to_owned(), get("list_verbs", "List the verbs.", "application/json", list, &guarded)),
        (ROUTE.to_owned(), get("openapi", "This document.", "application/json", document, &guarded)),
        (health::ROUTE.to_owned(), well),
        (memory_tool::ROUTE.to_owned(), memory_tool::operation()),
        (
            metrics::ROUTE.to_owned(),
            get("metrics", "Numbers in the text form of Prometheus.", "text/plain", text, &guarded),
        ),
    ]
}

fn get(id: &str, summary: &str, kind: &str, schema: Value, refused: &[&str]) -> Value {
    let done = json!({"description": summary, "content": {kind: {"schema": schema}}});
    let mut responses = Map::from_iter([("200".to_owned(), done)]);
    responses.extend(refusals(refused, "Problem"));
    json!({"get": {"operationId": id, "summary": summary, "responses": responses}})
}

fn problem(description: &str) -> Value {
    json!({
        "description": description,
        "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    })
}

fn refusal_schema() -> Value {
    json!({
        "type": "object",
        "required": ["success", "error"],
        "properties": {
            "success": {"const": false},
            "error": {
                "type": "object",
                "required": ["code", "message", "recovery", "request_id"],
                "properties": {
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                    "recovery": {"type": "string", "minLength": 1},
                    "request_id": {"type": "string"},
                },
            },
        },
    })
}

fn problem_schema() -> Value {
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail", "code", "recovery", "request_id"],
        "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "description": "What happened."},
            "code": {"type": "string", "description": "The class of the error, as on every surface."},
            "recovery": {"type": "string", "minLength": 1, "description": "What to do next."},
            "request_id": {"type": "string"},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Value {
        serde_json::from_str(&openapi()).unwrap()
    }

    #[test]
    fn every_verb_can_be_posted_and_those_that_read_can_be_got() {
        let document = document();
        for verb in all() {
            let path = &document["paths"][format!("/api/v1/{}", verb.name)];
            assert!(path["post"].is_object(), "{}", verb.name);
            assert_eq!(path["get"].is_object(), verb.effect == Effect::Reads, "{}", verb.name);
        }
    }

    #[test]
    fn what_need_not_be_given_may_be_null_and_what_is_unknown_may_not() {
        let document = document();
        let schema =
            &document["paths"]["/api/v1/recall"]["post"]["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(schema["properties"]["query"]["type"], "string");
        assert_eq!(schema["properties"]["top_k"]["type"], json!(["integer", "null"]));
        assert_eq!(schema["additionalProperties"], false);
    }

    #[test]
    fn only_the_question_for_health_needs_no_token() {
        let document = document();
        assert_eq!(document["security"], json!([{"bearer": []}]));
        let open: Vec<&String> = document["paths"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, item)| item.as_object().unwrap().values().any(|operation| operation.get("security").is_some()))
            .map(|(path, _)| path)
            .collect();
        assert_eq!(open, ["/healthz"]);
    }
}
