//! The health check, which needs no authentication.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use elfmem_store::Store;
use serde_json::json;

use super::App;
use super::problem::Problem;
use super::verbs::json_response;

/// Path of the health check.
pub(super) const ROUTE: &str = "/healthz";

/// How long a result is cached, so that unauthenticated clients cannot load the store.
const CACHE_TIME: Duration = Duration::from_secs(1);
/// Timeout of the store.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The cached result of the last check.
#[derive(Debug, Default)]
pub(super) struct HealthCache(Mutex<Option<(Instant, bool)>>);

impl HealthCache {
    fn known(&self) -> Option<bool> {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.filter(|(at, _)| at.elapsed() < CACHE_TIME).map(|(_, answers)| answers)
    }

    fn note(&self, answers: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), answers));
    }
}

/// Handles `GET /healthz`.
pub(super) async fn health<S: Store + 'static>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    let answers = match app.health.known() {
        Some(answers) => answers,
        None => {
            let actor = app.actor;
            let asked = app.calls.run_unqueued(move |memory| memory.get(actor)?.status().map_err(crate::Refusal::from));
            let answers = matches!(tokio::time::timeout(TIMEOUT, asked).await, Ok(Ok(Ok(_))));
            app.health.note(answers);
            answers
        }
    };
    if answers {
        let told = json!({"status": "ok", "version": env!("CARGO_PKG_VERSION"), "store": "answers"});
        return Ok(json_response(told.to_string()));
    }
    // The reason is shown only to authenticated clients.
    Err(Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        elfmem_engine::ErrorKind::Storage.as_str(),
        "The store does not answer.",
        "`elfmem doctor` says what is wrong with it.",
    )
    .later(1))
}
