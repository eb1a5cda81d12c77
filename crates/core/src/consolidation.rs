//! Decides when to consolidate: an inbox threshold that adapts to the share of new blocks.

/// The initial threshold.
pub const INBOX_THRESHOLD: u64 = 10;
const MIN_THRESHOLD: u64 = 5;
const MAX_THRESHOLD: u64 = 50;
const STEP: u64 = 3;
/// Share of promoted blocks from which the threshold rises: most input is new.
const MOSTLY_NEW: f64 = 0.80;
/// Share of promoted blocks up to which the threshold falls: most input is repeated.
const MOSTLY_REPEATED: f64 = 0.50;

/// Similarity thresholds that replace those of the embedder.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ThresholdOverrides {
    /// Cosine from which a pair may be a duplicate.
    pub exact: Option<f64>,
    /// Cosine from which a pair may be a paraphrase.
    pub near: Option<f64>,
    /// Cosine from which two blocks get a `similar` edge.
    pub edge: Option<f64>,
    /// Cosine from which a pair is checked for a contradiction.
    pub contradiction_prefilter: Option<f64>,
    /// Contradiction score from which a pair contradicts.
    pub contradiction: Option<f64>,
}

/// The adaptive inbox threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsolidationPolicy {
    current: u64,
}

impl Default for ConsolidationPolicy {
    fn default() -> Self {
        Self { current: INBOX_THRESHOLD }
    }
}

impl ConsolidationPolicy {
    /// Restores a stored threshold, clamped to the valid range.
    pub fn restored(threshold: u64) -> Self {
        Self { current: threshold.clamp(MIN_THRESHOLD, MAX_THRESHOLD) }
    }

    /// Returns the current threshold.
    pub fn threshold(self) -> u64 {
        self.current
    }

    /// Returns true if consolidation is due for this number of inbox blocks.
    pub fn should_dream(self, pending: u64) -> bool {
        pending >= MAX_THRESHOLD || (pending >= MIN_THRESHOLD && pending >= self.current)
    }

    /// Returns the policy after a consolidation that promoted some of the processed blocks.
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
    fn the_threshold_adapts_to_the_share_of_new_blocks() {
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
                prop_assert!((MIN_THRESHOLD..=MAX_THRESHOLD).contains(&policy.threshold()));
            }
        }
    }
}
