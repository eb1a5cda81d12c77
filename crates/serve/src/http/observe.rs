//! Around every request: its id, its time, its line in the log, and what happens when our code breaks.

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

/// What watches over the requests.
#[derive(Debug)]
pub(super) struct Watch {
    ids: RequestIds,
    metrics: Arc<Metrics>,
    log: AccessLog,
}

impl Watch {
    pub(super) fn new(metrics: Arc<Metrics>, log: AccessLog) -> Self {
        Self { ids: RequestIds::new(), metrics, log }
    }
}

/// Answers a request, whatever happens.
pub(super) async fn observe(State(watch): State<Arc<Watch>>, request: Request, next: Next) -> Response {
    let id = watch.ids.of(request.headers());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let started = Instant::now();
    let _under_way = watch.metrics.begin();
    // A task of its own, so that a panic in it ends the task and not the connection.
    let mut running = Running(tokio::spawn(next.run(request)));
    let answered = (&mut running.0).await.unwrap_or_else(|_| {
        trace::panicked();
        Problem::fault().into_response()
    });
    let mut response = with_problem(answered, &path, &id);
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(request_id::HEADER, value);
    }
    // What a memory answers is for whoever asked, as what it is said to be.
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let (status, took) = (response.status().as_u16(), started.elapsed());
    watch.metrics.count(route.as_deref(), &method, status, took);
    let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    trace::answered(method_label(&method), route.as_deref().unwrap_or("none"), status.into(), microseconds);
    watch.log.write(|| {
        // The query stays out: it may be what somebody remembers.
        let path: String = path.chars().filter(|c| !c.is_control()).take(200).collect();
        let ms = took.as_secs_f64() * 1_000.0;
        format!("{} {method} {path} {status} {ms:.1} ms {id}", to_iso(SystemClock.now()))
    });
    response
}

/// The method, if it is one of those that exist: a client may send any word.
fn method_label(method: &Method) -> &str {
    match *method {
        Method::GET | Method::POST | Method::PUT | Method::DELETE | Method::PATCH => method.as_str(),
        Method::HEAD | Method::OPTIONS => method.as_str(),
        _ => "other",
    }
}

/// A task that ends with whoever waits for it.
struct Running(JoinHandle<Response>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A problem that travels in a response, written down.
fn with_problem(mut response: Response, path: &str, id: &str) -> Response {
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return response };
    let mut told =
        if path.starts_with(locus::PREFIX) { locus::refused(problem, id) } else { problem.into_response_for(id) };
    told.headers_mut().extend(std::mem::take(response.headers_mut()));
    told
}
