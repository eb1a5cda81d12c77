//! Rate limiting with one token bucket per client. Off by default.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use elfmem_text::phrase::counted;

use super::access::Client;
use super::problem::Problem;

/// Number of remembered clients. Above it, clients with a full bucket are dropped, which has no
/// effect.
const REMEMBERED: usize = 10_000;

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// The limit and the bucket of each client.
#[derive(Debug)]
pub(super) struct RateLimiter {
    /// Requests per minute, also the burst size.
    per_minute: f64,
    buckets: Mutex<HashMap<Client, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

/// The state of a client after a request.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RateStatus {
    allowed: bool,
    remaining: u64,
    /// Seconds until the next request is allowed, or until the bucket is full.
    seconds: u64,
}

impl RateLimiter {
    /// Creates a rate limiter. Returns `None` if there is no limit.
    pub(super) fn new(per_minute: u64) -> Option<Arc<Self>> {
        (per_minute > 0).then(|| Arc::new(Self { per_minute: per_minute as f64, buckets: Mutex::default() }))
    }

    fn take(&self, client: Client, now: Instant) -> RateStatus {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= REMEMBERED {
            buckets.retain(|_, bucket| self.filled(bucket, now) < self.per_minute);
        }
        let bucket = buckets.entry(client).or_insert(Bucket { left: self.per_minute, at: now });
        let filled = self.filled(bucket, now);
        let allowed = filled >= 1.0;
        *bucket = Bucket { left: if allowed { filled - 1.0 } else { filled }, at: now };
        let missing = if allowed { self.per_minute - bucket.left } else { 1.0 - bucket.left };
        let seconds = (missing * 60.0 / self.per_minute).ceil() as u64;
        RateStatus { allowed, remaining: bucket.left as u64, seconds }
    }

    /// Takes from the bucket of a client, which is not asked whether it is empty.
    pub(super) fn count(&self, client: Client, now: Instant) {
        self.take(client, now);
    }

    /// Returns the seconds until a client may ask again, if its bucket is empty.
    pub(super) fn refused_for(&self, client: Client, now: Instant) -> Option<u64> {
        let buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = 1.0 - self.filled(buckets.get(&client)?, now);
        (missing > 0.0).then(|| (missing * 60.0 / self.per_minute).ceil() as u64)
    }

    fn filled(&self, bucket: &Bucket, now: Instant) -> f64 {
        let minutes = now.saturating_duration_since(bucket.at).div_duration_f64(Duration::from_secs(60));
        (bucket.left + minutes * self.per_minute).min(self.per_minute)
    }
}

/// Middleware that rejects requests over the limit.
pub(super) async fn limit(State(rate): State<Arc<RateLimiter>>, request: Request, next: Next) -> Response {
    let client = request.extensions().get::<Client>().copied().unwrap_or(Client::Unknown);
    let standing = rate.take(client, Instant::now());
    let told = [(LIMIT, rate.per_minute as u64), (REMAINING, standing.remaining), (RESET, standing.seconds)];
    let told = told.map(|(name, number)| (name, HeaderValue::from(number)));
    if standing.allowed {
        let mut response = next.run(request).await;
        response.headers_mut().extend(told);
        return response;
    }
    let problem = Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        "RateLimitError",
        format!("More than {} requests a minute.", rate.per_minute),
        format!("Ask again in {}.", counted(standing.seconds, "second")),
    );
    told.into_iter()
        .fold(problem.later(standing.seconds), |problem, (name, value)| problem.header(name, value))
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_refill_over_time_up_to_the_limit() {
        let (rate, start) = (RateLimiter::new(60).unwrap(), Instant::now());
        let take = |client, seconds| rate.take(client, start + Duration::from_secs(seconds));
        for left in (0..60).rev() {
            assert_eq!(take(Client::Token(1), 0).remaining, left);
        }
        assert_eq!(take(Client::Token(1), 0), RateStatus { allowed: false, remaining: 0, seconds: 1 });
        assert!(take(Client::Token(2), 0).allowed, "each has its own");
        assert!(take(Client::Token(1), 1).allowed);
        assert!(!take(Client::Token(1), 1).allowed);
        assert_eq!(take(Client::Token(1), 3_600).remaining, 59, "no more than the limit");
    }

    #[test]
    fn clients_with_a_full_bucket_are_dropped() {
        let (rate, start) = (RateLimiter::new(60).unwrap(), Instant::now());
        for number in 0..REMEMBERED {
            rate.take(Client::Token(number), start);
        }
        rate.take(Client::Unknown, start + Duration::from_secs(2));
        assert_eq!(rate.buckets.lock().unwrap().len(), 1);
    }

    #[test]
    fn rate_limiting_is_off_by_default() {
        assert!(RateLimiter::new(0).is_none());
    }
}
