//! A non-empty span of time.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use elfmem_core::time::wall_hours_between;

/// A half-open span of time with at least one instant: includes `from`, excludes `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimeSpan {
    /// The first instant.
    pub from: Timestamp,
    /// The first instant after the span.
    pub until: Timestamp,
}

impl TimeSpan {
    /// Creates a span. Returns `None` if it would be empty.
    pub fn new(from: Timestamp, until: Timestamp) -> Option<Self> {
        (from < until).then_some(Self { from, until })
    }

    /// Creates a span from a start and a length. Returns `None` if it would be empty or out of
    /// range.
    pub(super) fn lasting(from: Timestamp, length: SignedDuration) -> Option<Self> {
        Self::new(from, from.checked_add(length).ok()?)
    }

    /// Returns true if `at` lies in the span.
    pub fn contains(self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }

    /// Returns the hours between `at` and the nearer end, or zero if `at` lies in the span.
    pub fn distance_to(self, at: Timestamp) -> f64 {
        wall_hours_between(at, self.from).max(wall_hours_between(self.until, at)).max(0.0)
    }

    /// Returns the intersection of two spans.
    pub fn overlap(self, other: Self) -> Option<Self> {
        Self::new(self.from.max(other.from), self.until.min(other.until))
    }

    /// Returns the smallest span that contains both.
    pub(super) fn joined(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), until: self.until.max(other.until) }
    }

    /// Returns the duration of the span.
    pub fn length(self) -> SignedDuration {
        self.until.duration_since(self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(from: i64, until: i64) -> TimeSpan {
        let at = |hour: i64| Timestamp::from_second(hour * 3600).unwrap();
        TimeSpan::new(at(from), at(until)).unwrap()
    }

    #[test]
    fn a_span_includes_its_start_and_excludes_its_end() {
        let span = hours(1, 3);
        assert!(span.contains(span.from) && !span.contains(span.until));
        assert_eq!(TimeSpan::new(span.from, span.from), None);
        assert_eq!(TimeSpan::new(span.until, span.from), None);
    }

    #[test]
    fn distance_is_measured_to_the_nearer_end() {
        let span = hours(10, 12);
        assert_eq!(span.distance_to(hours(4, 5).from), 6.0);
        assert_eq!(span.distance_to(hours(11, 12).from), 0.0);
        assert_eq!(span.distance_to(hours(15, 16).from), 3.0);
    }

    #[test]
    fn overlap_is_the_intersection() {
        assert_eq!(hours(0, 5).overlap(hours(3, 9)), Some(hours(3, 5)));
        assert_eq!(hours(0, 3).overlap(hours(3, 9)), None);
    }
}
