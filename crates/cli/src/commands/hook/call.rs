//! What a host hands in: one JSON object on standard input.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::failure::Failure;

/// The host hands in the prompt and little else.
const MOST_INPUT_BYTES: u64 = 16 * 1024 * 1024;

/// What a host hands in. Everything may be missing, and there may be more.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Call {
    pub(super) session_id: Option<String>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) prompt: Option<String>,
    /// How a session began: `startup`, `resume`, `clear` or `compact`.
    pub(super) source: Option<String>,
    pub(super) transcript_path: Option<PathBuf>,
    pub(super) stop_hook_active: bool,
}

/// Reads the call as it was handed in, to hand it on to another process too.
pub(super) fn read() -> Result<Value, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err(Failure::no_host());
    }
    let mut bytes = Vec::new();
    let read = stdin.lock().take(MOST_INPUT_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| Failure::unreadable("standard input", &error))?;
    let object: serde_json::Map<String, Value> =
        serde_json::from_slice(&bytes).map_err(|error| Failure::bad_call(&error))?;
    Ok(Value::Object(object))
}

impl Call {
    pub(super) fn parse(given: &Value) -> Result<Self, Failure> {
        Self::deserialize(given).map_err(|error| Failure::bad_call(&error))
    }

    /// The session of the host, or its transcript, if it names one.
    pub(super) fn session(&self) -> Option<&str> {
        let named = self.session_id.as_deref().filter(|id| !id.trim().is_empty());
        named.or_else(|| self.transcript_path.as_deref()?.to_str())
    }
}
