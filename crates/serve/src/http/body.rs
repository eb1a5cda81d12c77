//! Bodies, read whole, within a size and a time.
//!
//! A body that says it is too large is refused before any of it is read. What comes in pieces is counted. A client that sends
//! slowly holds nothing but its own connection, and that not for long.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use super::problem::Problem;

/// What is read of a refused body and thrown away, so that the client hears the answer before the connection is closed.
const DRAINED: usize = 16 * 1024 * 1024;
/// How long that may take.
const DRAINING: Duration = Duration::from_secs(2);

/// How large a body may be and how long it may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) bytes: usize,
    pub(super) time: Duration,
}

enum Unread {
    TooLarge,
    BrokenOff,
}

/// Hands requests on with their bodies read.
pub(super) async fn read(State(bounds): State<Bounds>, request: Request, next: Next) -> Response {
    let (parts, mut body) = request.into_parts();
    let declared = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: u64| length > bounds.bytes as u64) {
        drain(body);
        return too_large(bounds.bytes).into_response();
    }
    let problem = match tokio::time::timeout(bounds.time, whole(&mut body, bounds.bytes)).await {
        Ok(Ok(bytes)) => return next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(Unread::TooLarge)) => {
            drain(body);
            too_large(bounds.bytes)
        }
        Ok(Err(Unread::BrokenOff)) => {
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

async fn whole(body: &mut Body, most: usize) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(|_| Unread::BrokenOff)?.into_data() {
            if bytes.len() + data.len() > most {
                return Err(Unread::TooLarge);
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

/// Reads what is still to come, beside the answer. A connection that is closed with unread bytes in it takes the answer with it.
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
