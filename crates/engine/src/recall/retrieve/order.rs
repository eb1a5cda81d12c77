//! The order of `retrieve_memories`: matches, each after the lessons learned from it and before what extends it.

use std::collections::{HashMap, HashSet};

use elfmem_core::BlockId;

use crate::recall::ranking::companions::MAX_COMPANIONS;
use crate::recall::ranking::selection::{interleave, move_behind};

/// The share of a match that depends on confidence.
const CONFIDENCE_SHARE: f64 = 0.4;
/// The share of a match that depends on recency.
const RECENCY_SHARE: f64 = 0.02;
/// The factor for a block that another one contradicts and that is less confident.
const CONTRADICTED_FACTOR: f64 = 0.85;

/// A matching block and its score.
pub(in crate::recall) type MatchScore = (BlockId, f64);

/// The parts of a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::recall) struct MatchParts {
    /// How well it fits the question, words and meaning together, in `[0, 1]`.
    pub(in crate::recall) blend: f64,
    pub(in crate::recall) confidence: f64,
    pub(in crate::recall) recency: f64,
    /// Whether a more confident block contradicts it.
    pub(in crate::recall) contradicted: bool,
}

impl MatchParts {
    /// Returns the score that matches are sorted by, in `[0, 1]`.
    pub(in crate::recall) fn score(self) -> f64 {
        let believed = 1.0 - CONFIDENCE_SHARE + CONFIDENCE_SHARE * self.confidence;
        let present = 1.0 - RECENCY_SHARE + RECENCY_SHARE * self.recency;
        let opposed = if self.contradicted { CONTRADICTED_FACTOR } else { 1.0 };
        self.blend * believed * present * opposed
    }
}

/// Why a block is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::recall) enum RetrievalRole {
    /// It matched the question.
    Matched,
    /// It was learned from what matched.
    Lesson,
    /// It adds detail to what matched.
    Extends,
    /// It is trusted and contradicts the untrusted block after it.
    Contradicts,
}

/// A block with its score and the reason why it is shown.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::recall) struct Placed {
    pub(in crate::recall) id: BlockId,
    pub(in crate::recall) score: f64,
    pub(in crate::recall) role: RetrievalRole,
}

impl Placed {
    /// Whether it takes one of the places asked for. What extends or contradicts a block comes in addition.
    fn takes_place(&self) -> bool {
        !matches!(self.role, RetrievalRole::Extends | RetrievalRole::Contradicts)
    }
}

/// Puts the trusted blocks that contradict an untrusted one before it, on every page that shows the untrusted one.
pub(in crate::recall) fn put_contradicting_first(
    placed: Vec<Placed>,
    contradicting: &HashMap<BlockId, Vec<BlockId>>,
) -> Vec<Placed> {
    let mut page: Vec<Placed> = Vec::with_capacity(placed.len());
    let mut later: HashMap<BlockId, Placed> = placed.iter().map(|one| (one.id.clone(), one.clone())).collect();
    for one in placed {
        // It was moved before a block that it contradicts.
        if later.remove(&one.id).is_none() {
            continue;
        }
        for id in contradicting.get(&one.id).into_iter().flatten() {
            let known = later.remove(id);
            if known.is_none() && page.iter().any(|before| before.id == *id) {
                continue;
            }
            let role = known.map_or(RetrievalRole::Contradicts, |known| known.role);
            page.push(Placed { id: id.clone(), score: one.score, role });
        }
        page.push(one);
    }
    page
}

/// Returns where the block begins that takes the place after the first `places`.
pub(in crate::recall) fn end_of(shown: &[Placed], places: usize) -> usize {
    let mut taking = shown.iter().enumerate().filter(|(_, placed)| placed.takes_place());
    taking.nth(places).map_or(shown.len(), |(at, _)| at)
}

/// Orders matches, best first, with their lessons and companions; at most `limit` blocks, not counting companions.
///
/// A lesson comes right before the first block it was learned from, with the score of that block if it is higher. What
/// extends a block comes right after it, in addition to the limit.
pub(in crate::recall) fn arrange(
    matched: Vec<MatchScore>,
    lessons: &HashMap<BlockId, Vec<BlockId>>,
    companions: &HashMap<BlockId, Vec<BlockId>>,
    limit: usize,
) -> Vec<Placed> {
    let scores: HashMap<BlockId, f64> = matched.iter().cloned().collect();
    let mut arrangement = Arrangement { shown: Vec::new(), seen: HashSet::new() };
    for (id, score) in matched {
        for lesson in lessons.get(&id).into_iter().flatten() {
            let own = scores.get(lesson).copied().unwrap_or(0.0);
            if arrangement.show(lesson, own.max(score), RetrievalRole::Lesson) {
                arrangement.show_companions(lesson, score, companions, &scores, &mut { MAX_COMPANIONS });
            }
        }
        if arrangement.show(&id, score, RetrievalRole::Matched) {
            arrangement.show_companions(&id, score, companions, &scores, &mut { MAX_COMPANIONS });
        }
        if end_of(&arrangement.shown, limit) < arrangement.shown.len() {
            break;
        }
    }
    let end = end_of(&arrangement.shown, limit);
    arrangement.shown.truncate(end);
    arrangement.shown
}

