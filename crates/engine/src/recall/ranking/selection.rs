//! Selection: guaranteed blocks first, then the best, without too many that say the same; then what extends them, and
//! contradicted blocks where places are left.

use std::collections::VecDeque;

use crate::recall::candidates::scored::Candidate;
use crate::recall::ranking::composite::RankedCandidate;
use crate::recall::ranking::suppression::Suppressed;

/// The weight of the likeness to a block that was selected before.
const LIKENESS: f64 = 0.1;

/// The selected blocks and the rest, both best first.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) shown: Vec<RankedCandidate>,
    /// How many of the first are guaranteed.
    guaranteed: usize,
    /// What would be selected next.
    pub(crate) rest: Vec<RankedCandidate>,
    /// Blocks shown because they extend a selected one, or because an untrusted one contradicts them. They take no place of
    /// others.
    pub(crate) companions: Vec<u32>,
    /// Blocks shown first because they constrain the task. They take no place of others.
    pub(crate) constraints: Vec<u32>,
    /// Blocks that constrain the task too and found no place among those, best first.
    pub(crate) more_constraints: Vec<u32>,
}

/// Smallest match of a trusted block, relative to the best, for which a place is reserved.
const MIN_TRUSTED_MATCH: f64 = 0.75;

impl Selection {
    pub(crate) fn is_shown(&self, slot: u32) -> bool {
        self.shown.iter().any(|ranked| ranked.candidate.slot == slot)
    }

    /// Whether a block is shown only for the sake of a selected one.
    pub(crate) fn is_companion(&self, slot: u32) -> bool {
        self.companions.contains(&slot)
    }

    /// Adds a block that extends a selected one, after everything that was selected.
    pub(crate) fn add_companion(&mut self, companion: RankedCandidate) {
        let slot = companion.candidate.slot;
        self.rest.retain(|ranked| ranked.candidate.slot != slot);
        self.companions.push(slot);
        self.shown.push(companion);
    }

    /// Puts blocks before all others that are not guaranteed, in the given order, in addition to what was selected.
    pub(crate) fn put_first(&mut self, first: Vec<RankedCandidate>) {
        self.constraints = first.iter().map(|ranked| ranked.candidate.slot).collect();
        let is_other =
            |ranked: &RankedCandidate| ranked.guaranteed || !self.constraints.contains(&ranked.candidate.slot);
        self.shown.retain(is_other);
        self.rest.retain(is_other);
        self.shown.splice(self.guaranteed..self.guaranteed, first);
    }

    /// Adds blocks that constrain the task, after everything that was selected. They are shown behind the other constraints.
    pub(crate) fn add_constraints(&mut self, last: Vec<RankedCandidate>) {
        let added: Vec<u32> = last.iter().map(|ranked| ranked.candidate.slot).collect();
        let is_other = |ranked: &RankedCandidate| ranked.guaranteed || !added.contains(&ranked.candidate.slot);
        self.shown.retain(is_other);
        self.rest.retain(is_other);
        self.shown.extend(last);
        self.constraints.extend(added);
    }

    /// Lets constraints that a shown block stands before keep their place among the others that are shown.
    pub(crate) fn withdraw_constraints(&mut self, is_before: impl Fn(u32, u32) -> bool) {
        let shown = &self.shown;
        self.constraints.retain(|slot| !shown.iter().any(|ranked| is_before(ranked.candidate.slot, *slot)));
    }

    /// Whether a block is shown first because it constrains the task.
    pub(crate) fn is_constraint(&self, slot: u32) -> bool {
        self.constraints.contains(&slot)
    }

    /// Returns the blocks that are shown for themselves: neither guaranteed nor companions nor constraints.
    pub(crate) fn selected(&self) -> impl Iterator<Item = &RankedCandidate> {
        let in_addition = |slot: u32| self.is_companion(slot) || self.is_constraint(slot);
        self.shown.iter().filter(move |ranked| !ranked.guaranteed && !in_addition(ranked.candidate.slot))
    }

    /// Puts some blocks before all others that are not guaranteed, in the given order.
    pub(crate) fn lead_with(&mut self, leading: &[u32]) {
        let place = |slot: u32| leading.iter().position(|other| *other == slot).unwrap_or(leading.len());
        self.shown[self.guaranteed..].sort_by_key(|ranked| place(ranked.candidate.slot));
    }

