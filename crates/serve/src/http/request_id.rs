//! Request ids for responses, problems and logs.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderName};

/// The header of the request id in requests and responses.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Maximum length of a request id from a client.
const LONGEST: usize = 64;

/// Generates request ids that are unique in this process.
#[derive(Debug)]
pub(super) struct RequestIds {
    process: u32,
    made: AtomicU64,
}

impl RequestIds {
    pub(super) fn new() -> Self {
        Self { process: fastrand::u32(..), made: AtomicU64::new(0) }
    }

    /// Returns the id sent by the client if it is valid, else a new one.
    pub(super) fn of(&self, headers: &HeaderMap) -> String {
        let given = headers.get(HEADER).and_then(|value| value.to_str().ok()).filter(|id| is_sane(id));
        given
            .map(str::to_owned)
            .unwrap_or_else(|| format!("{:08x}-{:06x}", self.process, self.made.fetch_add(1, Ordering::Relaxed)))
    }
}

/// Returns true if the id cannot break a log line or a JSON string.
fn is_sane(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !id.is_empty() && id.len() <= LONGEST && id.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_client_ids_are_kept_and_others_replaced() {
        let ids = RequestIds::new();
        let of = |id: &str| ids.of(&HeaderMap::from_iter([(HEADER, id.parse().unwrap())]));
        assert_eq!(of("7c1a-42_x.y"), "7c1a-42_x.y");
        for bad in ["", "a b", "a\"b", "{}", "x".repeat(65).as_str()] {
            assert_ne!(of(bad), bad);
        }
        assert_ne!(ids.of(&HeaderMap::new()), ids.of(&HeaderMap::new()));
    }
}
