//! The error that all server surfaces return.

use std::fmt;

use elfmem_engine::catalog::{VerbCall, replace_calls};
use elfmem_text::fence::fence_item;
use serde_json::{Value, json};

/// A failed request. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The error class, such as `NotFoundError`.
    pub kind: &'static str,
    /// What happened.
    pub message: String,
    /// What to do next.
    pub recovery: String,
}

impl Refusal {
    /// Says the calls of verbs in its texts in the words of a surface.
    pub(crate) fn said(self, say: impl Fn(&VerbCall<'_>) -> String) -> Self {
        let (message, recovery) = (replace_calls(&self.message, &say), replace_calls(&self.recovery, &say));
        Self { message, recovery, ..self }
    }

    /// Returns the JSON form.
    pub(crate) fn to_json(&self) -> Value {
        json!({"error": self.kind, "message": self.message, "recovery": self.recovery})
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} — Recovery: {}", self.message, self.recovery)
    }
}

impl std::error::Error for Refusal {}

impl From<elfmem_engine::Error> for Refusal {
    fn from(error: elfmem_engine::Error) -> Self {
        // Errors quote what is stored and what was asked for.
        let (message, recovery) = (fence_item(&error.message()), fence_item(&error.recovery()));
        Self { kind: error.kind().as_str(), message, recovery }
    }
}
