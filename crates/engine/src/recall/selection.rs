//! Who is shown: the guaranteed first, then the best, not too many that say the same.

use super::composite::Ranked;

/// What likeness to a block that is shown already costs another.
const LIKENESS: f64 = 0.1;

/// The outcome of a selection, both parts best first.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) shown: Vec<Ranked>,
    /// What would come next.
    pub(crate) rest: Vec<Ranked>,
}

/// How relevant, beside the best, the best trusted block must be to be shown among others only.
const WORTH_HEARING: f64 = 0.75;

impl Selection {
    /// Where only untrusted blocks would be shown and a trusted one is nearly as relevant, it gets the last place: nobody can fill a whole
    /// answer by saying the same thing often.
    pub(crate) fn reserve_trusted_slot(
        &mut self,
        is_trusted: impl Fn(u32) -> bool,
        order: impl Fn(u32, u32) -> std::cmp::Ordering,
    ) {
        let trusted = |ranked: &Ranked| is_trusted(ranked.candidate.slot);
        let last = self.shown.iter().rposition(|ranked| !ranked.guaranteed);
        let (Some(last), false) = (last, self.shown.iter().any(trusted)) else { return };
        let best = self.shown.iter().map(|ranked| ranked.candidate.relevance).fold(0.0, f64::max);
        let worth = |ranked: &Ranked| trusted(ranked) && ranked.candidate.relevance >= best * WORTH_HEARING;
        if let Some(at) = self.rest.iter().position(worth) {
            let heard = self.rest.remove(at);
            let given_up = std::mem::replace(&mut self.shown[last], heard);
            self.rest.push(given_up);
            sort(&mut self.rest, order);
        }
    }
}

/// Best first; equal scores in an order that does not depend on the numbering.
pub(crate) fn sort(ranked: &mut [Ranked], order: impl Fn(u32, u32) -> std::cmp::Ordering) {
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| order(a.candidate.slot, b.candidate.slot)));
}

/// Takes the guaranteed, and beyond them the best `top_k`. With a measure of `likeness`, a block that resembles one that
/// is taken already has to be better by a tenth of their likeness; the order stays that of the scores.
pub(crate) fn select(
    mut ranked: Vec<Ranked>,
    top_k: usize,
    order: impl Fn(u32, u32) -> std::cmp::Ordering,
    likeness: Option<&dyn Fn(u32, u32) -> f64>,
) -> Selection {
    sort(&mut ranked, &order);
    let (mut shown, mut others): (Vec<Ranked>, Vec<Ranked>) = ranked.into_iter().partition(|ranked| ranked.guaranteed);
    let guaranteed = shown.len();
    match likeness {
        None => shown.extend(others.drain(..top_k.min(others.len()))),
        Some(likeness) => {
            while shown.len() < guaranteed.saturating_add(top_k) && !others.is_empty() {
                let worth = |candidate: &Ranked| {
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

    fn ranked(slot: u32, score: f64, guaranteed: bool) -> Ranked {
        let candidate = Candidate { slot, ..Candidate::default() };
        Ranked { candidate, components: ScoreComponents::default(), score, guaranteed }
    }

    fn slots(ranked: &[Ranked]) -> Vec<u32> {
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
    fn one_trusted_block_is_heard_among_many_that_are_not() {
        let relevant = |slot: u32, score: f64, relevance: f64| {
            let mut ranked = ranked(slot, score, false);
            ranked.candidate.relevance = relevance;
            ranked
        };
        let flood = || vec![relevant(1, 0.9, 0.8), relevant(2, 0.9, 0.8), relevant(3, 0.9, 0.8)];
        let heard = |honest: Ranked| {
            let mut chosen = select([flood(), vec![honest]].concat(), 2, |a, b| a.cmp(&b), None);
            chosen.reserve_trusted_slot(|slot| slot == 9, |a, b| a.cmp(&b));
            (slots(&chosen.shown), slots(&chosen.rest))
        };
        assert_eq!(heard(relevant(9, 0.5, 0.7)), (vec![1, 9], vec![2, 3]));
        assert_eq!(heard(relevant(9, 0.5, 0.3)), (vec![1, 2], vec![3, 9]), "what does not fit is no answer");
        let mut trusted = select(flood(), 2, |a, b| a.cmp(&b), None);
        trusted.reserve_trusted_slot(|_| true, |a, b| a.cmp(&b));
        assert_eq!(slots(&trusted.shown), [1, 2]);
    }

    proptest! {
        #[test]
        fn a_selection_loses_nothing_and_keeps_its_size(
            scores in prop::collection::vec((0..100u32, any::<bool>()), 0..30), top_k in 0..20usize, diverse in any::<bool>(),
        ) {
            let found: Vec<Ranked> =
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
