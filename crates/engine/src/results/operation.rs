//! Entries of the history.

use elfmem_core::OperationKind;
use std::fmt;

use serde::{Deserialize, Serialize};

use elfmem_core::time::{Timestamp, age_in_words};

/// One operation of the running process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OperationRecord {
    /// The kind of operation, such as `learn` or `recall`.
    pub operation: OperationKind,
    /// The summary of its result.
    pub summary: String,
    /// When it ran.
    pub timestamp: Timestamp,
    /// When the history was requested, to compute the age.
    #[serde(skip)]
    pub asked_at: Timestamp,
}

impl fmt::Display for OperationRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_operation(f, &self.operation, &self.summary, self.timestamp, self.asked_at)
    }
}

/// Writes an operation as one line with its age (seed 001).
pub(crate) fn write_operation(
    f: &mut fmt::Formatter<'_>,
    operation: &OperationKind,
    summary: &str,
    at: Timestamp,
    asked_at: Timestamp,
) -> fmt::Result {
    write!(f, "{}() → {summary} ({})", method_of(operation), age_in_words(at, asked_at))
}

/// Returns the name of the method that runs an operation: the guide calls a dream by that of the seed.
fn method_of(operation: &OperationKind) -> &str {
    match operation {
        OperationKind::Dream => "consolidate",
        other => other.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_reads_as_one_line_with_its_age() {
        let record = OperationRecord {
            operation: OperationKind::Learn,
            summary: "Stored block a1b2. Status: created.".into(),
            timestamp: Timestamp::from_second(1_000_000).unwrap(),
            asked_at: Timestamp::from_second(1_000_125).unwrap(),
        };
        assert_eq!(record.to_string(), "learn() → Stored block a1b2. Status: created. (2 min ago)");
        let summary = "Consolidated 8: 7 promoted, 1 deduped, 12 edges.".to_owned();
        let record = OperationRecord { operation: OperationKind::Dream, summary, ..record };
        assert_eq!(record.to_string(), "consolidate() → Consolidated 8: 7 promoted, 1 deduped, 12 edges. (2 min ago)");
    }
}
