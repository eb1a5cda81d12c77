//! The HTTP client for model servers, with timeouts, retries and a concurrency limit.

mod backoff;
mod semaphore;
mod status;

use std::fmt;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::{HeaderMap, HeaderName, HeaderValue, Uri};

use crate::error::ModelError;
use crate::secret::Secret;
use crate::trace;

pub use backoff::{Backoff, RetryTimer};
use semaphore::Semaphore;

/// Maximum size of a response. A batch of embeddings has a few megabytes.
const MAX_RESPONSE_BYTES: u64 = 64 * 1024 * 1024;

/// The connection settings of a model server.
#[derive(Debug, Clone)]
pub struct Connection {
    /// Base URL such as `http://localhost:11434/v1`, without credentials.
    pub base_url: String,
    /// The API key, if the server requires one.
    pub key: Option<Secret>,
    /// Proxy URL, possibly with a password. The environment is not read.
    pub proxy: Option<Secret>,
    /// Timeout for connecting.
    pub connect_timeout: Duration,
    /// Timeout for one attempt, from first to last byte.
    pub request_timeout: Duration,
    /// Maximum number of concurrent calls.
    pub concurrency: usize,
    /// The retry policy.
    pub backoff: Backoff,
}

impl Connection {
    /// Creates a connection with default timeouts and no key.
    pub fn to(base_url: &str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            key: None,
            proxy: None,
            connect_timeout: Duration::from_secs(5),
            request_timeout: Duration::from_secs(60),
            concurrency: 4,
            backoff: Backoff::default(),
        }
    }

    /// Sets the key.
    #[must_use]
    pub fn with_key(self, key: Secret) -> Self {
        Self { key: Some(key), ..self }
    }
}

/// The header that carries the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `Authorization: Bearer …`
    Bearer,
    /// `x-api-key: …`
    XApiKey,
}

/// A client for one server.
pub(crate) struct HttpClient {
    agent: Agent,
    connection: Connection,
    headers: HeaderMap,
    semaphore: Semaphore,
}

impl HttpClient {
    /// Validates the connection settings. Sends nothing yet.
    pub(crate) fn new(mut connection: Connection, key_header: KeyHeader) -> Result<Self, ModelError> {
        connection.base_url = checked_url(&connection.base_url)?;
        let proxy = connection
            .proxy
            .as_ref()
            .map(|url| ureq::Proxy::new(url.expose()).map_err(|_| misconfigured("the proxy is not a usable URL")));
        let agent = Agent::config_builder()
            .proxy(proxy.transpose()?)
            .http_status_as_error(false)
            // A redirected POST loses its body or sends it to an unknown server.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_resolve(Some(connection.connect_timeout))
            .timeout_connect(Some(connection.connect_timeout))
            .timeout_global(Some(connection.request_timeout))
            .user_agent(concat!("elfmem/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let headers = headers(connection.key.as_ref(), key_header)?;
        let semaphore = Semaphore::new(connection.concurrency);
        Ok(Self { agent, connection, headers, semaphore })
    }

    /// Adds a header to every request.
    pub(crate) fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// Returns the maximum number of concurrent calls.
    pub(crate) fn concurrency(&self) -> usize {
        self.connection.concurrency.max(1)
    }

    /// Sends a JSON request and returns the JSON response, with retries.
    pub(crate) fn post(&self, path: &'static str, body: &Value) -> Result<Value, ModelError> {
        let endpoint = format!("{}{path}", self.connection.base_url);
        let body = body.to_string();
        let _span = trace::model_call(path, body.len() as u64);
        self.connection.backoff.run(|| self.attempt(&endpoint, &body))
    }

    fn attempt(&self, endpoint: &str, body: &str) -> Result<Value, ModelError> {
        let _permit = self.semaphore.acquire();
        let mut request = self.agent.post(endpoint).content_type("application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let mut response = request.send(body).map_err(|error| self.failure(endpoint, &error))?;
        let answer = response.body_mut().with_config().limit(MAX_RESPONSE_BYTES).read_to_vec();
        let answer = answer.map_err(|error| self.failure(endpoint, &error))?;
        let key = self.connection.key.as_ref();
        if response.status().is_success() {
            let mut answer: Value = serde_json::from_slice(&answer)
                .map_err(|error| ModelError::Malformed { problem: format!("the body is not JSON: {error}") })?;
            // Later errors may quote this answer, so remove the key now.
            redact_key(key, &mut answer);
            return Ok(answer);
        }
        Err(status::error_for(response.status().as_u16(), response.headers(), &answer, key))
    }

    fn failure(&self, endpoint: &str, error: &ureq::Error) -> ModelError {
        let endpoint = endpoint.to_owned();
        let unreachable = |endpoint, reason: String| ModelError::Unreachable {
            endpoint,
            reason: Secret::redact(self.connection.key.as_ref(), &reason),
        };
        match error {
            ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
                let timeout = self.connection.connect_timeout.as_secs_f64();
                unreachable(endpoint, format!("no connection within {timeout:.1} s"))
            }
            ureq::Error::Timeout(_) => ModelError::Timeout { endpoint, after: self.connection.request_timeout },
            ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                ModelError::Timeout { endpoint, after: self.connection.request_timeout }
            }
            ureq::Error::BodyExceedsLimit(limit) => {
                ModelError::Malformed { problem: format!("the answer is longer than {limit} bytes") }
            }
            other => unreachable(endpoint, other.to_string()),
        }
    }
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").field("connection", &self.connection).finish_non_exhaustive()
    }
}

