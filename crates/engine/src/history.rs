//! The recent operations of this process.

use std::collections::VecDeque;

use crate::results::OperationRecord;
use elfmem_core::{OperationKind, Timestamp};

/// Number of operations kept in memory. Older ones are in the journal only.
const CAPACITY: usize = 100;

/// A ring buffer of operations, oldest first.
#[derive(Debug, Default)]
pub(crate) struct History {
    records: VecDeque<OperationRecord>,
}

impl History {
    pub(crate) fn record(&mut self, operation: OperationKind, summary: String, at: Timestamp) {
        if self.records.len() == CAPACITY {
            self.records.pop_front();
        }
        self.records.push_back(OperationRecord { operation, summary, timestamp: at, asked_at: at });
    }

    /// Returns all recorded operations, oldest first.
    pub(crate) fn all(&self) -> Vec<OperationRecord> {
        self.records.iter().cloned().collect()
    }

    /// Returns the last `count` operations, oldest first, with their age as of `now`.
    pub(crate) fn last(&self, count: usize, now: Timestamp) -> Vec<OperationRecord> {
        let skipped = self.records.len().saturating_sub(count);
        self.records.iter().skip(skipped).cloned().map(|record| OperationRecord { asked_at: now, ..record }).collect()
    }
}
