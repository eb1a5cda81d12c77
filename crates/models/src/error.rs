//! What can go wrong between a text and its vector or judgement.
//!
//! Every text in here comes from us or has been through [`Secret::redact`](crate::Secret::redact), so that no error can
//! carry a key into a log.

use std::time::Duration;

/// A model could not answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No connection could be made, or it broke before the answer was complete.
    #[error("cannot reach {endpoint}: {reason}")]
    Unreachable {
        /// Where the call went.
        endpoint: String,
        /// What the network said.
        reason: String,
    },
    /// The server took longer than it was given.
    #[error("{endpoint} did not answer within {:.1} s", after.as_secs_f64())]
    Timeout {
        /// Where the call went.
        endpoint: String,
        /// How long was waited.
        after: Duration,
    },
    /// The server asks for fewer calls.
    #[error("the model server limits the rate of calls{}", wait_text(*retry_after))]
    RateLimited {
        /// How long it wants to be left alone, if it said so.
        retry_after: Option<Duration>,
    },
    /// The account behind the key has nothing left to spend.
    #[error("the account is out of credit or quota: {detail}")]
    QuotaExhausted {
        /// What the server said.
        detail: String,
    },
    /// The key is missing, wrong or not allowed to do this.
    #[error("the model server refused the key (status {status})")]
    Refused {
        /// The HTTP status, 401 or 403.
        status: u16,
    },
    /// The server has no such model or path.
    #[error("the model server knows no such model or path: {detail}")]
    NotFound {
        /// What the server said.
        detail: String,
    },
    /// The server understood the call and rejects what is in it.
    #[error("the model server rejected the request (status {status}): {detail}")]
    BadRequest {
        /// The HTTP status.
        status: u16,
        /// What the server said.
        detail: String,
    },
    /// The server failed.
    #[error("the model server failed (status {status}): {detail}")]
    ServerError {
        /// The HTTP status.
        status: u16,
        /// What the server said.
        detail: String,
    },
    /// An answer came and does not have the agreed form, also after one attempt to repair it.
    #[error("the model's answer cannot be used: {problem}")]
    Malformed {
        /// What is wrong with it.
        problem: String,
    },
    /// A vector has another length than the memory works with.
    #[error("the model gave a vector of {got} dimensions, expected {expected}")]
    WrongDimensions {
        /// What was agreed.
        expected: usize,
        /// What came.
        got: usize,
    },
    /// The model cannot be used as configured.
    #[error("the model is not configured properly: {problem}")]
    Configuration {
        /// What is wrong.
        problem: String,
    },
    /// The built-in model is damaged.
    #[error("the built-in model is damaged: {problem}")]
    DamagedModel {
        /// What is wrong with it.
        problem: String,
    },
}

fn wait_text(retry_after: Option<Duration>) -> String {
    retry_after.map_or_else(String::new, |wait| format!(" (asks to wait {:.0} s)", wait.as_secs_f64().ceil()))
}

/// What sort of trouble an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The way to the server.
    Network,
    /// How much or how often one may ask.
    Limit,
    /// Who may ask.
    Access,
    /// What was asked.
    Request,
    /// The server itself.
    Server,
    /// What came back.
    Reply,
    /// How elfmem was set up or built.
    Setup,
}

impl ModelError {
    /// What sort of trouble it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unreachable { .. } | Self::Timeout { .. } => ErrorKind::Network,
            Self::RateLimited { .. } | Self::QuotaExhausted { .. } => ErrorKind::Limit,
            Self::Refused { .. } => ErrorKind::Access,
            Self::NotFound { .. } | Self::BadRequest { .. } => ErrorKind::Request,
            Self::ServerError { .. } => ErrorKind::Server,
            Self::Malformed { .. } | Self::WrongDimensions { .. } => ErrorKind::Reply,
            Self::Configuration { .. } | Self::DamagedModel { .. } => ErrorKind::Setup,
        }
    }

    /// Whether the same call may succeed later with nothing changed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::Timeout { .. }
            | Self::RateLimited { .. }
            | Self::ServerError { .. }
            | Self::Malformed { .. } => true,
            Self::BadRequest { status, .. } => *status == 408,
            _ => false,
        }
    }

    /// What to do about it, in one sentence.
    pub fn recovery(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => {
                "Check that the model server runs and that its base URL is right, then dream again."
            }
            Self::Timeout { .. } => "Dream again later, or raise the request timeout if the model is slow.",
            Self::RateLimited { .. } => "Wait and dream again, or lower the concurrency.",
            Self::QuotaExhausted { .. } => "Top up the account or choose another model; nothing is lost meanwhile.",
            Self::Refused { .. } => "Set a valid API key for this provider.",
            Self::NotFound { .. } => "Check the name of the model and the base URL.",
            Self::BadRequest { .. } => {
                "Check that the model can do what is asked of it, and that the text is not too long."
            }
            Self::ServerError { .. } => "Dream again later; nothing is lost meanwhile.",
            Self::Malformed { .. } => "Dream again, or choose a model that follows a JSON schema.",
            Self::WrongDimensions { .. } => "Set the dimensions of the model, then migrate the embeddings.",
            Self::Configuration { .. } => "Correct the settings of the model.",
            Self::DamagedModel { .. } => "Install elfmem again.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_limit_says_how_long_to_wait_when_it_is_known() {
        let error = ModelError::RateLimited { retry_after: Some(Duration::from_millis(1500)) };
        assert_eq!(error.to_string(), "the model server limits the rate of calls (asks to wait 2 s)");
        assert_eq!(
            ModelError::RateLimited { retry_after: None }.to_string(),
            "the model server limits the rate of calls"
        );
    }

    #[test]
    fn what_needs_a_person_is_not_retryable() {
        assert!(!ModelError::Refused { status: 401 }.is_retryable());
        assert!(!ModelError::QuotaExhausted { detail: String::new() }.is_retryable());
        assert!(!ModelError::WrongDimensions { expected: 2, got: 3 }.is_retryable());
        assert!(ModelError::ServerError { status: 503, detail: String::new() }.is_retryable());
        assert!(ModelError::BadRequest { status: 408, detail: String::new() }.is_retryable());
        assert!(!ModelError::BadRequest { status: 400, detail: String::new() }.is_retryable());
    }
}
