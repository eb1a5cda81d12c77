//! What a request is called, in the answer, in problems and in the log.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderName};

/// The header that carries it, both ways.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ones are not taken over.
const LONGEST: usize = 64;

/// Makes names that no other request of this process has, and hardly one of another.
#[derive(Debug)]
pub(super) struct RequestIds {
    process: u32,
    made: AtomicU64,
}

impl RequestIds {
    pub(super) fn new() -> Self {
        Self { process: fastrand::u32(..), made: AtomicU64::new(0) }
    }

    /// The one the client gave, if it can be repeated safely, else a new one.
    pub(super) fn of(&self, headers: &HeaderMap) -> String {
        let given = headers.get(HEADER).and_then(|value| value.to_str().ok()).filter(|id| is_sane(id));
        given
            .map(str::to_owned)
            .unwrap_or_else(|| format!("{:08x}-{:06x}", self.process, self.made.fetch_add(1, Ordering::Relaxed)))
    }
}

/// Nothing that could break a line or a quotation.
fn is_sane(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !id.is_empty() && id.len() <= LONGEST && id.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sane_id_is_taken_over_and_another_one_replaced() {
        let ids = RequestIds::new();
        let of = |id: &str| ids.of(&HeaderMap::from_iter([(HEADER, id.parse().unwrap())]));
        assert_eq!(of("7c1a-42_x.y"), "7c1a-42_x.y");
        for bad in ["", "a b", "a\"b", "{}", "x".repeat(65).as_str()] {
            assert_ne!(of(bad), bad);
        }
        assert_ne!(ids.of(&HeaderMap::new()), ids.of(&HeaderMap::new()));
    }
}
