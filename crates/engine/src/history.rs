//! What this process did lately.

use std::collections::VecDeque;

use crate::results::OperationRecord;
use elfmem_core::{OperationKind, Timestamp};

/// Operations that are kept; older ones are in the journal.
const KEPT: usize = 100;

/// The last operations, oldest first.
#[derive(Debug, Default)]
pub(crate) struct History {
    records: VecDeque<OperationRecord>,
}

impl History {
    pub(crate) fn record(&mut self, operation: OperationKind, summary: String, at: Timestamp) {
        if self.records.len() == KEPT {
            self.records.pop_front();
        }
        self.records.push_back(OperationRecord { operation, summary, timestamp: at, asked_at: at });
    }

    /// The last `count`, the most recent last, with their age as of `now`.
    pub(crate) fn last(&self, count: usize, now: Timestamp) -> Vec<OperationRecord> {
        let skipped = self.records.len().saturating_sub(count);
        self.records.iter().skip(skipped).cloned().map(|record| OperationRecord { asked_at: now, ..record }).collect()
    }
}
