//! Reads request bodies completely, within a size and a time limit.
//!
//! A body whose declared length is too large is rejected before it is read. Chunked bodies are
//! counted. A slow client occupies only its own connection, for a limited time. All large bodies
//! together have a limit too, so that many connections do not fill the memory; small ones do not
//! count, so that large ones do not keep them out.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// The part of each body that is always accepted.
const SMALL: usize = 64 * 1024;
/// Maximum size of all bodies together, without that part.
const MAX_TOGETHER: usize = 64 * 1024 * 1024;

/// Size and time limit of a body.
#[derive(Debug, Clone)]
pub(super) struct BodyLimits {
    pub(super) bytes: usize,
    pub(super) time: Duration,
    /// Bytes of large bodies that are held.
    pub(super) held: Arc<AtomicUsize>,
}

enum BodyError {
    TooLarge,
    TooMuch,
    BrokenOff,
}

/// A body that counts for the limit of all together.
struct HeldBody {
    bytes: Vec<u8>,
    counted: usize,
    held: Arc<AtomicUsize>,
}

impl HeldBody {
    fn extend(&mut self, data: &[u8]) -> Result<(), BodyError> {
        let counts = (self.bytes.len() + data.len()).saturating_sub(SMALL);
        let more = counts - self.counted;
        if self.held.fetch_add(more, Ordering::AcqRel) + more > MAX_TOGETHER {
            self.held.fetch_sub(more, Ordering::AcqRel);
            return Err(BodyError::TooMuch);
        }
        self.counted = counts;
        self.bytes.extend_from_slice(data);
        Ok(())
    }
}

impl Drop for HeldBody {
    fn drop(&mut self) {
        self.held.fetch_sub(self.counted, Ordering::AcqRel);
    }
}

/// Middleware that reads the body before the handler runs.
pub(super) async fn read(State(bounds): State<BodyLimits>, request: Request, next: Next) -> Response {
    let (parts, mut body) = request.into_parts();
    let declared = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: u64| length > bounds.bytes as u64) {
        drain(body);
        return too_large(bounds.bytes).into_response();
    }
    let problem = match tokio::time::timeout(bounds.time, whole(&mut body, &bounds)).await {
        Ok(Ok(mut body)) => {
            let bytes = std::mem::take(&mut body.bytes);
            let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
            drop(body);
            return response;
        }
        Ok(Err(BodyError::TooMuch)) => {
            drain(body);
            Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "CrowdedError",
                "Too many large requests are being read.",
                "Ask again in a second; nothing was changed.",
            )
            .later(1)
        }
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

async fn whole(body: &mut Body, bounds: &BodyLimits) -> Result<HeldBody, BodyError> {
    let mut whole = HeldBody { bytes: Vec::new(), counted: 0, held: Arc::clone(&bounds.held) };
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(|_| BodyError::BrokenOff)?.into_data() {
            if whole.bytes.len() + data.len() > bounds.bytes {
                return Err(BodyError::TooLarge);
            }
            whole.extend(&data)?;
        }
    }
    Ok(whole)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_bodies_have_a_limit_together_and_small_ones_pass() {
        let held = Arc::new(AtomicUsize::new(0));
        let body = || HeldBody { bytes: Vec::new(), counted: 0, held: Arc::clone(&held) };
        let part = vec![0; 1024 * 1024];
        let mut large: Vec<HeldBody> = Vec::new();
        let refused = (0..100).any(|_| {
            large.push(body());
            large.last_mut().is_some_and(|body| body.extend(&part).is_err())
        });
        assert!(refused && large.len() > 64, "{}", large.len());
        assert!(held.load(Ordering::Relaxed) <= MAX_TOGETHER);
        assert!(body().extend(&part[..SMALL]).is_ok());
        drop(large);
        assert_eq!(held.load(Ordering::Relaxed), 0);
    }
}
