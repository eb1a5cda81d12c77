//! When to consolidate: an inbox threshold that adapts to how much of what was stored was new.

/// The threshold a memory starts with.
pub const BASE: u64 = 10;
const LOWEST: u64 = 5;
const HIGHEST: u64 = 50;
const STEP: u64 = 3;
/// From this share of promoted blocks on, waiting longer is fine: what comes in is new.
const MOSTLY_NEW: f64 = 0.80;
/// Up to this share, consolidating sooner pays: what comes in repeats itself.
const MOSTLY_REPEATED: f64 = 0.50;

/// How many inbox blocks to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsolidationPolicy {
    current: u64,
}

impl Default for ConsolidationPolicy {
    fn default() -> Self {
        Self { current: BASE }
    }
}

impl ConsolidationPolicy {
    /// A policy as it was stored, brought into range.
    pub fn restored(threshold: u64) -> Self {
        Self { current: threshold.clamp(LOWEST, HIGHEST) }
    }

    /// The threshold now.
    pub fn threshold(self) -> u64 {
        self.current
    }

    /// Whether it is time: always when very many wait, never when very few do.
    pub fn should_dream(self, pending: u64) -> bool {
        pending >= HIGHEST || (pending >= LOWEST && pending >= self.current)
    }

    /// The policy after a consolidation that promoted some of what it processed.
    #[must_use]
    pub fn after(self, processed: usize, promoted: usize) -> Self {
        if processed == 0 {
            return self;
        }
        let share = promoted as f64 / processed as f64;
        let next = if share >= MOSTLY_NEW {
            self.current + STEP
        } else if share <= MOSTLY_REPEATED {
            self.current.saturating_sub(STEP)
        } else {
            self.current
        };
        Self::restored(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_threshold_follows_how_new_the_blocks_were() {
        let policy = ConsolidationPolicy::default();
        assert_eq!(policy.after(10, 9).threshold(), 13);
        assert_eq!(policy.after(10, 5).threshold(), 7);
        assert_eq!(policy.after(10, 7).threshold(), 10);
        assert_eq!(policy.after(0, 0), policy);
        assert!(policy.should_dream(10) && !policy.should_dream(9));
        assert!(!ConsolidationPolicy::restored(0).should_dream(4));
        assert!(ConsolidationPolicy::restored(99).should_dream(50));
    }

    proptest! {
        #[test]
        fn the_threshold_stays_in_range(start in any::<u64>(), runs in prop::collection::vec((0usize..100, 0usize..100), 0..30)) {
            let mut policy = ConsolidationPolicy::restored(start);
            for (processed, promoted) in runs {
                policy = policy.after(processed, promoted.min(processed));
                prop_assert!((LOWEST..=HIGHEST).contains(&policy.threshold()));
            }
        }
    }
}
