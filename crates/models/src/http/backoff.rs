//! Retries with exponential backoff.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::error::ModelError;
use crate::trace;

/// The retry policy: exponential backoff with full jitter, so that many clients do not retry at
/// once.
#[derive(Debug, Clone)]
pub struct Backoff {
    /// Total number of attempts.
    pub attempts: u32,
    /// Maximum wait after the first failure. Doubles with each further failure.
    pub first: Duration,
    /// Upper bound of the wait.
    pub max: Duration,
    /// Maximum wait that a server may request. A longer one makes the call fail at once.
    pub max_retry_after: Duration,
    /// Sleep and random functions.
    pub timer: RetryTimer,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            attempts: 4,
            first: Duration::from_millis(500),
            max: Duration::from_secs(20),
            max_retry_after: Duration::from_secs(60),
            timer: RetryTimer::default(),
        }
    }
}

impl Backoff {
    /// Runs an attempt until it succeeds, fails permanently, or the attempts are used up.
    pub(crate) fn run<T>(&self, mut attempt: impl FnMut() -> Result<T, ModelError>) -> Result<T, ModelError> {
        let mut failures = 0;
        loop {
            let error = match attempt() {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            failures += 1;
            let wait = self.wait_after(&error, failures).filter(|_| failures < self.attempts);
            trace::failed(&error, failures, wait);
            match wait {
                Some(wait) => (self.timer.sleep)(wait),
                None => return Err(error),
            }
        }
    }

    /// Returns the wait before the next attempt, or `None` if a retry is pointless.
    ///
    /// A timeout is not retried, because the caller has already waited long.
    fn wait_after(&self, error: &ModelError, failures: u32) -> Option<Duration> {
        let doubled = self.first.saturating_mul(2u32.saturating_pow(failures.saturating_sub(1)));
        let jittered = doubled.min(self.max).mul_f64((self.timer.random)().clamp(0.0, 1.0));
        match error {
            ModelError::RateLimited { retry_after: Some(asked) } => {
                (*asked <= self.max_retry_after).then(|| asked.saturating_add(jittered.min(self.first)))
            }
            ModelError::RateLimited { .. } | ModelError::ServerError { .. } | ModelError::Unreachable { .. } => {
                Some(jittered)
            }
            ModelError::BadRequest { status: 408, .. } => Some(jittered),
            _ => None,
        }
    }
}

/// Sleep and random functions, replaceable in tests.
#[derive(Clone)]
pub struct RetryTimer {
    sleep: Arc<dyn Fn(Duration) + Send + Sync>,
    random: Arc<dyn Fn() -> f64 + Send + Sync>,
}

impl RetryTimer {
    /// Creates a timer from a sleep function and a random function with results in `[0, 1)`.
    pub fn new(
        sleep: impl Fn(Duration) + Send + Sync + 'static,
        random: impl Fn() -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { sleep: Arc::new(sleep), random: Arc::new(random) }
    }
}

impl Default for RetryTimer {
    /// Uses the thread's sleep.
    fn default() -> Self {
        Self::new(std::thread::sleep, fastrand::f64)
    }
}

impl fmt::Debug for RetryTimer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RetryTimer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Runs until success or the last failure. Returns the waits in milliseconds and the result.
    fn waits(errors: Vec<ModelError>) -> (Vec<u128>, Result<(), ModelError>) {
        let slept = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&slept);
        let timer = RetryTimer::new(move |wait| noted.lock().unwrap().push(wait.as_millis()), || 0.5);
        let mut errors = errors.into_iter();
        let outcome = Backoff { timer, ..Backoff::default() }.run(|| errors.next().map_or(Ok(()), Err));
        let slept = slept.lock().unwrap().clone();
        (slept, outcome)
    }

    fn server_error() -> ModelError {
        ModelError::ServerError { status: 500, detail: String::new() }
    }

    #[test]
    fn waits_double_and_attempts_are_bounded() {
        let (slept, outcome) = waits(vec![server_error(); 9]);
        assert_eq!(slept, [250, 500, 1000]);
        assert_eq!(outcome, Err(server_error()));
    }

    #[test]
    fn success_stops_retrying() {
        assert_eq!(waits(vec![server_error()]), (vec![250], Ok(())));
    }

    #[test]
    fn retry_after_is_respected() {
        let limited = |seconds| ModelError::RateLimited { retry_after: Some(Duration::from_secs(seconds)) };
        assert_eq!(waits(vec![limited(7)]), (vec![7250], Ok(())));
        assert_eq!(waits(vec![limited(61)]), (vec![], Err(limited(61))));
    }

    #[test]
    fn permanent_errors_are_not_retried() {
        let timeout = ModelError::Timeout { endpoint: String::new(), after: Duration::ZERO };
        for error in [ModelError::Refused { status: 401 }, timeout] {
            assert_eq!(waits(vec![error.clone()]), (vec![], Err(error)));
        }
    }

    #[test]
    fn waits_never_exceed_the_maximum() {
        let backoff = Backoff { timer: RetryTimer::new(|_| {}, || 1.0), ..Backoff::default() };
        for failures in [1, 10, 40, u32::MAX] {
            assert!(backoff.wait_after(&server_error(), failures).unwrap() <= backoff.max);
        }
    }
}
