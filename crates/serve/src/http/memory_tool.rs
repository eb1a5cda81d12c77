//! `POST /api/v1/memory-tool`: the memory tool of Anthropic's API.
//!
//! An application sends the input of a `tool_use` block as it came, and returns `content` and `is_error` as the `tool_result`.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use elfmem_store::Store;
use elfmem_text::terms::escape_hidden_in_json;
use serde_json::{Value, json};

use super::HttpState;
use super::problem::Problem;
use super::verbs::{json_response, object};
use crate::caller::{Caller, Rights};
use crate::file_command::run;

/// The route.
pub(super) const ROUTE: &str = "/api/v1/memory-tool";

pub(super) async fn call<S: Store + 'static>(
    State(app): State<Arc<HttpState<S>>>,
    Extension(rights): Extension<Rights>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    if body.is_empty() {
        return Err(Problem::bad_request(
            "There is no command.",
            "Send the input of the tool as a JSON object, such as {\"command\": \"view\", \"path\": \"/memories\"}.",
        ));
    }
    let input = Value::Object(object(&headers, &body)?);
    let caller = Caller { actor: app.actor.to_owned(), task_type: "http", rights };
    let answer = app.calls.run(move |memory| run(&input, memory, &caller)).await??;
    let answer = json!({"content": answer.content, "is_error": answer.is_error});
    Ok(json_response(escape_hidden_in_json(&answer.to_string()).into_owned()))
}

/// Returns the OpenAPI description of the route.
pub(super) fn operation() -> Value {
    let answer = json!({
        "type": "object",
        "required": ["content", "is_error"],
        "properties": {"content": {"type": "string"}, "is_error": {"type": "boolean"}},
    });
    // What a model wrote is sent as it came, and what does not fit is told to the model.
    let input = json!({
        "type": "object",
        "description": "The input of the tool as the model wrote it. One that does not fit is answered with is_error.",
        "example": {"command": "view", "path": "/memories"},
    });
    let summary = "Run a command of Anthropic's memory tool on the files under /memories.";
    let mut responses = json!({
        "200": {
            "description": "The text for the model, and whether the command failed.",
            "content": {"application/json": {"schema": answer}},
        },
    });
    for status in ["400", "401", "403", "408", "413", "415", "429", "500", "503"] {
        responses[status] = json!({"$ref": "#/components/responses/Problem"});
    }
    json!({"post": {
        "operationId": "memory_tool",
        "summary": summary,
        "requestBody": {"required": true, "content": {"application/json": {"schema": input}}},
        "responses": responses,
    }})
}
