//! Middleware around every request: request id, metrics, access log and panic handling.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use elfmem_core::time::to_iso;
use elfmem_engine::{Clock, SystemClock};
use tokio::task::JoinHandle;

use super::locus;
use super::log::AccessLog;
use super::metrics::Metrics;
use super::problem::Problem;
use super::request_id::{self, RequestIds};
use crate::trace;

/// State of the middleware.
#[derive(Debug)]
pub(super) struct RequestObserver {
    ids: RequestIds,
    metrics: Arc<Metrics>,
    log: AccessLog,
}

impl RequestObserver {
    pub(super) fn new(metrics: Arc<Metrics>, log: AccessLog) -> Self {
        Self { ids: RequestIds::new(), metrics, log }
    }
}

/// Runs a request and always returns a response.
pub(super) async fn observe(State(watch): State<Arc<RequestObserver>>, request: Request, next: Next) -> Response {
    let id = watch.ids.of(request.headers());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let started = Instant::now();
    let _under_way = watch.metrics.begin();
    // A separate task, so that a panic does not end the connection.
    let mut running = AbortOnDrop(tokio::spawn(next.run(request)));
    let answered = (&mut running.0).await.unwrap_or_else(|_| {
        trace::panicked();
        Problem::fault().into_response()
    });
    let mut response = with_problem(answered, &path, &id);
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(request_id::HEADER, value);
    }
    // Responses are private and must not be sniffed for another type.
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let (status, took) = (response.status().as_u16(), started.elapsed());
    watch.metrics.count(route.as_deref(), &method, status, took);
    let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    trace::answered(method_label(&method), route.as_deref().unwrap_or("none"), status.into(), microseconds);
    watch.log.write(|| {
        // Do not log the query: it may contain remembered text.
        let path: String = path.chars().filter(|c| !c.is_control()).take(200).collect();
        let ms = took.as_secs_f64() * 1_000.0;
        format!("{} {method} {path} {status} {ms:.1} ms {id}", to_iso(SystemClock.now()))
    });
    response
}

/// Returns the name of a standard method. Clients can send any word.
fn method_label(method: &Method) -> &str {
    match *method {
        Method::GET | Method::POST | Method::PUT | Method::DELETE | Method::PATCH => method.as_str(),
        Method::HEAD | Method::OPTIONS => method.as_str(),
        _ => "other",
    }
}

/// Aborts its task on drop.
struct AbortOnDrop(JoinHandle<Response>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Renders a problem that a response carries.
fn with_problem(mut response: Response, path: &str, id: &str) -> Response {
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return response };
    let mut told =
        if path.starts_with(locus::PREFIX) { locus::refused(problem, id) } else { problem.into_response_for(id) };
    told.headers_mut().extend(std::mem::take(response.headers_mut()));
    told
}
