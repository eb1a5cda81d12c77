//! Spans and events of this crate.

use std::time::Duration;

use crate::error::ModelError;

elfmem_core::trace_points! {
    /// One call of a model server, retries included.
    span DEBUG model_call(endpoint: word, bytes: number);
    /// An attempt failed and is repeated.
    event WARN retried(error: word, failures: number, wait_ms: number) "model call failed; trying again";
    /// A call failed for good.
    event WARN gave_up(error: word, failures: number) "model call failed";
    /// The answer of a chat model does not have the agreed form.
    event WARN repaired(task: word) "the model's answer has another form; asking once more";
}

/// Reports an attempt that failed, and the wait before the next one if there is one.
pub(crate) fn failed(error: &ModelError, failures: u32, wait: Option<Duration>) {
    match wait {
        Some(wait) => retried(error.code(), failures.into(), u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
        None => gave_up(error.code(), failures.into()),
    }
}
