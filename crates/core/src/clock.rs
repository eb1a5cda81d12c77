//! The clock of use: how active hours grow out of what was done when.
//!
//! Two rules add time. Operations that follow each other within the idle limit belong together, and the gap between them
//! counts. And while an explicit session is open, all of its time counts: the clock never reads less than the session's
//! start plus what has elapsed since. Both are lower bounds, so several processes on one memory add up
//! to the union of their time, never to the sum.

use crate::time::{ActiveHours, Timestamp, wall_hours_between};

/// The longest pause, in minutes, that still belongs to the work around it.
pub const IDLE_MINUTES: f64 = 30.0;

/// What is stored of the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockState {
    /// Total active hours so far.
    pub hours: ActiveHours,
    /// When the last operation ran; none in a memory that was never used.
    pub last_activity: Option<Timestamp>,
}

/// Where an explicit session began, on both clocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SessionStart {
    /// On the wall clock.
    pub started_at: Timestamp,
    /// On the active clock.
    pub start_active_hours: ActiveHours,
}

/// The clock after an operation at `now`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advanced {
    /// What to store.
    pub state: ClockState,
    /// Whether the pause before it was too long for the operation to belong to what came before.
    pub after_pause: bool,
}

impl ClockState {
    /// Counts an operation at `now`. Hours never fall, whatever the wall clock does.
    pub fn advance(self, now: Timestamp, idle_minutes: f64, explicit: Option<SessionStart>) -> Advanced {
        let gap = self.last_activity.map(|last| wall_hours_between(last, now));
        let close = gap.is_some_and(|hours| hours <= idle_minutes / 60.0);
        let by_use = match gap {
            Some(hours) if close => self.hours + ActiveHours::new(hours),
            _ => self.hours,
        };
        let by_session = explicit.map_or(ActiveHours::ZERO, |session| {
            session.start_active_hours + ActiveHours::new(wall_hours_between(session.started_at, now))
        });
        Advanced {
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
    fn close_operations_count_their_gaps_and_long_pauses_count_nothing() {
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
        // One holds a session from 0 to 120; another looks in at 100 without one, then the first goes on.
        let start = SessionStart { started_at: at(0), start_active_hours: ActiveHours::ZERO };
        let state = ClockState { hours: ActiveHours::ZERO, last_activity: Some(at(0)) };
        let visited = state.advance(at(100), IDLE_MINUTES, None).state;
        let end = visited.advance(at(120), IDLE_MINUTES, Some(start)).state;
        assert!((end.hours.get() - 2.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn hours_never_fall_even_when_the_wall_clock_jumps(jumps in prop::collection::vec(-10_000i64..10_000, 1..60)) {
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
        fn finer_use_never_counts_less(mut minutes in prop::collection::vec(0i64..2_000, 2..40), extra in 0i64..2_000) {
            minutes.sort_unstable();
            let coarse = run(&minutes);
            minutes.push(extra);
            minutes.sort_unstable();
            prop_assert!(run(&minutes) >= coarse - 1e-9);
        }
    }
}
