//! Reads request bodies completely, within a size and a time limit.
//!
//! A body whose declared length is too large is rejected before it is read. Chunked bodies are
//! counted. A slow client occupies only its own connection, for a limited time.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use super::problem::Problem;

/// Bytes of a rejected body that are read and discarded, so that the client receives the response.
const DRAINED: usize = 16 * 1024 * 1024;
/// Time limit for discarding.
const DRAINING: Duration = Duration::from_secs(2);

/// Size and time limit of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyLimits {
    pub(super) bytes: usize,
    pub(super) time: Duration,
}

enum BodyError {
    TooLarge,
    BrokenOff,
}

/// Middleware that reads the body before the handler runs.
pub(super) async fn read(State(bounds): State<BodyLimits>, request: Request, next: Next) -> Response {
    let (parts, mut body) = request.into_parts();
    let declared = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: u64| length > bounds.bytes as u64) {
        drain(body);
        return too_large(bounds.bytes).into_response();
    }
    let problem = match tokio::time::timeout(bounds.time, whole(&mut body, bounds.bytes)).await {
        Ok(Ok(bytes)) => return next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(BodyError::TooLarge)) => {
            drain(body);
            too_large(bounds.bytes)
        }
        Ok(Err(BodyError::BrokenOff)) => {
            Problem::bad_request("The body broke off.", "Send the whole body; nothing was changed.")
        }
        Err(_) => Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "TimeoutError",
            format!("The body did not arrive within {} seconds.", bounds.time.as_secs_f64()),
            "Send it faster; nothing was changed.",
        )
        .header(header::CONNECTION, axum::http::HeaderValue::from_static("close")),
    };
    problem.into_response()
}

async fn whole(body: &mut Body, most: usize) -> Result<Vec<u8>, BodyError> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(|_| BodyError::BrokenOff)?.into_data() {
            if bytes.len() + data.len() > most {
                return Err(BodyError::TooLarge);
            }
            bytes.extend_from_slice(&data);
        }
    }
    Ok(bytes)
}

fn too_large(most: usize) -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "TooLargeError",
        format!("The body is larger than {most} bytes."),
        "Send less at once. The setting serve.max_body_bytes raises the limit.",
    )
}

/// Discards the rest of a body in the background. Closing a connection with unread bytes would
/// discard the response.
fn drain(mut body: Body) {
    tokio::spawn(tokio::time::timeout(DRAINING, async move {
        let mut drained = 0;
        while let Some(Ok(frame)) = body.frame().await {
            drained += frame.data_ref().map_or(0, |data| data.len());
            if drained > DRAINED {
                break;
            }
        }
    }));
}
