//! Who may answer at all.

use std::collections::HashSet;

use elfmem_core::decay::DecayTier;
use elfmem_store::RankingState;

/// Decides which blocks take part. Guaranteed ones come in by another door.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// Blocks that meet the filters; none when every block does.
    pub(crate) allowed: Option<HashSet<u32>>,
    /// Blocks that the frame leaves to another frame.
    pub(crate) excluded: HashSet<u32>,
    /// The clock of use now, and how many hours back the frame looks.
    pub(crate) window: Option<(f64, f64)>,
}

/// Why a block does not take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Barred {
    /// It does not meet the filters.
    Filter,
    /// It is part of the constitution, which `self` shows.
    Excluded,
    /// It was not of use for longer than the frame looks back.
    Window,
}

impl Gate {
    /// Whether a block takes part, and if not, why. How it stands matters to a gate with a window only, and must be known
    /// for that.
    pub(crate) fn check(&self, slot: u32, standing: Option<&RankingState>) -> Result<(), Barred> {
        if self.allowed.as_ref().is_some_and(|allowed| !allowed.contains(&slot)) {
            return Err(Barred::Filter);
        }
        if self.excluded.contains(&slot) {
            return Err(Barred::Excluded);
        }
        match (self.window, standing) {
            (Some((now, hours)), Some(standing))
                if is_fleeting(standing) && now - standing.last_reinforced_at > hours =>
            {
                Err(Barred::Window)
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn lets_in(&self, slot: u32, standing: Option<&RankingState>) -> bool {
        self.check(slot, standing).is_ok()
    }
}

/// Whether a block fades within the window: standard and ephemeral ones do, durable, permanent and pinned ones do not.
fn is_fleeting(standing: &RankingState) -> bool {
    !standing.pinned && standing.decay_lambda > DecayTier::Durable.rate().get()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn standing(lambda: f64, at: f64) -> RankingState {
        RankingState {
            pinned: false,
            reinforcement_count: 0,
            confidence: 0.5,
            decay_lambda: lambda,
            last_reinforced_at: at,
        }
    }

    #[test]
    fn the_window_hides_only_what_fades() {
        let gate = Gate { window: Some((300.0, 200.0)), ..Gate::default() };
        assert_eq!(gate.check(0, Some(&standing(0.01, 99.0))), Err(Barred::Window));
        assert_eq!(gate.check(0, Some(&standing(0.01, 100.0))), Ok(()));
        assert_eq!(gate.check(0, Some(&standing(0.001, 0.0))), Ok(()), "durable");
        assert_eq!(gate.check(0, Some(&standing(0.00001, 0.0))), Ok(()), "permanent");
        assert_eq!(gate.check(0, Some(&RankingState { pinned: true, ..standing(0.05, 0.0) })), Ok(()));
    }

    #[test]
    fn filters_and_exclusions_are_told_apart() {
        let gate = Gate { allowed: Some(HashSet::from([1, 2])), excluded: HashSet::from([2]), window: None };
        assert_eq!(gate.check(1, None), Ok(()));
        assert_eq!(gate.check(2, None), Err(Barred::Excluded));
        assert_eq!(gate.check(3, None), Err(Barred::Filter));
    }
}
