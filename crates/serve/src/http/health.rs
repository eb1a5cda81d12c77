//! The health check, which needs no authentication.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use elfmem_store::Store;
use serde_json::json;

use super::HttpState;
use super::problem::Problem;
use super::verbs::json_response;

/// Path of the health check.
pub(super) const ROUTE: &str = "/healthz";

/// How long a result is cached, so that unauthenticated clients cannot load the store.
const CACHE_TIME: Duration = Duration::from_secs(1);
/// Timeout of the store.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The cached result of the last check, and what keeps checks apart.
#[derive(Debug, Default)]
pub(super) struct HealthCache {
    last: Mutex<Option<(Instant, bool)>>,
    /// Held by the request that checks. The others wait for its result.
    turn: tokio::sync::Mutex<()>,
    /// Whether the store is being asked. One that does not answer keeps one thread, however often it is asked for.
    is_asking: Arc<AtomicBool>,
}

impl HealthCache {
    fn known(&self) -> Option<bool> {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.filter(|(at, _)| at.elapsed() < CACHE_TIME).map(|(_, answers)| answers)
    }

    fn note(&self, answers: bool) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), answers));
    }
}

/// Asks the store, unless it has not answered yet since it was asked before.
async fn ask<S: Store + 'static>(app: &HttpState<S>) -> bool {
    if app.health.is_asking.swap(true, Ordering::AcqRel) {
        return false;
    }
    let (actor, asking) = (app.actor, AskingGuard(Arc::clone(&app.health.is_asking)));
    let asked = app.calls.run_unqueued(move |memory| {
        let _asking = asking;
        memory.get(actor)?.status().map_err(crate::Refusal::from)
    });
    matches!(tokio::time::timeout(TIMEOUT, asked).await, Ok(Ok(Ok(_))))
}

/// Notes that the store is no longer being asked, also after a panic.
struct AskingGuard(Arc<AtomicBool>);

impl Drop for AskingGuard {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Handles `GET /healthz`.
pub(super) async fn health<S: Store + 'static>(State(app): State<Arc<HttpState<S>>>) -> Result<Response, Problem> {
    let turn = app.health.turn.lock().await;
    let answers = match app.health.known() {
        Some(answers) => answers,
        None => {
            let answers = ask(&app).await;
            app.health.note(answers);
            answers
        }
    };
    drop(turn);
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
