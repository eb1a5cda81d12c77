//! The composite score: the components of a candidate, weighted by the frame.

use elfmem_core::decay::DecayRate;
use elfmem_core::score::{effective_centrality, normalised_reinforcement};
use elfmem_core::{ActiveHours, ScoreComponents, ScoreWeights};
use elfmem_store::RankingState;

use super::candidates::Candidate;

/// A candidate with its components and its score.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RankedCandidate {
    pub(crate) candidate: Candidate,
    pub(crate) components: ScoreComponents,
    pub(crate) score: f64,
    /// Whether the frame guarantees it.
    pub(crate) guaranteed: bool,
}

/// Returns the recency of a block, from its decay since its last use.
pub(crate) fn recency(state: &RankingState, now: ActiveHours) -> f64 {
    let since = now.since(ActiveHours::new(state.last_reinforced_at));
    DecayRate::new(state.decay_lambda).recency_after(since)
}

/// Scores candidates, each with its ranking state and the summed weight of its edges. Centrality and reinforcement are
/// relative to the highest among them.
pub(crate) fn rank(
    candidates: Vec<(Candidate, RankingState, f32)>,
    weights: ScoreWeights,
    now: ActiveHours,
) -> Vec<RankedCandidate> {
    let most_used = candidates.iter().map(|(_, state, _)| state.reinforcement_count).max().unwrap_or(0);
    let highest_degree = candidates.iter().map(|(_, _, degree)| *degree).fold(0.0, f32::max);
    candidates
        .into_iter()
        .map(|(candidate, state, degree)| {
            let recency = recency(&state, now);
            let central = if highest_degree > 0.0 { f64::from(degree / highest_degree) } else { 0.0 };
            let components = ScoreComponents {
                similarity: candidate.similarity,
                confidence: f64::from(state.confidence),
                recency,
                centrality: effective_centrality(central, recency),
                reinforcement: normalised_reinforcement(state.reinforcement_count, most_used),
            };
            let score = weights.score(components).clamp(0.0, 1.0);
            RankedCandidate { candidate, components, score, guaranteed: false }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let ranked = rank(candidates, weights, ActiveHours::new(100.0));
        let recency = (-1.0f64).exp();
        assert!((ranked[0].components.recency - recency).abs() < 1e-12);
        let expected = 0.35 * 0.8 + 0.15 * 0.5 + 0.25 * recency + 0.15 * 0.5 + 0.10 * (6f64.ln() / 11f64.ln());
        assert!((ranked[0].score - expected).abs() < 1e-9, "{} {expected}", ranked[0].score);
        let expected = 0.35 * 0.2 + 0.15 * 0.75 + 0.25 * recency + 0.15 + 0.10;
        assert!((ranked[1].score - expected).abs() < 1e-9);
    }

    #[test]
    fn a_young_block_without_edges_does_not_count_as_peripheral() {
        let candidates = (0..2).map(|slot| (candidate(slot, 0.0), state(0, 0.5, 10.0), slot as f32)).collect();
        let ranked = rank(candidates, ScoreWeights::new([0.2; 5]), ActiveHours::new(10.0));
        assert_eq!((ranked[0].components.centrality, ranked[1].components.centrality), (0.5, 1.0));
    }
}