    /// Keeps the first `top_k`, and after them up to `places` as long as they belong to the answer.
    pub(crate) fn cut(&mut self, top_k: usize, places: usize, belongs: impl Fn(&RankedCandidate) -> bool) {
        let end = |count: usize| self.guaranteed.saturating_add(count).min(self.shown.len());
        let (kept, most) = (end(top_k), end(places));
        let listed = self.shown[kept..most].iter().take_while(|ranked| belongs(ranked)).count();
        let rest = self.shown.split_off(kept + listed);
        self.rest.splice(..0, rest);
    }

    /// Shows contradicted blocks in places that nothing else takes, below everything else and best first: those that are
    /// relevant enough and whose opponent is shown above them.
    pub(crate) fn fill(
        &mut self,
        suppressed: &[Suppressed],
        top_k: usize,
        is_enough: impl Fn(&RankedCandidate) -> bool,
        is_trusted: impl Fn(u32) -> bool,
        order: impl Fn(u32, u32) -> std::cmp::Ordering,
    ) {
        let taken = self.selected().count();
        let lost = suppressed.iter().filter(|lost| !lost.ranked.guaranteed && self.is_shown(lost.by));
        let lost = lost.map(|lost| &lost.ranked).filter(|ranked| is_enough(ranked));
        let mut lost: Vec<RankedCandidate> = lost.cloned().collect();
        sort(&mut lost, order);
        // What stands below is not shown as more relevant.
        let lowest = self.selected().map(|ranked| ranked.candidate.relevance).fold(f64::INFINITY, f64::min);
        for ranked in &mut lost {
            ranked.candidate.relevance = ranked.candidate.relevance.min(lowest);
        }
        lost.truncate(top_k.saturating_sub(taken));
        // The owner's word stands above every other, also where he contradicts himself.
        let (own, others): (Vec<_>, Vec<_>) = lost.into_iter().partition(|ranked| is_trusted(ranked.candidate.slot));
        let last = self.shown.iter().rposition(|ranked| is_trusted(ranked.candidate.slot));
        let place = last.map_or(self.guaranteed, |last| last + 1);
        self.shown.splice(place..place, own);
        self.shown.extend(others);
    }

    /// Shows a block right before another one and with its relevance. It takes no place of others.
    pub(crate) fn insert_before(&mut self, slot: u32, mut inserted: RankedCandidate) {
        let Some(at) = self.shown.iter().position(|ranked| ranked.candidate.slot == slot) else { return };
        inserted.candidate.relevance = self.shown[at].candidate.relevance;
        let own = inserted.candidate.slot;
        self.rest.retain(|ranked| ranked.candidate.slot != own);
        self.companions.push(own);
        self.shown.insert(at, inserted);
    }

    /// Moves blocks behind those that stand before them.
    pub(crate) fn put_behind(&mut self, is_before: impl Fn(u32, u32) -> bool) {
        let shown = self.shown.split_off(self.guaranteed);
        self.shown.extend(move_behind(shown, |a, b| is_before(a.candidate.slot, b.candidate.slot)));
    }

    /// Lowers the relevance of untrusted blocks to that of the blocks which stand before them.
    pub(crate) fn lower_untrusted(&mut self, is_trusted: impl Fn(u32) -> bool) {
        let mut lowest = f64::INFINITY;
        for Candidate { slot, relevance, .. } in
            self.shown[self.guaranteed..].iter_mut().map(|ranked| &mut ranked.candidate)
        {
            if !is_trusted(*slot) {
                *relevance = relevance.min(lowest);
            }
            lowest = lowest.min(*relevance);
        }
    }

    /// Moves trusted blocks up until at least half of every beginning of the answer, rounded down, is trusted, as far as there
    /// are trusted blocks that are nearly as relevant as the best or answer the question by themselves. So texts that were
    /// written to match a question do not fill a whole answer.
    pub(crate) fn reserve_trusted_slots(&mut self, is_trusted: impl Fn(u32) -> bool, answers: impl Fn(f64) -> bool) {
        let waiting: Vec<RankedCandidate> = self.shown.drain(self.guaranteed..).collect();
        let best = best_match(waiting.iter().map(|ranked| &ranked.candidate));
        let trusted = |ranked: &RankedCandidate| is_trusted(ranked.candidate.slot);
        let is_worth = |ranked: &RankedCandidate| deserves_slot(&ranked.candidate, best, &answers);
        self.shown.extend(interleave(waiting, trusted, is_worth));
    }
}

