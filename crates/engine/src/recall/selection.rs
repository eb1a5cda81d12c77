//! Selection: guaranteed blocks first, then the best, without too many that say the same.

use super::composite::RankedCandidate;

/// The weight of the likeness to a block that was selected before.
const LIKENESS: f64 = 0.1;

/// The selected blocks and the rest, both best first.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) shown: Vec<RankedCandidate>,
    /// What would be selected next.
    pub(crate) rest: Vec<RankedCandidate>,
}

/// Smallest relevance of a trusted block, relative to the best, for which a place is reserved.
const MIN_TRUSTED_RELEVANCE: f64 = 0.75;

impl Selection {
    /// Gives at least half of the places to trusted blocks, if as many are nearly as relevant as the best or answer the
    /// question by themselves. So texts that were written to match a question do not fill a whole answer.
    pub(crate) fn reserve_trusted_slots(
        &mut self,
        is_trusted: impl Fn(u32) -> bool,
        answers: impl Fn(f64) -> bool,
        order: impl Fn(u32, u32) -> std::cmp::Ordering,
    ) {
        let trusted = |ranked: &RankedCandidate| is_trusted(ranked.candidate.slot);
        let first = self.shown.iter().take_while(|ranked| ranked.guaranteed).count();
        let best = self.shown.iter().map(|ranked| ranked.candidate.relevance).fold(0.0, f64::max);
        let worth = |ranked: &RankedCandidate| {
            let relevance = ranked.candidate.relevance;
            trusted(ranked) && (relevance >= best * MIN_TRUSTED_RELEVANCE || answers(relevance))
        };
        let places = (self.shown.len() - first).div_ceil(2);
        while self.shown[first..].iter().filter(|ranked| trusted(ranked)).count() < places {
            let Some(at) = self.rest.iter().position(worth) else { break };
            let Some(last) = self.shown[first..].iter().rposition(|ranked| !trusted(ranked)) else { break };
            std::mem::swap(&mut self.shown[first + last], &mut self.rest[at]);
            sort(&mut self.rest, &order);
        }
        sort(&mut self.shown[first..], &order);
    }
}

/// Sorts by score, best first. Equal scores are ordered independently of the slots.
pub(crate) fn sort(ranked: &mut [RankedCandidate], order: impl Fn(u32, u32) -> std::cmp::Ordering) {
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| order(a.candidate.slot, b.candidate.slot)));
}

