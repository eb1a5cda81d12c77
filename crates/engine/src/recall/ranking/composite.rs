//! The composite score: the components of a candidate, weighted by the frame.

use elfmem_core::decay::DecayRate;
use elfmem_core::score::{effective_centrality, normalised_reinforcement};
use elfmem_core::{ActiveHours, ScoreComponents, ScoreWeights};
use elfmem_store::RankingState;

use crate::recall::candidates::scored::Candidate;
use crate::recall::ranking::agreement::Ranked;

/// A candidate with its components and its score.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RankedCandidate {
    pub(crate) candidate: Candidate,
    pub(crate) components: ScoreComponents,
    pub(crate) score: f64,
    /// Whether the frame guarantees it.
    pub(crate) guaranteed: bool,
    /// A later block that says something else about the same thing.
    pub(crate) newer: Option<u32>,
    /// Whether it was moved before others for its time: it says what holds, or what held at the time that is asked about.
    pub(crate) placed_by_time: bool,
}

impl Ranked for RankedCandidate {
    fn candidate(&mut self) -> &mut Candidate {
        &mut self.candidate
    }
}

/// Returns the recency of a block, from its decay since its last use.
pub(crate) fn recency(state: &RankingState, now: ActiveHours) -> f64 {
    let since = now.since(ActiveHours::new(state.last_reinforced_at));
    DecayRate::new(state.decay_lambda).recency_after(since)
}

/// The share of its score that an untrusted block keeps: of two equal blocks the trusted one comes first.
pub(in crate::recall) const UNTRUSTED_SHARE: f64 = 0.95;
/// Smallest match of a trusted block, relative to the best trusted one, for which untrusted blocks must not be
/// believed more.
pub(in crate::recall) const COMPARABLE: f64 = 0.75;

/// Scores candidates, each with its ranking state and the summed weight of its edges. Centrality and reinforcement are
/// relative to the highest among them.
///
/// Untrusted candidates change no score of a trusted one, and outrank the relevant ones by similarity alone: each of their
/// other components counts at most what it is in the least of those. The score of an untrusted candidate can exceed one.
pub(crate) fn rank(
    candidates: Vec<(Candidate, RankingState, f32)>,
    weights: ScoreWeights,
    now: ActiveHours,
    is_trusted: impl Fn(u32) -> bool + Copy,
) -> Vec<RankedCandidate> {
    let trusted = |candidate: &Candidate| is_trusted(candidate.slot);
    let any_trusted = candidates.iter().any(|(candidate, ..)| trusted(candidate));
    let measures = || candidates.iter().filter(|(candidate, ..)| !any_trusted || trusted(candidate));
    let most_used = measures().map(|(_, state, _)| state.reinforcement_count).max().unwrap_or(0);
    let highest_degree = measures().map(|(_, _, degree)| *degree).fold(0.0, f32::max);
    let mut ranked: Vec<RankedCandidate> = candidates
        .into_iter()
        .map(|(candidate, state, degree)| {
            let recency = recency(&state, now);
            let central = if highest_degree > 0.0 { f64::from(degree / highest_degree).min(1.0) } else { 0.0 };
            let components = ScoreComponents {
                similarity: candidate.similarity,
                confidence: f64::from(state.confidence),
                recency,
                centrality: effective_centrality(central, recency),
                reinforcement: normalised_reinforcement(state.reinforcement_count, most_used).min(1.0),
            };
            RankedCandidate { candidate, components, score: 0.0, guaranteed: false, newer: None, placed_by_time: false }
        })
        .collect();
    if any_trusted {
        limit_untrusted(&mut ranked, is_trusted);
    }
    for ranked in &mut ranked {
        let score = weights.score(ranked.components).max(0.0);
        ranked.score = if is_trusted(ranked.candidate.slot) { score.min(1.0) } else { score * UNTRUSTED_SHARE };
    }
    ranked
}

/// Returns the relevant trusted candidates: those that match by themselves nearly as well as the best of them.
fn relevant_trusted(
    ranked: &[RankedCandidate],
    is_trusted: impl Fn(u32) -> bool + Copy,
) -> impl Iterator<Item = &RankedCandidate> {
    let trusted = move |ranked: &&RankedCandidate| is_trusted(ranked.candidate.slot);
    let best = ranked.iter().filter(trusted).map(|ranked| ranked.candidate.balanced_match()).fold(0.0, f64::max);
    ranked.iter().filter(trusted).filter(move |ranked| ranked.candidate.balanced_match() >= best * COMPARABLE)
}