/// Returns the best match of some candidates, which [`deserves_slot`] compares with.
pub(crate) fn best_match<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> f64 {
    candidates.map(Candidate::balanced_match).fold(0.0, f64::max)
}

/// Returns whether a place is reserved for a trusted candidate: it matches nearly as well as the best, or answers the question.
pub(crate) fn deserves_slot(candidate: &Candidate, best: f64, answers: impl Fn(f64) -> bool) -> bool {
    candidate.balanced_match() >= best * MIN_TRUSTED_MATCH || answers(candidate.relevance)
}

/// Moves each item behind the last of those that stand before it. What stands before another must not be moved itself.
pub(crate) fn move_behind<T>(items: Vec<T>, is_before: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let place = |at: usize| (at..items.len()).rev().find(|other| is_before(&items[*other], &items[at])).unwrap_or(at);
    let places: Vec<(usize, bool)> =
        (0..items.len()).map(|at| (at, place(at))).map(|(at, place)| (place, place != at)).collect();
    let mut placed: Vec<((usize, bool), T)> = places.into_iter().zip(items).collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, item)| item).collect()
}

/// Moves trusted items that deserve it up until at least half of every beginning, rounded down, is trusted. Otherwise items
/// keep their order.
pub(crate) fn interleave<T>(items: Vec<T>, is_trusted: impl Fn(&T) -> bool, deserves: impl Fn(&T) -> bool) -> Vec<T> {
    let mut waiting = VecDeque::from(items);
    let mut placed = Vec::with_capacity(waiting.len());
    let mut placed_trusted = 0;
    while let Some(first) = waiting.front() {
        let place = placed.len() + 1;
        let at = match is_trusted(first) || placed_trusted >= place / 2 {
            true => 0,
            false => waiting.iter().position(|item| is_trusted(item) && deserves(item)).unwrap_or(0),
        };
        if let Some(next) = waiting.remove(at) {
            placed_trusted += usize::from(is_trusted(&next));
            placed.push(next);
        }
    }
    placed
}

/// Sorts by score, best first. Equal scores are ordered independently of the slots.
pub(crate) fn sort(ranked: &mut [RankedCandidate], order: impl Fn(u32, u32) -> std::cmp::Ordering) {
    ranked.sort_by(|a, b| compare(a, b, &order));
}

/// Compares by score, best first.
pub(crate) fn compare(
    a: &RankedCandidate,
    b: &RankedCandidate,
    order: impl Fn(u32, u32) -> std::cmp::Ordering,
) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then_with(|| order(a.candidate.slot, b.candidate.slot))
}

