//! Errors as HTTP problem details (RFC 9457), with a recovery hint.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use elfmem_engine::ErrorKind;
use elfmem_text::terms::escape_hidden_in_json;
use serde_json::{Map, Value, json};

use super::wording;
use crate::call_pool::CallError;
use crate::caller::FORBIDDEN;
use crate::refusal::Refusal;

/// The media type of problem details.
pub(super) const PROBLEM: &str = "application/problem+json";

/// A failed request. Nothing was changed.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    pub(super) status: StatusCode,
    /// The error class, as on all surfaces.
    pub(super) code: &'static str,
    pub(super) detail: String,
    pub(super) recovery: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Additional members.
    pub(super) more: Map<String, Value>,
}

impl Problem {
    pub(super) fn new(
        status: StatusCode,
        code: &'static str,
        detail: impl Into<String>,
        recovery: impl Into<String>,
    ) -> Self {
        Self { status, code, detail: detail.into(), recovery: recovery.into(), headers: Vec::new(), more: Map::new() }
    }

    pub(super) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Adds a member.
    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    pub(super) fn bad_request(detail: impl Into<String>, recovery: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorKind::Input.as_str(), detail, recovery)
    }

    pub(super) fn no_such_route(path: &str) -> Self {
        let path: String = path.chars().take(200).collect();
        Self::new(
            StatusCode::NOT_FOUND,
            ErrorKind::NotFound.as_str(),
            format!("Nothing is served at '{path}'."),
            "GET /api/v1 lists the verbs; /openapi.json describes everything.",
        )
    }

    /// The response lists the valid methods in `Allow`, which the router adds for routes with fixed
    /// methods.
    pub(super) fn wrong_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "MethodError",
            "This address is not asked that way.",
            "Use a method that the header Allow names.",
        )
    }

    pub(super) fn no_token() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            FORBIDDEN,
            "The request shows no token that is known here.",
            "Send the token as `Authorization: Bearer TOKEN`.",
        )
        .header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// An internal error.
    pub(super) fn fault() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "InternalError",
            "The call broke off; the memory is as it was.",
            "Ask again. If it happens again, report it with the request id.",
        )
    }

    /// Sets `Retry-After`.
    pub(super) fn later(self, seconds: u64) -> Self {
        self.header(RETRY_AFTER, HeaderValue::from(seconds.max(1)))
    }

    /// Renders the response with the request id.
    pub(super) fn into_response_for(self, request_id: &str) -> Response {
        let body = json!({
            "type": format!("urn:elfmem:error:{}", self.code),
            "title": self.status.canonical_reason().unwrap_or("Refused"),
            "status": self.status.as_u16(),
            "detail": self.detail,
            "code": self.code,
            "recovery": self.recovery,
            "request_id": request_id,
        });
        let mut response = Response::new(Body::from(escape_hidden_in_json(&body.to_string()).into_owned()));
        *response.status_mut() = self.status;
        response.headers_mut().extend(self.headers);
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
        response
    }
}

/// The body is rendered by the middleware that knows the request id. Until then, the problem is an
/// extension of the response.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let refusal = refusal.said(wording::request);
        let problem = Self::new(status_of(refusal.kind), refusal.kind, refusal.message, refusal.recovery);
        if problem.status == StatusCode::SERVICE_UNAVAILABLE { problem.later(1) } else { problem }
    }
}

impl From<CallError> for Problem {
    fn from(none: CallError) -> Self {
        match none {
            CallError::Broken => Self::fault(),
            CallError::Overloaded => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "CrowdedError",
                "Too many calls wait already.",
                "Ask again in a second.",
            )
            .later(1),
        }
    }
}

/// Returns the status of an error class.
fn status_of(kind: &str) -> StatusCode {
    const KINDS: [(ErrorKind, StatusCode); 13] = [
        (ErrorKind::Input, StatusCode::BAD_REQUEST),
        (ErrorKind::Frame, StatusCode::BAD_REQUEST),
        (ErrorKind::SelfLoop, StatusCode::BAD_REQUEST),
        (ErrorKind::NotFound, StatusCode::NOT_FOUND),
        (ErrorKind::Session, StatusCode::CONFLICT),
        (ErrorKind::Conflict, StatusCode::CONFLICT),
        (ErrorKind::Connect, StatusCode::CONFLICT),
        (ErrorKind::BlockNotActive, StatusCode::CONFLICT),
        (ErrorKind::DegreeLimit, StatusCode::CONFLICT),
        (ErrorKind::EmbeddingLock, StatusCode::CONFLICT),
        (ErrorKind::Model, StatusCode::BAD_GATEWAY),
        (ErrorKind::Storage, StatusCode::SERVICE_UNAVAILABLE),
        (ErrorKind::Config, StatusCode::SERVICE_UNAVAILABLE),
    ];
    if kind == FORBIDDEN {
        return StatusCode::FORBIDDEN;
    }
    let found = KINDS.iter().find(|(known, _)| known.as_str() == kind);
    found.map_or(StatusCode::INTERNAL_SERVER_ERROR, |(_, status)| *status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_classes_map_to_statuses() {
        for (kind, status) in [
            ("InputError", 400),
            ("PermissionError", 403),
            ("NotFoundError", 404),
            ("ConflictError", 409),
            ("BlockNotActiveError", 409),
            ("ModelError", 502),
            ("StorageError", 503),
            ("", 500),
        ] {
            assert_eq!(status_of(kind).as_u16(), status, "{kind}");
        }
    }

    #[test]
    fn problems_have_a_status_and_a_retry_header() {
        let refusal = Refusal { kind: "StorageError", message: "It is busy.".into(), recovery: "Wait.".into() };
        let response = Problem::from(refusal).into_response_for("r-1");
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()[CONTENT_TYPE], PROBLEM);
        assert_eq!(response.headers()[RETRY_AFTER], "1");
    }
}