/// Lowers the components of untrusted candidates, except similarity, to the least of the relevant trusted ones.
fn limit_untrusted(ranked: &mut [RankedCandidate], is_trusted: impl Fn(u32) -> bool + Copy) {
    let least = relevant_trusted(ranked, is_trusted).map(|ranked| ranked.components).reduce(|a, b| ScoreComponents {
        similarity: a.similarity,
        confidence: a.confidence.min(b.confidence),
        recency: a.recency.min(b.recency),
        centrality: a.centrality.min(b.centrality),
        reinforcement: a.reinforcement.min(b.reinforcement),
    });
    let Some(least) = least else { return };
    for ranked in ranked.iter_mut().filter(|ranked| !is_trusted(ranked.candidate.slot)) {
        let own = ranked.components;
        ranked.components = ScoreComponents {
            similarity: own.similarity,
            confidence: own.confidence.min(least.confidence),
            recency: own.recency.min(least.recency),
            centrality: own.centrality.min(least.centrality),
            reinforcement: own.reinforcement.min(least.reinforcement),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(slot: u32, similarity: f64) -> Candidate {
        Candidate { slot, similarity, ..Candidate::default() }
    }

    fn state(count: u32, confidence: f32, at: f64) -> RankingState {
        RankingState {
            pinned: false,
            reinforcement_count: count,
            confidence,
            decay_lambda: 0.01,
            last_reinforced_at: at,
        }
    }

    #[test]
    fn the_score_is_the_weighted_sum_of_its_components() {
        let candidates =
            vec![(candidate(0, 0.8), state(5, 0.5, 0.0), 1.0), (candidate(1, 0.2), state(10, 0.75, 0.0), 2.0)];
        let weights = ScoreWeights::new([0.35, 0.15, 0.25, 0.15, 0.10]);
        let ranked = rank(candidates, weights, ActiveHours::new(100.0), |_| true);
        let recency = (-1.0f64).exp();
        assert!((ranked[0].components.recency - recency).abs() < 1e-12);
        let expected = 0.35 * 0.8 + 0.15 * 0.5 + 0.25 * recency + 0.15 * 0.5 + 0.10 * (6f64.ln() / 11f64.ln());
        assert!((ranked[0].score - expected).abs() < 1e-9, "{} {expected}", ranked[0].score);
        let expected = 0.35 * 0.2 + 0.15 * 0.75 + 0.25 * recency + 0.15 + 0.10;
        assert!((ranked[1].score - expected).abs() < 1e-9);
    }

    /// Similarity in tenths, uses, confidence in tenths, hours, degree, and whether the block is trusted.
    type Drawn = (u8, u32, u8, u8, u8, bool);

    fn drawn(blocks: &[Drawn], keep: impl Fn(bool) -> bool) -> Vec<(Candidate, RankingState, f32)> {
        let numbered = (0..).zip(blocks).filter(|(_, block)| keep(block.5));
        numbered
            .map(|(slot, (similarity, uses, confidence, hours, degree, _))| {
                let similarity = f64::from(*similarity) / 10.0;
                let candidate =
                    Candidate { words: similarity, meaning: Some(similarity), ..candidate(slot, similarity) };
                (candidate, state(*uses, f32::from(*confidence) / 10.0, f64::from(*hours)), f32::from(*degree))
            })
            .collect()
    }

    proptest! {
        #[test]
        fn untrusted_candidates_change_no_score_of_a_trusted_one_and_outrank_only_by_similarity(
            blocks in prop::collection::vec((0..=10u8, 0..50u32, 0..=10u8, 0..100u8, 0..10u8, any::<bool>()), 1..12),
        ) {
            let weights = ScoreWeights::new([0.35, 0.15, 0.25, 0.15, 0.10]);
            let is_trusted = |slot: u32| blocks[slot as usize].5;
            let ranked = |keep: fn(bool) -> bool| rank(drawn(&blocks, keep), weights, ActiveHours::new(100.0), is_trusted);
            let (all, alone) = (ranked(|_| true), ranked(|trusted| trusted));
            let trusted: Vec<&RankedCandidate> = all.iter().filter(|one| is_trusted(one.candidate.slot)).collect();
            prop_assert_eq!(&trusted, &alone.iter().collect::<Vec<_>>());
            let best = alone.iter().map(|one| one.candidate.balanced_match()).fold(0.0, f64::max);
            for own in trusted.iter().filter(|one| one.candidate.balanced_match() >= best * COMPARABLE) {
                for other in all.iter().filter(|one| !is_trusted(one.candidate.slot)) {
                    prop_assert!(other.score < own.score || other.components.similarity > own.components.similarity
                        || own.score == 0.0);
                }
            }
        }
    }

    #[test]
    fn a_young_block_without_edges_does_not_count_as_peripheral() {
        let candidates = (0..2).map(|slot| (candidate(slot, 0.0), state(0, 0.5, 10.0), slot as f32)).collect();
        let ranked = rank(candidates, ScoreWeights::new([0.2; 5]), ActiveHours::new(10.0), |_| true);
        assert_eq!((ranked[0].components.centrality, ranked[1].components.centrality), (0.5, 1.0));
    }
}