/// Orders the guaranteed blocks, and after them all others, best first.
///
/// With a measure of `likeness`, a block among the first `diverse` that resembles one before it must be better by a tenth of
/// their likeness. The measure need not be symmetric: it is asked for the block that comes before.
pub(crate) fn select(
    mut ranked: Vec<RankedCandidate>,
    diverse: usize,
    order: impl Fn(u32, u32) -> std::cmp::Ordering,
    likeness: Option<&dyn Fn(u32, u32) -> f64>,
) -> Selection {
    sort(&mut ranked, &order);
    let (mut shown, mut others): (Vec<RankedCandidate>, Vec<RankedCandidate>) =
        ranked.into_iter().partition(|ranked| ranked.guaranteed);
    let guaranteed = shown.len();
    if let Some(likeness) = likeness {
        while shown.len() < guaranteed.saturating_add(diverse) && !others.is_empty() {
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
    }
    shown.extend(others);
    Selection { shown, guaranteed, ..Selection::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::candidates::scored::Candidate;
    use elfmem_core::ScoreComponents;
    use proptest::prelude::*;

    fn ranked(slot: u32, score: f64, guaranteed: bool) -> RankedCandidate {
        let candidate = Candidate { slot, ..Candidate::default() };
        RankedCandidate {
            candidate,
            components: ScoreComponents::default(),
            score,
            guaranteed,
            newer: None,
            placed_by_time: false,
        }
    }

    fn slots(ranked: &[RankedCandidate]) -> Vec<u32> {
        ranked.iter().map(|ranked| ranked.candidate.slot).collect()
    }

    /// The best `top_k`, without a measure of likeness.
    fn cut(found: Vec<RankedCandidate>, top_k: usize) -> Selection {
        let mut chosen = select(found, top_k, |a, b| a.cmp(&b), None);
        chosen.cut(top_k, top_k, |_| false);
        chosen
    }

    #[test]
    fn guaranteed_blocks_come_in_addition_to_those_asked_for() {
        let found = vec![ranked(1, 0.9, false), ranked(2, 0.1, true), ranked(3, 0.5, false), ranked(4, 0.2, true)];
        let chosen = cut(found.clone(), 1);
        assert_eq!((slots(&chosen.shown), slots(&chosen.rest)), (vec![4, 2, 1], vec![3]));
        assert_eq!(slots(&cut(found.clone(), 0).shown), [4, 2], "any top_k");
        assert_eq!(slots(&cut(found, usize::MAX).shown), [4, 2, 1, 3]);
    }

    #[test]
    fn any_number_can_be_asked_for_beside_guaranteed_blocks() {
        let found = vec![ranked(1, 0.9, false), ranked(2, 0.1, true), ranked(3, 0.5, false)];
        let chosen = select(found, usize::MAX, |a, b| a.cmp(&b), Some(&|_, _| 0.0));
        assert_eq!((slots(&chosen.shown), slots(&chosen.rest)), (vec![2, 1, 3], vec![]));
    }

    #[test]
    fn of_two_that_say_the_same_the_better_comes_before_a_third() {
        let found = vec![ranked(1, 0.90, false), ranked(2, 0.89, false), ranked(3, 0.85, false)];
        let alike = |a: u32, b: u32| f64::from(u8::from(a.min(b) == 1 && a.max(b) == 2));
        let chosen = select(found, 2, |a, b| a.cmp(&b), Some(&alike));
        assert_eq!(slots(&chosen.shown), [1, 3, 2]);
    }

    #[test]
    fn contradicted_blocks_come_last_in_places_that_are_left_and_companions_take_none() {
        let lost = |slot: u32, score: f64, guaranteed: bool| Suppressed {
            ranked: ranked(slot, score, guaranteed),
            by: 1,
            for_trust: false,
        };
        let suppressed = [lost(7, 0.3, false), lost(8, 0.95, false), lost(2, 0.1, true)];
        let found = vec![ranked(1, 0.9, false), ranked(2, 0.1, true), ranked(3, 0.5, false)];
        let shown = |top_k: usize| {
            let mut chosen = cut(found.clone(), top_k);
            chosen.add_companion(ranked(5, 0.2, false));
            chosen.fill(&suppressed, top_k, |_| true, |_| true, |a, b| a.cmp(&b));
            slots(&chosen.shown)
        };
        assert_eq!(shown(1), [2, 1, 5]);
        assert_eq!(shown(2), [2, 1, 3, 5]);
        assert_eq!(shown(3), [2, 1, 3, 5, 8]);
        assert_eq!(shown(9), [2, 1, 3, 5, 8, 7]);
    }

    #[test]
    fn a_contradicted_block_of_the_owner_stands_above_others_blocks() {
        let lost = |slot: u32| Suppressed { ranked: ranked(slot, 0.1, false), by: 1, for_trust: false };
        let found = vec![ranked(1, 0.9, false), ranked(12, 0.8, false), ranked(13, 0.7, false)];
        let mut chosen = cut(found, 5);
        chosen.fill(&[lost(11), lost(2)], 5, |_| true, |slot| slot < 10, |a, b| a.cmp(&b));
        assert_eq!(slots(&chosen.shown), [1, 2, 12, 13, 11]);
    }

    #[test]
    fn an_inserted_block_stands_before_the_other_with_its_relevance_and_takes_no_place() {
        let mut found = vec![ranked(1, 0.9, false), ranked(2, 0.8, false), ranked(3, 0.7, false)];
        found[1].candidate.relevance = 0.4;
        let mut chosen = cut(found, 2);
        chosen.insert_before(2, ranked(3, 0.7, false));
        chosen.insert_before(8, ranked(9, 0.7, false));
        assert_eq!((slots(&chosen.shown), slots(&chosen.rest)), (vec![1, 3, 2], vec![]));
        assert!((chosen.shown[1].candidate.relevance - 0.4).abs() < 1e-9);
        assert_eq!(chosen.selected().count(), 2);
    }

    #[test]
    fn the_relevance_of_untrusted_blocks_is_at_most_that_of_those_above() {
        let mut found = vec![ranked(1, 0.9, false), ranked(2, 0.8, false), ranked(3, 0.7, false)];
        for (ranked, relevance) in found.iter_mut().zip([0.4, 0.9, 0.6]) {
            ranked.candidate.relevance = relevance;
        }
        let mut chosen = cut(found, 5);
        chosen.lower_untrusted(|slot| slot == 1);
        let relevance: Vec<f64> = chosen.shown.iter().map(|ranked| ranked.candidate.relevance).collect();
        assert_eq!(relevance, [0.4, 0.4, 0.4]);
    }

    #[test]
    fn beyond_the_number_asked_for_only_what_belongs_to_the_answer_is_kept() {
        let found = (1..=6).map(|slot| ranked(slot, 1.0 - f64::from(slot) / 10.0, slot == 4)).collect();
        let mut chosen = select(found, 5, |a, b| a.cmp(&b), None);
        chosen.cut(2, 4, |ranked| ranked.candidate.slot != 5);
        assert_eq!((slots(&chosen.shown), slots(&chosen.rest)), (vec![4, 1, 2, 3], vec![5, 6]));
    }

    #[test]
    fn half_of_the_places_are_reserved_for_relevant_trusted_blocks() {
        let relevant = |slot: u32, score: f64, relevance: f64| {
            let mut ranked = ranked(slot, score, false);
            ranked.candidate.relevance = relevance;
            (ranked.candidate.words, ranked.candidate.meaning) = (relevance, Some(relevance));
            ranked
        };
        let flood = || vec![relevant(1, 0.9, 0.8), relevant(2, 0.9, 0.8), relevant(3, 0.9, 0.8)];
        let order = |honest: RankedCandidate, trusted: u32| {
            let mut chosen = select([flood(), vec![honest]].concat(), 2, |a, b| a.cmp(&b), None);
            chosen.reserve_trusted_slots(|slot| slot >= trusted, |relevance| relevance >= 0.6);
            slots(&chosen.shown)
        };
        assert_eq!(order(relevant(9, 0.5, 0.7), 9), [1, 9, 2, 3]);
        assert_eq!(order(relevant(9, 0.5, 0.3), 9), [1, 2, 3, 9], "what does not fit is no answer");
        assert_eq!(order(relevant(9, 0.5, 0.7), 1), [1, 2, 3, 9], "all of them are trusted");
    }

    #[test]
    fn items_are_moved_behind_the_last_of_those_that_stand_before_them() {
        let behind = |items: &[u32], pairs: &[(u32, u32)]| {
            move_behind(items.to_vec(), |before, behind| pairs.contains(&(*before, *behind)))
        };
        assert_eq!(behind(&[1, 2, 8, 3, 9], &[(8, 1), (8, 2), (9, 1)]), [8, 2, 3, 9, 1]);
        assert_eq!(behind(&[8, 1], &[(8, 1)]), [8, 1], "it stands there already");
    }

    #[test]
    fn blocks_that_were_found_with_fewer_candidates_keep_their_places() {
        let found = vec![ranked(1, 0.9, false), ranked(2, 0.8, true), ranked(3, 0.7, false), ranked(4, 0.6, false)];
        let mut chosen = select(found, 9, |a, b| a.cmp(&b), None);
        chosen.lead_with(&[4, 8, 1]);
        assert_eq!(slots(&chosen.shown), [2, 4, 1, 3]);
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
            let mut chosen = select(found.clone(), top_k, |a, b| a.cmp(&b), diverse.then_some(&likeness));
            let before = slots(&chosen.shown);
            chosen.cut(top_k, top_k, |_| true);
            prop_assert!(before.starts_with(&slots(&chosen.shown)), "fewer blocks are the beginning of more");
            let free = scores.len() - guaranteed;
            prop_assert_eq!(chosen.shown.len(), guaranteed + free.min(top_k));
            let mut all = slots(&chosen.shown);
            all.extend(slots(&chosen.rest));
            all.sort_unstable();
            prop_assert_eq!(all, (0..scores.len() as u32).collect::<Vec<_>>());
            let beyond = &chosen.shown[guaranteed..];
            prop_assert!(diverse || beyond.windows(2).all(|pair| pair[0].score >= pair[1].score));
        }
    }
}
