//! Trying again: how often, how long to wait, and when it is of no use.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::error::ModelError;

/// What to do when an attempt fails: exponential backoff with full jitter, so that many clients do not come back at
/// once.
#[derive(Debug, Clone)]
pub struct Backoff {
    /// How many attempts are made in all.
    pub attempts: u32,
    /// The longest wait after the first failure; it doubles with each further one.
    pub first: Duration,
    /// The longest wait of all.
    pub longest: Duration,
    /// The longest wait a server may ask for. If it asks for more, the call fails at once and says so.
    pub longest_asked: Duration,
    /// How waiting is done.
    pub pause: Pause,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            attempts: 4,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(20),
            longest_asked: Duration::from_secs(60),
            pause: Pause::default(),
        }
    }
}

impl Backoff {
    /// Runs an attempt until it succeeds, fails for good, or there have been enough.
    pub(crate) fn run<T>(&self, mut attempt: impl FnMut() -> Result<T, ModelError>) -> Result<T, ModelError> {
        let mut failures = 0;
        loop {
            let error = match attempt() {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            failures += 1;
            match self.wait_after(&error, failures) {
                Some(wait) if failures < self.attempts => (self.pause.sleep)(wait),
                _ => return Err(error),
            }
        }
    }

    /// How long to wait before trying again; none when trying again is of no use.
    ///
    /// A call that ran into its time limit is not repeated here: the caller has waited long enough to be asked.
    fn wait_after(&self, error: &ModelError, failures: u32) -> Option<Duration> {
        let doubled = self.first.saturating_mul(2u32.saturating_pow(failures.saturating_sub(1)));
        let jittered = doubled.min(self.longest).mul_f64((self.pause.random)().clamp(0.0, 1.0));
        match error {
            ModelError::RateLimited { retry_after: Some(asked) } => {
                (*asked <= self.longest_asked).then(|| asked.saturating_add(jittered.min(self.first)))
            }
            ModelError::RateLimited { .. } | ModelError::ServerError { .. } | ModelError::Unreachable { .. } => {
                Some(jittered)
            }
            ModelError::BadRequest { status: 408, .. } => Some(jittered),
            _ => None,
        }
    }
}

/// How to sleep and where chance comes from. Tests hand in their own and wait for nothing.
#[derive(Clone)]
pub struct Pause {
    sleep: Arc<dyn Fn(Duration) + Send + Sync>,
    random: Arc<dyn Fn() -> f64 + Send + Sync>,
}

impl Pause {
    /// A pause that sleeps and draws numbers from `[0, 1)` as told.
    pub fn new(
        sleep: impl Fn(Duration) + Send + Sync + 'static,
        random: impl Fn() -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { sleep: Arc::new(sleep), random: Arc::new(random) }
    }
}

impl Default for Pause {
    /// Really sleeps.
    fn default() -> Self {
        Self::new(std::thread::sleep, fastrand::f64)
    }
}

impl fmt::Debug for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pause")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Runs until success or surrender; returns the waits in milliseconds and the outcome.
    fn waits(errors: Vec<ModelError>) -> (Vec<u128>, Result<(), ModelError>) {
        let slept = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&slept);
        let pause = Pause::new(move |wait| noted.lock().unwrap().push(wait.as_millis()), || 0.5);
        let mut errors = errors.into_iter();
        let outcome = Backoff { pause, ..Backoff::default() }.run(|| errors.next().map_or(Ok(()), Err));
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
    fn a_success_ends_it() {
        assert_eq!(waits(vec![server_error()]), (vec![250], Ok(())));
    }

    #[test]
    fn a_server_that_says_when_to_come_back_is_obeyed() {
        let limited = |seconds| ModelError::RateLimited { retry_after: Some(Duration::from_secs(seconds)) };
        assert_eq!(waits(vec![limited(7)]), (vec![7250], Ok(())));
        assert_eq!(waits(vec![limited(61)]), (vec![], Err(limited(61))));
    }

    #[test]
    fn what_will_not_change_is_not_tried_again() {
        let timeout = ModelError::Timeout { endpoint: String::new(), after: Duration::ZERO };
        for error in [ModelError::Refused { status: 401 }, timeout] {
            assert_eq!(waits(vec![error.clone()]), (vec![], Err(error)));
        }
    }

    #[test]
    fn waits_stay_below_the_longest_however_often_it_failed() {
        let backoff = Backoff { pause: Pause::new(|_| {}, || 1.0), ..Backoff::default() };
        for failures in [1, 10, 40, u32::MAX] {
            assert!(backoff.wait_after(&server_error(), failures).unwrap() <= backoff.longest);
        }
    }
}
