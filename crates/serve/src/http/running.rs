//! The requests that are being handled: one client may not have too many of them at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use super::access::Client;
use super::connections::ClientConnection;
use super::problem::Problem;

/// How many requests of each client are being handled.
#[derive(Debug)]
pub(super) struct RunningRequests {
    most: usize,
    counts: Mutex<HashMap<Client, usize>>,
}

impl RunningRequests {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, counts: Mutex::default() })
    }

    /// Counts a request until the result is dropped. Returns `None` if the client has too many.
    fn begin(self: &Arc<Self>, client: Client) -> Option<RunningRequest> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(RunningRequest { requests: Arc::clone(self), client })
    }
}

struct RunningRequest {
    requests: Arc<RunningRequests>,
    client: Client,
}

impl Drop for RunningRequest {
    fn drop(&mut self) {
        let mut counts = self.requests.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

/// Middleware that counts a request whose body has arrived, and keeps its connection open meanwhile.
///
/// An event stream that answers a call ends with the call. One that was asked for with `GET` waits for messages of the
/// server: it may be ended at any time, so it does not count.
pub(super) async fn track(State(running): State<Arc<RunningRequests>>, request: Request, next: Next) -> Response {
    let client = request.extensions().get::<Client>().copied().unwrap_or(Client::Unknown);
    let Some(counted) = running.begin(client) else { return too_many(running.most).into_response() };
    let connection = request.extensions().get::<Arc<ClientConnection>>().map(ClientConnection::run);
    let waits_for_server = request.method() == Method::GET;
    let response = next.run(request).await;
    let is_stream = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    if !is_stream || waits_for_server {
        return response;
    }
    let held = (counted, connection);
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _until_the_body_ends = &held;
            frame
        }))
    })
}

fn too_many(most: usize) -> Problem {
    Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        "CrowdedError",
        format!("More than {most} requests of this client are being handled."),
        "Wait for some of their answers, then ask again.",
    )
    .later(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_has_its_own_limit() {
        let running = RunningRequests::new(2);
        let held = [running.begin(Client::Token(0)).unwrap(), running.begin(Client::Token(0)).unwrap()];
        assert!(running.begin(Client::Token(0)).is_none());
        assert!(running.begin(Client::Token(1)).is_some());
        drop(held);
        assert!(running.begin(Client::Token(0)).is_some());
        assert!(running.counts.lock().unwrap().is_empty(), "nothing is kept of clients without requests");
    }
}
