//! The result of a health check.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// A successful health check of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HealthReport {
    /// The name of the model.
    pub model: String,
    /// Duration of the call in milliseconds.
    pub milliseconds: u64,
    /// What was observed, in one sentence.
    pub detail: String,
}

impl HealthReport {
    /// Creates a report for a call that started at `started` and ends now.
    pub(crate) fn since(started: Instant, model: &str, detail: String) -> Self {
        Self { model: model.to_owned(), milliseconds: whole_milliseconds(started.elapsed()), detail }
    }
}

impl std::fmt::Display for HealthReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} answered in {} ms: {}", self.model, self.milliseconds, self.detail)
    }
}

fn whole_milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_reads_as_one_sentence() {
        let report = HealthReport { model: "m".into(), milliseconds: 12, detail: "256 dimensions.".into() };
        assert_eq!(report.to_string(), "m answered in 12 ms: 256 dimensions.");
    }
}
