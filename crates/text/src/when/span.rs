//! A stretch of time.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use elfmem_core::time::wall_hours_between;

/// A stretch of time that holds at least one instant: `from` counts, `until` does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first instant.
    pub from: Timestamp,
    /// The first instant after it.
    pub until: Timestamp,
}

impl Span {
    /// The stretch between two instants; none when it would be empty.
    pub fn new(from: Timestamp, until: Timestamp) -> Option<Self> {
        (from < until).then_some(Self { from, until })
    }

    /// The stretch of `length` that begins at `from`; none past the end of time.
    pub(super) fn lasting(from: Timestamp, length: SignedDuration) -> Option<Self> {
        Self::new(from, from.checked_add(length).ok()?)
    }

    /// Whether `at` lies inside.
    pub fn contains(self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }

    /// The hours from `at` to the nearer end; zero inside.
    pub fn distance_to(self, at: Timestamp) -> f64 {
        wall_hours_between(at, self.from).max(wall_hours_between(self.until, at)).max(0.0)
    }

    /// What both have in common.
    pub fn overlap(self, other: Self) -> Option<Self> {
        Self::new(self.from.max(other.from), self.until.min(other.until))
    }

    /// From the beginning of the one that starts first to the end of the one that ends last.
    pub(super) fn joined(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), until: self.until.max(other.until) }
    }

    /// How long it lasts.
    pub fn length(self) -> SignedDuration {
        self.until.duration_since(self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(from: i64, until: i64) -> Span {
        let at = |hour: i64| Timestamp::from_second(hour * 3600).unwrap();
        Span::new(at(from), at(until)).unwrap()
    }

    #[test]
    fn the_first_instant_counts_and_the_last_does_not() {
        let span = hours(1, 3);
        assert!(span.contains(span.from) && !span.contains(span.until));
        assert_eq!(Span::new(span.from, span.from), None);
        assert_eq!(Span::new(span.until, span.from), None);
    }

    #[test]
    fn distance_is_measured_to_the_nearer_end() {
        let span = hours(10, 12);
        assert_eq!(span.distance_to(hours(4, 5).from), 6.0);
        assert_eq!(span.distance_to(hours(11, 12).from), 0.0);
        assert_eq!(span.distance_to(hours(15, 16).from), 3.0);
    }

    #[test]
    fn overlap_is_what_both_share() {
        assert_eq!(hours(0, 5).overlap(hours(3, 9)), Some(hours(3, 5)));
        assert_eq!(hours(0, 3).overlap(hours(3, 9)), None);
    }
}
