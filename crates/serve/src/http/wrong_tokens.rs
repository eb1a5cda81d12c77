//! A limit on wrong access tokens, so that tokens cannot be guessed quickly.
//!
//! An address that has shown too many wrong tokens is refused for a while, whatever it shows. A client that showed its
//! token from that address shortly before goes on: otherwise anybody behind the same proxy could lock it out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use elfmem_text::phrase::counted;

use super::access::Client;
use super::problem::Problem;
use super::rate::RateLimiter;

/// Wrong tokens per minute and address.
const PER_MINUTE: u64 = 20;
/// How long a client is known after it has shown its token.
const KNOWN_FOR: Duration = Duration::from_secs(10 * 60);
/// Number of known clients. Above it, those that have not been seen for long are forgotten.
const REMEMBERED: usize = 10_000;

/// Counts wrong tokens.
#[derive(Debug)]
pub(super) struct WrongTokens {
    rate: Arc<RateLimiter>,
    /// When an address has last shown the token of this index.
    known: Mutex<HashMap<(Client, usize), Instant>>,
}

impl WrongTokens {
    pub(super) fn new() -> Option<Self> {
        Some(Self { rate: RateLimiter::new(PER_MINUTE)?, known: Mutex::default() })
    }

    /// Counts a wrong token of an address. Returns how long the address is refused if it has shown too many.
    pub(super) fn count(&self, address: Client, now: Instant) -> Option<u64> {
        self.rate.refused_for(address, now).or_else(|| {
            self.rate.count(address, now);
            None
        })
    }

    /// Checks the address of a client that shows a token of ours. Returns how long it is refused.
    pub(super) fn check(&self, address: Client, token: usize, now: Instant) -> Option<u64> {
        let mut known = self.lock();
        let is_known = known.get(&(address, token)).is_some_and(|at| now.saturating_duration_since(*at) < KNOWN_FOR);
        if !is_known && let Some(seconds) = self.rate.refused_for(address, now) {
            return Some(seconds);
        }
        if known.len() >= REMEMBERED {
            known.retain(|_, at| now.saturating_duration_since(*at) < KNOWN_FOR);
        }
        if known.len() < REMEMBERED || is_known {
            known.insert((address, token), now);
        }
        None
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(Client, usize), Instant>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to an address that has shown too many wrong tokens.
pub(super) fn too_many(seconds: u64) -> Problem {
    Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        "RateLimitError",
        "Too many wrong tokens came from this address.",
        format!("Check the token, and ask again in {}.", counted(seconds, "second")),
    )
    .later(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Client = Client::Address(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

    #[test]
    fn an_address_with_too_many_wrong_tokens_is_refused_for_a_while() {
        let (wrong, start) = (WrongTokens::new().unwrap(), Instant::now());
        assert!((0..PER_MINUTE).all(|_| wrong.count(HERE, start).is_none()));
        assert_eq!(wrong.count(HERE, start), Some(3));
        assert_eq!(wrong.check(HERE, 0, start), Some(3), "a right guess is refused too");
        assert_eq!(wrong.check(Client::Unknown, 0, start), None, "others are not");
        assert_eq!(wrong.check(HERE, 0, start + Duration::from_secs(7)), None);
    }

    #[test]
    fn a_client_that_is_known_is_not_locked_out() {
        let (wrong, start) = (WrongTokens::new().unwrap(), Instant::now());
        assert_eq!(wrong.check(HERE, 0, start), None);
        for _ in 0..=PER_MINUTE {
            wrong.count(HERE, start);
        }
        assert_eq!(wrong.check(HERE, 0, start), None);
        assert!(wrong.check(HERE, 1, start).is_some(), "another token is not known yet");
    }
}
