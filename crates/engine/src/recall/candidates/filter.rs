//! Which blocks may be candidates.

use std::collections::HashSet;

use elfmem_core::decay::DecayTier;
use elfmem_store::RankingState;

use crate::memory_index::AllRankingStates;

/// Decides which blocks may be candidates. Blocks that the frame guarantees are added without it.
#[derive(Debug, Default)]
pub(crate) struct CandidateFilter<'a> {
    /// Blocks that meet the filters of frame and request; none when there are no filters.
    pub(crate) allowed: Option<HashSet<u32>>,
    /// Blocks that the frame leaves to another frame.
    pub(crate) excluded: HashSet<u32>,
    /// How far back the frame looks; none for everything.
    pub(crate) window: Option<Window<'a>>,
}

/// A number of active hours before now, and the states that say when each block was last used.
#[derive(Debug)]
pub(crate) struct Window<'a> {
    /// The current time, in active hours.
    pub(crate) now: f64,
    pub(crate) hours: f64,
    pub(crate) states: AllRankingStates<'a>,
}

/// Why a block may not be a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// It does not meet the filters.
    Filter,
    /// The frame leaves it to another frame.
    Excluded,
    /// It was last used before the window of the frame.
    Window,
}

impl CandidateFilter<'_> {
    /// Returns whether a block may be a candidate, and if not, why.
    pub(crate) fn check(&self, slot: u32) -> Result<(), Rejection> {
        if self.allowed.as_ref().is_some_and(|allowed| !allowed.contains(&slot)) {
            return Err(Rejection::Filter);
        }
        if self.excluded.contains(&slot) {
            return Err(Rejection::Excluded);
        }
        match &self.window {
            Some(window) if window.states.get(slot).is_some_and(|state| window.has_passed(&state)) => {
                Err(Rejection::Window)
            }
            _ => Ok(()),
        }
    }

    /// Returns whether a block may be a candidate.
    pub(crate) fn accepts(&self, slot: u32) -> bool {
        self.check(slot).is_ok()
    }
}

impl Window<'_> {
    /// Returns whether a block was last used before the window. Durable, permanent and pinned blocks always are in it.
    fn has_passed(&self, state: &RankingState) -> bool {
        has_passed(self.now, self.hours, state)
    }
}

fn has_passed(now: f64, hours: f64, state: &RankingState) -> bool {
    let fades = !state.pinned && state.decay_lambda > DecayTier::Durable.rate().get();
    fades && now - state.last_reinforced_at > hours
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(lambda: f64, at: f64) -> RankingState {
        RankingState {
            pinned: false,
            reinforcement_count: 0,
            confidence: 0.5,
            decay_lambda: lambda,
            last_reinforced_at: at,
        }
    }

    #[test]
    fn the_window_hides_only_blocks_that_fade() {
        let has_passed = |state: &RankingState| has_passed(300.0, 200.0, state);
        assert!(has_passed(&state(0.01, 99.0)));
        assert!(!has_passed(&state(0.01, 100.0)));
        assert!(!has_passed(&state(0.001, 0.0)), "durable");
        assert!(!has_passed(&state(0.00001, 0.0)), "permanent");
        assert!(!has_passed(&RankingState { pinned: true, ..state(0.05, 0.0) }));
    }

    #[test]
    fn filters_and_exclusions_are_distinguished() {
        let filter =
            CandidateFilter { allowed: Some(HashSet::from([1, 2])), excluded: HashSet::from([2]), window: None };
        assert_eq!(filter.check(1), Ok(()));
        assert_eq!(filter.check(2), Err(Rejection::Excluded));
        assert_eq!(filter.check(3), Err(Rejection::Filter));
    }
}
