//! Whether the server is well: the one thing everybody may ask.

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

/// Where it is asked.
pub(super) const ROUTE: &str = "/healthz";

/// How long what was found out holds: whoever asks without a token shall not keep the store busy.
const FRESH: Duration = Duration::from_secs(1);
/// A store that takes longer does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the store answered when it was last asked.
#[derive(Debug, Default)]
pub(super) struct Health(Mutex<Option<(Instant, bool)>>);

impl Health {
    fn known(&self) -> Option<bool> {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.filter(|(at, _)| at.elapsed() < FRESH).map(|(_, answers)| answers)
    }

    fn note(&self, answers: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), answers));
    }
}

/// `GET /healthz`.
pub(super) async fn health<S: Store + 'static>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    let answers = match app.health.known() {
        Some(answers) => answers,
        None => {
            let actor = app.actor;
            let asked = app.calls.run_at_once(move |memory| memory.get(actor)?.status().map_err(crate::Refusal::from));
            let answers = matches!(tokio::time::timeout(PATIENCE, asked).await, Ok(Ok(Ok(_))));
            app.health.note(answers);
            answers
        }
    };
    if answers {
        let told = json!({"status": "ok", "version": env!("CARGO_PKG_VERSION"), "store": "answers"});
        return Ok(json_response(told.to_string()));
    }
    // Why is for those who may ask the memory itself.
    Err(Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        elfmem_engine::ErrorKind::Storage.as_str(),
        "The store does not answer.",
        "`elfmem doctor` says what is wrong with it.",
    )
    .later(1))
}