/// Selects the guaranteed blocks, and beyond them the best `top_k`.
///
/// With a measure of `likeness`, a block that resembles a selected one must be better by a tenth of their likeness. The
/// result is ordered by score all the same. The measure need not be symmetric: it is asked for a selected block first.
pub(crate) fn select(
    mut ranked: Vec<RankedCandidate>,
    top_k: usize,
    order: impl Fn(u32, u32) -> std::cmp::Ordering,
    likeness: Option<&dyn Fn(u32, u32) -> f64>,
) -> Selection {
    sort(&mut ranked, &order);
    let (mut shown, mut others): (Vec<RankedCandidate>, Vec<RankedCandidate>) =
        ranked.into_iter().partition(|ranked| ranked.guaranteed);
    let guaranteed = shown.len();
    match likeness {
        None => shown.extend(others.drain(..top_k.min(others.len()))),
        Some(likeness) => {
            while shown.len() < guaranteed.saturating_add(top_k) && !others.is_empty() {
                let worth = |candidate: &RankedCandidate| {
                    let alike = shown.iter().map(|taken| likeness(taken.candidate.slot, candidate.candidate.slot));
                    (1.0 - LIKENESS) * candidate.score - LIKENESS * alike.fold(0.0, f64::max)
                };
                let best = (0..others.len())
                    .map(|at| (at, worth(&others[at])))
                    // The first of equals: the one with the higher score.
                    .fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best });
                shown.push(others.remove(best.0));
            }
            sort(&mut shown[guaranteed..], &order);
        }
    }
    Selection { shown, rest: others }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::candidates::Candidate;
    use elfmem_core::ScoreComponents;
    use proptest::prelude::*;

    fn ranked(slot: u32, score: f64, guaranteed: bool) -> RankedCandidate {
        let candidate = Candidate { slot, ..Candidate::default() };
        RankedCandidate { candidate, components: ScoreComponents::default(), score, guaranteed }
    }

    fn slots(ranked: &[RankedCandidate]) -> Vec<u32> {
        ranked.iter().map(|ranked| ranked.candidate.slot).collect()
    }

    #[test]
    fn guaranteed_blocks_come_in_addition_to_those_asked_for() {
        let found = vec![ranked(1, 0.9, false), ranked(2, 0.1, true), ranked(3, 0.5, false), ranked(4, 0.2, true)];
        let chosen = select(found.clone(), 1, |a, b| a.cmp(&b), None);
        assert_eq!((slots(&chosen.shown), slots(&chosen.rest)), (vec![4, 2, 1], vec![3]));
        assert_eq!(slots(&select(found, 0, |a, b| a.cmp(&b), None).shown), [4, 2], "any top_k");
    }

    #[test]
    fn any_number_can_be_asked_for_beside_guaranteed_blocks() {
        let found = vec![ranked(1, 0.9, false), ranked(2, 0.1, true), ranked(3, 0.5, false)];
        let chosen = select(found, usize::MAX, |a, b| a.cmp(&b), Some(&|_, _| 0.0));
        assert_eq!((slots(&chosen.shown), slots(&chosen.rest)), (vec![2, 1, 3], vec![]));
    }

    #[test]
    fn of_two_that_say_the_same_the_better_is_taken_and_the_order_stays_that_of_the_scores() {
        let found = vec![ranked(1, 0.90, false), ranked(2, 0.89, false), ranked(3, 0.85, false)];
        let alike = |a: u32, b: u32| f64::from(u8::from(a.min(b) == 1 && a.max(b) == 2));
        let chosen = select(found, 2, |a, b| a.cmp(&b), Some(&alike));
        assert_eq!(slots(&chosen.shown), [1, 3]);
    }

    #[test]
    fn half_of_the_places_are_reserved_for_relevant_trusted_blocks() {
        let relevant = |slot: u32, score: f64, relevance: f64| {
            let mut ranked = ranked(slot, score, false);
            ranked.candidate.relevance = relevance;
            ranked
        };
        let flood = || vec![relevant(1, 0.9, 0.8), relevant(2, 0.9, 0.8), relevant(3, 0.9, 0.8)];
        let selected = |honest: RankedCandidate| {
            let mut chosen = select([flood(), vec![honest]].concat(), 2, |a, b| a.cmp(&b), None);
            chosen.reserve_trusted_slots(|slot| slot == 9, |relevance| relevance >= 0.6, |a, b| a.cmp(&b));
            (slots(&chosen.shown), slots(&chosen.rest))
        };
        assert_eq!(selected(relevant(9, 0.5, 0.7)), (vec![1, 9], vec![2, 3]));
        assert_eq!(selected(relevant(9, 0.5, 0.3)), (vec![1, 2], vec![3, 9]), "what does not fit is no answer");
        let mut trusted = select(flood(), 2, |a, b| a.cmp(&b), None);
        trusted.reserve_trusted_slots(|_| true, |_| true, |a, b| a.cmp(&b));
        assert_eq!(slots(&trusted.shown), [1, 2]);
    }

    proptest! {
        #[test]
        fn a_selection_loses_nothing_and_keeps_its_size(
            scores in prop::collection::vec((0..100u32, any::<bool>()), 0..30), top_k in 0..20usize, diverse in any::<bool>(),
        ) {
            let found: Vec<RankedCandidate> =
                (0..).zip(&scores).map(|(slot, (score, kept))| ranked(slot, f64::from(*score) / 100.0, *kept)).collect();
            let guaranteed = found.iter().filter(|ranked| ranked.guaranteed).count();
            let likeness = |a: u32, b: u32| f64::from((a + b) % 7) / 7.0;
            let chosen = select(found, top_k, |a, b| a.cmp(&b), diverse.then_some(&likeness));
            let free = scores.len() - guaranteed;
            prop_assert_eq!(chosen.shown.len(), guaranteed + free.min(top_k));
            let mut all = slots(&chosen.shown);
            all.extend(slots(&chosen.rest));
            all.sort_unstable();
            prop_assert_eq!(all, (0..scores.len() as u32).collect::<Vec<_>>());
            let beyond = &chosen.shown[guaranteed..];
            prop_assert!(beyond.windows(2).all(|pair| pair[0].score >= pair[1].score));
        }
    }
}
