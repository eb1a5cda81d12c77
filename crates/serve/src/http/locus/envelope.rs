//! The response envelope of the locus routes.

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use elfmem_text::terms::escape_hidden_in_json;
use serde_json::{Value, json};

use crate::http::problem::Problem;
use crate::http::verbs::json_response;

/// Wraps a successful result.
pub(super) fn data(value: &Value) -> Response {
    json_response(escape_hidden_in_json(&json!({"success": true, "data": value}).to_string()).into_owned())
}

/// Wraps an error with the request id.
pub(in crate::http) fn refused(problem: Problem, request_id: &str) -> Response {
    let mut error = problem.more.clone();
    error.insert("code".to_owned(), json!(code(problem.status)));
    error.insert("message".to_owned(), json!(problem.detail));
    error.insert("recovery".to_owned(), json!(problem.recovery));
    error.insert("request_id".to_owned(), json!(request_id));
    let body = json!({"success": false, "error": error}).to_string();
    let mut response = problem.into_response_for(request_id);
    *response.body_mut() = Body::from(escape_hidden_in_json(&body).into_owned());
    response.headers_mut().insert(CONTENT_TYPE, axum::http::HeaderValue::from_static("application/json"));
    response
}

fn code(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 => "BAD_REQUEST",
        401 => "UNAUTHORIZED",
        403 => "FORBIDDEN",
        404 => "NOT_FOUND",
        405 => "METHOD_NOT_ALLOWED",
        408 => "TIMEOUT",
        409 => "CONFLICT",
        413 => "PAYLOAD_TOO_LARGE",
        415 => "UNSUPPORTED_MEDIA_TYPE",
        429 => "RATE_LIMITED",
        502 => "BAD_GATEWAY",
        503 => "UNAVAILABLE",
        _ => "INTERNAL_ERROR",
    }
}
