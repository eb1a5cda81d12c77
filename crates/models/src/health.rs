//! What a real call to a model brought to light.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// A model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HealthReport {
    /// Which one.
    pub model: String,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// What was seen, in one sentence.
    pub detail: String,
}

impl HealthReport {
    /// A call that began at `started` and ended now.
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