/// Moves blocks behind those that stand before them, and trusted blocks that deserve it up until at least half of every
/// beginning is trusted. What extends a block stays with it; no block below another has the higher score.
pub(in crate::recall) fn reserve_trusted_slots(
    placed: Vec<Placed>,
    is_before: impl Fn(&BlockId, &BlockId) -> bool,
    is_trusted: impl Fn(&BlockId) -> bool,
    deserves: impl Fn(&BlockId) -> bool,
) -> Vec<Placed> {
    let mut groups: Vec<Vec<Placed>> = Vec::new();
    for one in placed {
        match groups.last_mut().filter(|_| !one.takes_place()) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let leads = |group: &Vec<Placed>, test: &dyn Fn(&BlockId) -> bool| group.first().is_some_and(|one| test(&one.id));
    let groups = move_behind(groups, |a, b| match (a.first(), b.first()) {
        (Some(a), Some(b)) => is_before(&a.id, &b.id),
        _ => false,
    });
    let groups = interleave(groups, |group| leads(group, &is_trusted), |group| leads(group, &deserves));
    let mut placed: Vec<Placed> = groups.into_iter().flatten().collect();
    let mut lowest = f64::INFINITY;
    for one in &mut placed {
        one.score = one.score.min(lowest);
        lowest = if one.takes_place() { one.score } else { lowest };
    }
    placed
}

struct Arrangement {
    shown: Vec<Placed>,
    seen: HashSet<BlockId>,
}

impl Arrangement {
    fn show(&mut self, id: &BlockId, score: f64, role: RetrievalRole) -> bool {
        let new = self.seen.insert(id.clone());
        if new {
            self.shown.push(Placed { id: id.clone(), score, role });
        }
        new
    }

    /// Adds what extends a block, and what extends that in turn, as many as there is `room` for.
    fn show_companions(
        &mut self,
        id: &BlockId,
        score: f64,
        companions: &HashMap<BlockId, Vec<BlockId>>,
        scores: &HashMap<BlockId, f64>,
        room: &mut usize,
    ) {
        for companion in companions.get(id).into_iter().flatten() {
            if *room == 0 {
                return;
            }
            let own = scores.get(companion).copied().unwrap_or(0.0);
            if self.show(companion, own.min(score), RetrievalRole::Extends) {
                *room -= 1;
                self.show_companions(companion, score, companions, scores, room);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id(name: &str) -> BlockId {
        BlockId::from_stored(name)
    }

    fn map(pairs: &[(&str, &[&str])]) -> HashMap<BlockId, Vec<BlockId>> {
        pairs.iter().map(|(name, others)| (id(name), others.iter().map(|other| id(other)).collect())).collect()
    }

    fn order(shown: &[Placed]) -> Vec<&str> {
        shown.iter().map(|placed| placed.id.as_str()).collect()
    }

    #[test]
    fn a_lesson_comes_before_what_it_was_learned_from_and_what_extends_comes_right_after() {
        let matched = vec![(id("mistake"), 0.8), (id("pattern"), 0.6), (id("other"), 0.5)];
        let lessons = map(&[("mistake", &["skill"]), ("pattern", &["skill"])]);
        let companions = map(&[("pattern", &["skill", "detail"]), ("detail", &["finer"])]);
        let shown = arrange(matched.clone(), &lessons, &companions, 10);
        assert_eq!(order(&shown), ["skill", "mistake", "pattern", "detail", "finer", "other"]);
        assert_eq!((shown[0].score, shown[0].role), (0.8, RetrievalRole::Lesson));
        assert_eq!(order(&arrange(matched, &lessons, &companions, 2)), ["skill", "mistake"]);
    }

    #[test]
    fn what_extends_a_match_comes_in_addition_to_the_limit_and_at_most_three_for_each() {
        let matched: Vec<(BlockId, f64)> = ["a", "b", "c"].iter().map(|name| (id(name), 0.5)).collect();
        let companions = map(&[("a", &["1", "2", "3", "4"]), ("b", &["5"])]);
        let shown = |limit: usize| arrange(matched.clone(), &HashMap::new(), &companions, limit);
        assert_eq!(order(&shown(1)), ["a", "1", "2", "3"]);
        assert_eq!(order(&shown(2)), ["a", "1", "2", "3", "b", "5"]);
        assert_eq!(order(&shown(9)), ["a", "1", "2", "3", "b", "5", "c"]);
        assert_eq!((end_of(&shown(9), 0), end_of(&shown(9), 1), end_of(&shown(9), 3)), (0, 4, 7));
    }

    #[test]
    fn half_of_the_places_are_reserved_for_trusted_matches_with_what_extends_them() {
        let matched: Vec<MatchScore> = [("u1", 0.9), ("u2", 0.8), ("u3", 0.7), ("t1", 0.5), ("t2", 0.4)]
            .map(|(name, score)| (id(name), score))
            .into();
        let companions = map(&[("t1", &["more"]), ("u1", &["u4"])]);
        let shown = arrange(matched, &HashMap::new(), &companions, 10);
        let reserved = |deserving: &[&str]| {
            reserve_trusted_slots(
                shown.clone(),
                |_, _| false,
                |id| id.as_str().starts_with('t'),
                |id| deserving.contains(&id.as_str()),
            )
        };
        assert_eq!(order(&reserved(&["t1", "t2"])), ["u1", "u4", "t1", "more", "u2", "t2", "u3"]);
        assert_eq!(order(&reserved(&["t2"])), ["u1", "u4", "t2", "u2", "u3", "t1", "more"]);
        assert_eq!(order(&reserved(&[])), ["u1", "u4", "u2", "u3", "t1", "more", "t2"]);
        let scores: Vec<f64> = reserved(&["t1", "t2"]).iter().map(|placed| placed.score).collect();
        assert_eq!(scores, [0.9, 0.0, 0.5, 0.0, 0.5, 0.4, 0.4]);
    }

    #[test]
    fn a_match_moves_behind_the_trusted_one_before_it_with_what_extends_it() {
        let matched: Vec<MatchScore> = [("u1", 0.9), ("t1", 0.5), ("t2", 0.4)].map(|(n, s)| (id(n), s)).into();
        let shown = arrange(matched, &HashMap::new(), &map(&[("u1", &["u2"])]), 10);
        let before = |a: &BlockId, b: &BlockId| (a.as_str(), b.as_str()) == ("t1", "u1");
        let placed = reserve_trusted_slots(shown, before, |id| id.as_str().starts_with('t'), |_| true);
        assert_eq!(order(&placed), ["t1", "u1", "u2", "t2"]);
        assert!(placed[1].score <= placed[0].score);
    }

    #[test]
    fn what_contradicts_an_untrusted_block_stands_before_it_on_every_page() {
        let placed = |name: &str, score| Placed { id: id(name), score, role: RetrievalRole::Matched };
        let contradicting = map(&[("u1", &["t1"]), ("u2", &["t1", "t2"])]);
        let page = vec![placed("u1", 0.9), placed("u2", 0.8), placed("t1", 0.7), placed("x", 0.6)];
        let shown = put_contradicting_first(page, &contradicting);
        assert_eq!(order(&shown), ["t1", "u1", "t2", "u2", "x"]);
        assert_eq!((shown[0].role, shown[2].role), (RetrievalRole::Matched, RetrievalRole::Contradicts));
        assert!(shown.windows(2).all(|pair| pair[0].score >= pair[1].score), "{shown:?}");
        assert_eq!(end_of(&shown, 3), 4, "what is brought in takes no place");
        assert_eq!(order(&put_contradicting_first(vec![placed("u1", 0.9)], &contradicting)), ["t1", "u1"]);
    }

    #[test]
    fn belief_and_contradiction_move_a_match_and_never_take_it_away() {
        let sure = MatchParts { blend: 0.8, confidence: 1.0, recency: 1.0, contradicted: false };
        assert!((sure.score() - 0.8).abs() < 1e-12);
        let doubted = MatchParts { confidence: 0.2, ..sure };
        assert!((doubted.score() - 0.8 * 0.68).abs() < 1e-12);
        assert!(MatchParts { contradicted: true, ..sure }.score() < sure.score());
        assert!(MatchParts { contradicted: true, ..doubted }.score() > 0.0);
    }

    /// Blocks that may be drawn: the first 12 may match, all may be linked.
    const DRAWN: usize = 20;

    proptest! {
        #[test]
        fn blocks_are_shown_once_within_the_limit_and_every_match_if_there_is_room(
            scores in prop::collection::vec(0..100u32, 0..12),
            links in prop::collection::vec((0..12usize, 0..DRAWN, any::<bool>()), 0..20),
            most in 0..15usize,
        ) {
            let name = |at: usize| id(&at.to_string());
            let mut matched: Vec<(BlockId, f64)> =
                scores.iter().enumerate().map(|(at, score)| (name(at), f64::from(*score) / 100.0)).collect();
            matched.sort_by(|a, b| b.1.total_cmp(&a.1));
            let mut both: [HashMap<BlockId, Vec<BlockId>>; 2] = Default::default();
            for (from, to, lesson) in links {
                both[usize::from(lesson)].entry(name(from)).or_default().push(name(to));
            }
            let shown = arrange(matched.clone(), &both[1], &both[0], most);
            let ids: HashSet<&BlockId> = shown.iter().map(|placed| &placed.id).collect();
            prop_assert_eq!(ids.len(), shown.len());
            let places = shown.iter().filter(|placed| placed.role != RetrievalRole::Extends).count();
            prop_assert!(places <= most && end_of(&shown, most) == shown.len());
            prop_assert!(shown.len() - places <= places * MAX_COMPANIONS);
            let roomy: HashSet<BlockId> =
                arrange(matched.clone(), &both[1], &both[0], DRAWN).into_iter().map(|placed| placed.id).collect();
            prop_assert!(matched.iter().all(|(id, _)| roomy.contains(id)));
        }
    }
}