fn misconfigured(problem: &str) -> ModelError {
    ModelError::Configuration { problem: problem.to_owned() }
}

/// Replaces the key in all strings of a JSON value. Replaces only the key itself: an answer may be
/// about keys.
fn redact_key(key: Option<&Secret>, json: &mut Value) {
    match json {
        Value::String(text) => {
            if let Some(key) = key.filter(|key| !key.is_empty() && text.contains(key.expose())) {
                *text = text.replace(key.expose(), "***");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact_key(key, item)),
        Value::Object(fields) => fields.values_mut().for_each(|field| redact_key(key, field)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Validates a base URL and strips a trailing slash. The result is safe to show in errors.
fn checked_url(text: &str) -> Result<String, ModelError> {
    let text = text.trim().trim_end_matches('/');
    let uri: Uri = text.parse().map_err(|_| misconfigured("the base URL is not a URL"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Err(misconfigured("the base URL must begin with http:// or https:// and name a host"));
    }
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) || text.contains(['?', '#']) {
        return Err(misconfigured("the base URL must not hold credentials or a query: hand in the key by itself"));
    }
    Ok(text.to_owned())
}

fn headers(key: Option<&Secret>, key_header: KeyHeader) -> Result<HeaderMap, ModelError> {
    let mut headers = HeaderMap::new();
    let Some(key) = key.filter(|key| !key.is_empty()) else { return Ok(headers) };
    let (name, text) = match key_header {
        KeyHeader::Bearer => ("authorization", format!("Bearer {}", key.expose())),
        KeyHeader::XApiKey => ("x-api-key", key.expose().to_owned()),
    };
    let mut value =
        HeaderValue::from_str(&text).map_err(|_| misconfigured("the key holds characters that no header may hold"))?;
    value.set_sensitive(true);
    headers.insert(HeaderName::from_static(name), value);
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_base_urls_are_rejected() {
        for bad in ["", "localhost:1", "ftp://x/v1", "http://user:pass@host/v1", "http://host/v1?key=abc", "http:///v1"]
        {
            let error = HttpClient::new(Connection::to(bad), KeyHeader::Bearer).unwrap_err();
            assert!(matches!(error, ModelError::Configuration { .. }), "{bad}: {error}");
            assert!(!error.to_string().contains("pass") && !error.to_string().contains("abc"));
        }
        assert_eq!(checked_url(" http://localhost:11434/v1/ ").unwrap(), "http://localhost:11434/v1");
    }

    #[test]
    fn a_key_with_a_line_break_is_rejected_without_being_shown() {
        let connection = Connection::to("http://localhost/v1").with_key(Secret::new("abc\r\ndef"));
        let error = HttpClient::new(connection, KeyHeader::XApiKey).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("abc"));
    }

    #[test]
    fn debug_output_never_contains_the_key() {
        let mut connection = Connection::to("http://localhost/v1").with_key(Secret::new("hunter2"));
        connection.proxy = Some(Secret::new("http://user:hunter2@proxy:3128"));
        for header in [KeyHeader::Bearer, KeyHeader::XApiKey] {
            let client = HttpClient::new(connection.clone(), header).unwrap();
            assert!(!format!("{connection:?} {client:?}").contains("hunter2"));
        }
    }
}
