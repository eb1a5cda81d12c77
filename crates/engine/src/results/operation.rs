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
        let age = age_in_words(self.timestamp, self.asked_at);
        write!(f, "{}() → {} ({age})", self.operation, self.summary)
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
    }
}
