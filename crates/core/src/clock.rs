//! The activity clock: counts active hours from the times of operations.
//!
//! Two rules add time. The gap between two operations counts if it is within the idle limit. While
//! an explicit session is open, all of its time counts: the clock is at least the session's start
//! plus the elapsed time. A session that nobody ended ends itself after [`SESSION_IDLE_HOURS`]. Both are lower bounds, so several processes on one memory add up to the
//! union of their time, not to the sum.

use crate::time::{ActiveHours, Timestamp, wall_hours_between};

/// Longest gap in minutes that counts as activity.
pub const IDLE_MINUTES: f64 = 30.0;

/// Longest gap in hours between two operations of an explicit session. After a longer one the session counts as
/// forgotten: it ended with its last operation, and the gap adds nothing.
pub const SESSION_IDLE_HOURS: f64 = 8.0;

/// The stored state of the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockState {
    /// Total active hours.
    pub hours: ActiveHours,
    /// Time of the last operation. `None` for a new memory.
    pub last_activity: Option<Timestamp>,
}

/// The start of an explicit session on both clocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SessionStart {
    /// Wall-clock time.
    pub started_at: Timestamp,
    /// Active hours.
    pub start_active_hours: ActiveHours,
}

/// The result of advancing the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockAdvance {
    /// The new state.
    pub state: ClockState,
    /// Whether the gap before the operation exceeded the idle limit.
    pub after_pause: bool,
}

impl ClockState {
    /// Advances the clock for an operation at `now`. Active hours never decrease, even if the wall
    /// clock does.
    pub fn advance(self, now: Timestamp, idle_minutes: f64, explicit: Option<SessionStart>) -> ClockAdvance {
        let gap = self.last_activity.map(|last| wall_hours_between(last, now));
        let close = gap.is_some_and(|hours| hours <= idle_minutes / 60.0);
        let by_use = match gap {
            Some(hours) if close => self.hours + ActiveHours::new(hours),
            _ => self.hours,
        };
        let by_session = explicit.map_or(ActiveHours::ZERO, |session| {
            session.start_active_hours + ActiveHours::new(wall_hours_between(session.started_at, now))
        });
        ClockAdvance {
            state: ClockState { hours: by_use.later_of(by_session), last_activity: Some(now) },
            after_pause: !close,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + minutes * 60).unwrap()
    }

    fn fresh() -> ClockState {
        ClockState { hours: ActiveHours::ZERO, last_activity: None }
    }

    fn run(minutes: &[i64]) -> f64 {
        minutes.iter().fold(fresh(), |state, &m| state.advance(at(m), IDLE_MINUTES, None).state).hours.get()
    }

    #[test]
    fn short_gaps_count_and_long_gaps_do_not() {
        assert_eq!(run(&[0]), 0.0);
        assert!((run(&[0, 30, 60]) - 1.0).abs() < 1e-9);
        assert!((run(&[0, 30, 61, 91]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn an_explicit_session_counts_all_of_its_time() {
        let start = SessionStart { started_at: at(0), start_active_hours: ActiveHours::new(5.0) };
        let state = ClockState { hours: ActiveHours::new(5.0), last_activity: Some(at(0)) };
        let later = state.advance(at(8 * 60), IDLE_MINUTES, Some(start));
        assert_eq!(later.state.hours.get(), 13.0);
        assert!(later.after_pause);
    }

    #[test]
    fn two_processes_add_up_to_the_union_of_their_time() {
        // One process holds a session from 0 to 120. Another runs an operation at 100 without a
        // session.
        let start = SessionStart { started_at: at(0), start_active_hours: ActiveHours::ZERO };
        let state = ClockState { hours: ActiveHours::ZERO, last_activity: Some(at(0)) };
        let visited = state.advance(at(100), IDLE_MINUTES, None).state;
        let end = visited.advance(at(120), IDLE_MINUTES, Some(start)).state;
        assert!((end.hours.get() - 2.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn active_hours_never_decrease_when_the_wall_clock_jumps(jumps in prop::collection::vec(-10_000i64..10_000, 1..60)) {
            let mut state = fresh();
            let mut now = 0;
            for jump in jumps {
                now += jump;
                let next = state.advance(at(now), IDLE_MINUTES, None).state;
                prop_assert!(next.hours >= state.hours);
                prop_assert!(next.hours.since(state.hours).get() <= IDLE_MINUTES / 60.0 + 1e-9);
                state = next;
            }
        }

        #[test]
        fn additional_operations_never_reduce_active_hours(mut minutes in prop::collection::vec(0i64..2_000, 2..40), extra in 0i64..2_000) {
            minutes.sort_unstable();
            let coarse = run(&minutes);
            minutes.push(extra);
            minutes.sort_unstable();
            prop_assert!(run(&minutes) >= coarse - 1e-9);
        }
    }
}
