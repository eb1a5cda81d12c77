//! The best `k` of many that are known only roughly.
//!
//! Each candidate comes with a coarse product and how far that may be off. The `k` best lower bounds so far are a floor:
//! a row whose upper bound lies under it cannot be among the best `k`, whatever its exact product is. All others are
//! kept for the caller to multiply out, and so the answer is exact; on real vectors that is one or two dozen rows.

/// The fewest rows that are gathered before the floor is looked for.
const FEWEST: usize = 64;

/// Gathers the rows that may be among the `k` nearest.
#[derive(Debug)]
pub(crate) struct Nearest {
    k: usize,
    /// Rows that were not ruled out so far.
    kept: Vec<Candidate>,
    /// No row whose upper bound is less can win.
    floor: f32,
    /// How many rows may be kept before the floor is raised. A heap would raise it with every row; raising it now and
    /// then is quicker by half and keeps a few more rows.
    limit: usize,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    slot: u32,
    lower: f32,
    upper: f32,
}

impl Nearest {
    pub(crate) fn new(k: usize) -> Self {
        let floor = if k == 0 { f32::INFINITY } else { f32::NEG_INFINITY };
        Self { k, kept: Vec::new(), floor, limit: k.saturating_mul(4).max(FEWEST) }
    }

    /// Whether none of some rows can be among the nearest. Most tiles are ruled out as a whole, without a branch a row.
    pub(crate) fn rules_out(&self, coarse: &[f32], slacks: impl Iterator<Item = f32>) -> bool {
        let in_play = coarse.iter().zip(slacks).map(|(coarse, slack)| u32::from(coarse + slack >= self.floor));
        in_play.sum::<u32>() == 0
    }

    /// Takes a row unless it is ruled out or `allowed` says no. The filter is asked last, because it may be the slower
    /// of the two and most rows fail the first test.
    #[inline(always)]
    pub(crate) fn offer(&mut self, slot: u32, coarse: f32, slack: f32, allowed: impl FnOnce(u32) -> bool) {
        // A slot without a vector has the coarse product minus infinity, which is level with the first floor.
        if coarse + slack >= self.floor && coarse > f32::NEG_INFINITY && allowed(slot) {
            self.kept.push(Candidate { slot, lower: coarse - slack, upper: coarse + slack });
            if self.kept.len() >= self.limit {
                self.raise_floor();
            }
        }
    }

    /// Finds the `k`-th best lower bound and lets go of what lies wholly under it.
    #[inline(never)]
    fn raise_floor(&mut self) {
        let Some(last) = self.k.checked_sub(1).filter(|last| *last < self.kept.len()) else { return };
        let (_, worst, _) = self.kept.select_nth_unstable_by(last, |a, b| b.lower.total_cmp(&a.lower));
        let floor = worst.lower;
        self.floor = floor;
        self.kept.retain(|candidate| candidate.upper >= floor);
        self.limit = self.limit.max(self.kept.len() * 2);
    }

    /// The rows that may be among the nearest: all that are, ties for the last place included, and a few that are not.
    pub(crate) fn into_slots(mut self) -> Vec<u32> {
        self.raise_floor();
        self.kept.iter().map(|candidate| candidate.slot).collect()
    }
}

/// A product of unit vectors as a cosine: rounding may leave it a hair beyond one; adding zero turns -0 into 0.
pub(crate) fn cosine(product: f32) -> f32 {
    product.clamp(-1.0, 1.0) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_is_not_asked_about_what_cannot_win() {
        let mut nearest = Nearest::new(1);
        (0..FEWEST as u32).for_each(|slot| nearest.offer(slot, 0.5, 0.01, |_| true));
        nearest.offer(100, 0.4, 0.01, |_| panic!("asked in vain"));
        nearest.offer(101, 0.49, 0.01, |_| true);
        nearest.offer(102, 0.9, 0.01, |_| false);
        nearest.offer(103, 0.6, 0.01, |_| true);
        assert_eq!(nearest.into_slots(), [103]);
    }

    #[test]
    fn what_might_be_level_is_multiplied_out() {
        let mut nearest = Nearest::new(1);
        nearest.offer(0, 0.5, 0.01, |_| true);
        nearest.offer(1, 0.5, 0.01, |_| true);
        nearest.offer(2, 0.485, 0.01, |_| true);
        nearest.offer(3, f32::NEG_INFINITY, 0.01, |_| panic!("has no vector"));
        assert_eq!(nearest.into_slots().len(), 3);
    }

    #[test]
    fn none_are_kept_when_none_are_wanted() {
        let mut nearest = Nearest::new(0);
        nearest.offer(0, 1.0, 0.1, |_| true);
        assert!(nearest.into_slots().is_empty());
    }
}
