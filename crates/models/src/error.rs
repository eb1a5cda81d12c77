//! Errors of model calls.
//!
//! All texts come from this crate or have passed [`Secret::redact`](crate::Secret::redact), so that
//! no error contains a key.

use std::time::Duration;

use crate::folder_problem::FolderProblem;

/// A model call failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The connection failed or broke before the answer was complete.
    #[error("cannot reach {endpoint}: {reason}")]
    Unreachable {
        /// The URL.
        endpoint: String,
        /// The network error.
        reason: String,
    },
    /// The server did not answer in time.
    #[error("{endpoint} did not answer within {:.1} s", after.as_secs_f64())]
    Timeout {
        /// The URL.
        endpoint: String,
        /// The timeout.
        after: Duration,
    },
    /// The server limits the rate of calls.
    #[error("the model server limits the rate of calls{}", wait_text(*retry_after))]
    RateLimited {
        /// The requested wait, if the server sent one.
        retry_after: Option<Duration>,
    },
    /// The account has no credit or quota left.
    #[error("the account is out of credit or quota: {detail}")]
    QuotaExhausted {
        /// The message of the server.
        detail: String,
    },
    /// The key is missing, wrong or lacks permission.
    #[error("the model server refused the key (status {status})")]
    Refused {
        /// The HTTP status, 401 or 403.
        status: u16,
    },
    /// The model or path does not exist.
    #[error("the model server knows no such model or path: {detail}")]
    NotFound {
        /// The message of the server.
        detail: String,
    },
    /// The server rejected the request.
    #[error("the model server rejected the request (status {status}): {detail}")]
    BadRequest {
        /// The HTTP status.
        status: u16,
        /// The message of the server.
        detail: String,
    },
    /// The server failed.
    #[error("the model server failed (status {status}): {detail}")]
    ServerError {
        /// The HTTP status.
        status: u16,
        /// The message of the server.
        detail: String,
    },
    /// The answer has the wrong format, even after one repair attempt.
    #[error("the model's answer cannot be used: {problem}")]
    Malformed {
        /// What is wrong.
        problem: String,
    },
    /// A vector has the wrong number of dimensions.
    #[error("the model gave a vector of {got} dimensions, expected {expected}")]
    WrongDimensions {
        /// The expected number.
        expected: usize,
        /// The received number.
        got: usize,
    },
    /// The number of vectors is not the number of texts.
    #[error("the model gave {got} vectors for {expected} texts")]
    WrongCount {
        /// The number of texts.
        expected: usize,
        /// The number of vectors.
        got: usize,
    },
    /// A vector contains NaN or an infinite number.
    #[error("the model gave a vector with numbers that are not finite")]
    NotFinite,
    /// This build does not contain the model.
    #[error("this build does not contain the model `{model}`")]
    NotInBuild {
        /// The name of the model in the settings.
        model: &'static str,
        /// The Cargo feature that adds it.
        feature: &'static str,
    },
    /// The settings of the model are invalid.
    #[error("the model is not configured properly: {problem}")]
    Configuration {
        /// What is wrong.
        problem: String,
    },
    /// A model folder cannot be used.
    #[error("the model folder cannot be used: {0}")]
    Folder(Box<FolderProblem>),
    /// The built-in model is corrupt.
    #[error("the built-in model is damaged: {problem}")]
    DamagedModel {
        /// What is wrong.
        problem: String,
    },
}

fn wait_text(retry_after: Option<Duration>) -> String {
    retry_after.map_or_else(String::new, |wait| format!(" (asks to wait {:.0} s)", wait.as_secs_f64().ceil()))
}

/// Categories of model errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The network.
    Network,
    /// Rate limits and quotas.
    Limit,
    /// Authentication and permissions.
    Access,
    /// The content of the request.
    Request,
    /// The server.
    Server,
    /// The content of the answer.
    Reply,
    /// The settings or the build.
    Setup,
}

impl ModelError {
    /// Returns the category.
    pub fn kind(&self) -> ModelErrorKind {
        match self {
            Self::Unreachable { .. } | Self::Timeout { .. } => ModelErrorKind::Network,
            Self::RateLimited { .. } | Self::QuotaExhausted { .. } => ModelErrorKind::Limit,
            Self::Refused { .. } => ModelErrorKind::Access,
            Self::NotFound { .. } | Self::BadRequest { .. } => ModelErrorKind::Request,
            Self::ServerError { .. } => ModelErrorKind::Server,
            Self::Malformed { .. } | Self::WrongDimensions { .. } | Self::WrongCount { .. } | Self::NotFinite => {
                ModelErrorKind::Reply
            }
            Self::NotInBuild { .. } | Self::Configuration { .. } | Self::DamagedModel { .. } | Self::Folder(_) => {
                ModelErrorKind::Setup
            }
        }
    }

    /// Returns a fixed name for logs, without anything a server said.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => "unreachable",
            Self::Timeout { .. } => "timeout",
            Self::RateLimited { .. } => "rate_limited",
            Self::QuotaExhausted { .. } => "quota_exhausted",
            Self::Refused { .. } => "refused",
            Self::NotFound { .. } => "not_found",
            Self::BadRequest { .. } => "bad_request",
            Self::ServerError { .. } => "server_error",
            Self::Malformed { .. } => "malformed",
            Self::WrongDimensions { .. } => "wrong_dimensions",
            Self::WrongCount { .. } => "wrong_count",
            Self::NotFinite => "not_finite",
            Self::NotInBuild { .. } => "not_in_build",
            Self::Configuration { .. } => "configuration",
            Self::DamagedModel { .. } => "damaged_model",
            Self::Folder(_) => "model_folder",
        }
    }

    /// Returns true if the same call may succeed later.
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

    /// Returns what to do, in one sentence.
    pub fn recovery(&self) -> String {
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
            Self::WrongDimensions { .. } => {
                "Set the dimensions of the model, or let the embedder return vectors of the size that it states. Blocks \
                 that are stored already are embedded again by migrate_embeddings()."
            }
            Self::WrongCount { .. } => {
                "Correct the embedder: it returns one vector, or none, for each text, in the order of the texts."
            }
            Self::NotFinite => "Correct the embedder: the numbers of a vector are finite.",
            Self::NotInBuild { feature, .. } => {
                return format!("Pass an embedder in the options, or build with the feature `{feature}`.");
            }
            Self::Configuration { .. } => "Correct the settings of the model.",
            Self::DamagedModel { .. } => "Install elfmem again.",
            Self::Folder(problem) => problem.recovery(),
        }
        .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_limit_errors_show_the_wait() {
        let error = ModelError::RateLimited { retry_after: Some(Duration::from_millis(1500)) };
        assert_eq!(error.to_string(), "the model server limits the rate of calls (asks to wait 2 s)");
        assert_eq!(
            ModelError::RateLimited { retry_after: None }.to_string(),
            "the model server limits the rate of calls"
        );
    }

    #[test]
    fn errors_that_need_a_person_are_not_retryable() {
        assert!(!ModelError::Refused { status: 401 }.is_retryable());
        assert!(!ModelError::QuotaExhausted { detail: String::new() }.is_retryable());
        assert!(!ModelError::WrongDimensions { expected: 2, got: 3 }.is_retryable());
        assert!(ModelError::ServerError { status: 503, detail: String::new() }.is_retryable());
        assert!(ModelError::BadRequest { status: 408, detail: String::new() }.is_retryable());
        assert!(!ModelError::BadRequest { status: 400, detail: String::new() }.is_retryable());
    }
}
