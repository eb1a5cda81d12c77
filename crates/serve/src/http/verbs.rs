//! The verbs as requests: `POST /api/v1/VERB` with a JSON object, and `GET` for those that only read.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{ACCEPT, ALLOW, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use elfmem_engine::catalog::{Effect, Verb, all, find, nearest};
use elfmem_store::Store;
use elfmem_text::terms::escape_hidden_in_json;
use serde_json::{Map, Value, json};

use super::problem::Problem;
use super::{HttpState, query, wording};
use crate::caller::{Caller, Rights};

/// Where the verbs are.
pub(crate) const ROOT: &str = "/api/v1";
/// The route of one of them.
pub(super) const ROUTE: &str = "/api/v1/{verb}";

/// How a verb may be asked for, as the header `Allow` has it.
pub(super) fn methods(verb: &Verb) -> &'static str {
    if verb.effect == Effect::Reads { "GET, HEAD, POST" } else { "POST" }
}

/// `GET /api/v1`: all of them.
pub(super) async fn index() -> Response {
    let verbs: Vec<Value> = all().map(described).collect();
    json_response(json!({"count": verbs.len(), "verbs": verbs}).to_string())
}

fn described(verb: &Verb) -> Value {
    let effect = match verb.effect {
        Effect::Reads => "reads",
        Effect::Writes => "writes",
        Effect::Destroys => "destroys",
    };
    json!({
        "name": verb.name,
        "path": format!("{ROOT}/{}", verb.name),
        "methods": methods(verb).split(", ").collect::<Vec<_>>(),
        "effect": effect,
        "what": verb.card.what,
    })
}

/// One verb.
pub(super) async fn call<S: Store + 'static>(
    State(app): State<Arc<HttpState<S>>>,
    Extension(rights): Extension<Rights>,
    name: Result<Path<String>, PathRejection>,
    method: Method,
    RawQuery(asked): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let name = name.map_err(|_| Problem::no_such_route(ROUTE))?.0;
    let verb = find(&name).ok_or_else(|| unknown(&name))?;
    let arguments = match method {
        Method::POST => object(&headers, &body)?,
        Method::GET | Method::HEAD if verb.effect == Effect::Reads => {
            query::arguments(verb, &asked.unwrap_or_default())?
        }
        _ => return Err(Problem::wrong_method().header(ALLOW, HeaderValue::from_static(methods(verb)))),
    };
    let caller = Caller { actor: app.actor.to_owned(), task_type: "http", rights };
    let as_text = wants_text(&headers);
    // Written down where it was found out: the thread that waits for requests has no time for that.
    let answer = app.calls.run(move |memory| {
        let reply = wording::reply(memory.call(&caller, verb, &arguments)?, verb, &arguments);
        // Hidden characters of stored texts are escapes in JSON, which have the same value.
        Ok::<_, crate::Refusal>(match as_text {
            true => reply.text,
            false => escape_hidden_in_json(&reply.json.to_string()).into_owned(),
        })
    });
    let answer = answer.await??;
    Ok(if as_text { text_response(answer) } else { json_response(answer) })
}

fn unknown(name: &str) -> Problem {
    let name: String = name.chars().take(100).collect();
    let recovery = match nearest(&name, all().map(|verb| verb.name)) {
        Some(near) => format!("Did you mean {ROOT}/{near}? GET {ROOT} lists them all."),
        None => format!("GET {ROOT} lists them all."),
    };
    Problem::new(
        StatusCode::NOT_FOUND,
        elfmem_engine::ErrorKind::NotFound.as_str(),
        format!("There is no verb '{name}'."),
        recovery,
    )
}

/// The JSON object that a body is. An empty body is an empty object.
pub(super) fn object(headers: &HeaderMap, body: &[u8]) -> Result<Map<String, Value>, Problem> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    if !headers.get(CONTENT_TYPE).is_none_or(is_json) {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "MediaTypeError",
            "The body is not said to be JSON.",
            "Send a JSON object with Content-Type: application/json.",
        ));
    }
    serde_json::from_slice(body).map_err(|error| {
        Problem::bad_request(
            format!("The body is no JSON object: {error}."),
            "Send a JSON object, such as {\"query\": \"peanuts\"}; nothing was changed.",
        )
    })
}

fn is_json(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || kind.starts_with("application/") && kind.ends_with("+json")
}

/// Whether a client would rather read than parse.
fn wants_text(headers: &HeaderMap) -> bool {
    let mut best = (0.0, false);
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    for range in accepted.flat_map(|value| value.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let text = match parts.next().map(str::to_ascii_lowercase).as_deref() {
            Some("text/plain" | "text/*") => true,
            Some("application/json" | "application/*" | "*/*") => false,
            _ => continue,
        };
        let weight = parts.find_map(|part| part.strip_prefix("q=")).and_then(|weight| weight.trim().parse().ok());
        let weight: f32 = weight.unwrap_or(1.0);
        if weight > best.0 {
            best = (weight, text);
        }
    }
    best.1
}

pub(super) fn json_response(body: String) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}

fn text_response(body: String) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: axum::http::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, value.parse().unwrap())])
    }

    #[test]
    fn text_is_for_those_who_would_rather_read() {
        for (accept, text) in [
            ("*/*", false),
            ("text/plain", true),
            ("application/json, text/plain", false),
            ("text/plain, application/json", true),
            ("application/json;q=0.5, text/plain", true),
            ("text/plain;q=0.5, application/json", false),
            ("text/html", false),
            ("text/plain;q=x", true),
        ] {
            assert_eq!(wants_text(&headers(ACCEPT, accept)), text, "{accept}");
        }
        assert!(!wants_text(&HeaderMap::new()));
    }

    #[test]
    fn a_body_is_a_json_object_or_a_clear_problem() {
        let read = |kind: &str, body: &str| object(&headers(CONTENT_TYPE, kind), body.as_bytes());
        assert_eq!(read("application/json; charset=utf-8", "{\"a\": 1}").unwrap()["a"], 1);
        assert_eq!(read("text/plain", "").unwrap(), Map::new());
        assert_eq!(read("text/plain", "{}").unwrap_err().status.as_u16(), 415);
        let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
        for bad in [" ", "{", "[]", "null", "{\"a\": 1e999}", "\u{0}", deep.as_str()] {
            assert_eq!(read("application/json", bad).unwrap_err().status.as_u16(), 400, "{bad:.20}");
        }
        assert_eq!(object(&HeaderMap::new(), b"{\"a\": \"\xff\"}").unwrap_err().status.as_u16(), 400);
    }

    #[test]
    fn verbs_that_change_something_are_posted() {
        assert_eq!(methods(find("recall").unwrap()), "GET, HEAD, POST");
        assert_eq!(methods(find("learn").unwrap()), "POST");
    }
}
