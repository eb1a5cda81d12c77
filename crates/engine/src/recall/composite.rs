//! The composite score: what the frame cares about, weighed.

use elfmem_core::decay::DecayRate;
use elfmem_core::score::{effective_centrality, normalised_reinforcement};
use elfmem_core::{ActiveHours, ScoreComponents, ScoreWeights};
use elfmem_store::RankingState;

use super::candidates::Candidate;

/// A candidate with its score.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) candidate: Candidate,
    pub(crate) components: ScoreComponents,
    pub(crate) score: f64,
    /// Whether the frame promises to show it.
    pub(crate) guaranteed: bool,
}

/// How present a block is.
pub(crate) fn recency(standing: &RankingState, now: ActiveHours) -> f64 {
    let since = now.since(ActiveHours::new(standing.last_reinforced_at));
    DecayRate::new(standing.decay_lambda).recency_after(since)
}

/// Scores candidates, each with its standing and the summed weight of its edges. Centrality and use are relative to the
/// most connected and the most used among them.
pub(crate) fn rank(
    candidates: Vec<Candidate>,
    about: impl Fn(u32) -> (RankingState, f32),
    weights: ScoreWeights,
    now: ActiveHours,
) -> Vec<Ranked> {
    let known: Vec<(RankingState, f32)> = candidates.iter().map(|candidate| about(candidate.slot)).collect();
    let most_used = known.iter().map(|(standing, _)| standing.reinforcement_count).max().unwrap_or(0);
    let most_linked = known.iter().map(|(_, degree)| *degree).fold(0.0, f32::max);
    candidates
        .into_iter()
        .zip(known)
        .map(|(candidate, (standing, degree))| {
            let recency = recency(&standing, now);
            let central = if most_linked > 0.0 { f64::from(degree / most_linked) } else { 0.0 };
            let components = ScoreComponents {
                similarity: candidate.similarity,
                confidence: f64::from(standing.confidence),
                recency,
                centrality: effective_centrality(central, recency),
                reinforcement: normalised_reinforcement(standing.reinforcement_count, most_used),
            };
            let score = weights.score(components).clamp(0.0, 1.0);
            Ranked { candidate, components, score, guaranteed: false }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(count: u32, confidence: f32, at: f64) -> RankingState {
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
        let candidates = vec![
            Candidate { slot: 0, similarity: 0.8, ..Candidate::default() },
            Candidate { slot: 1, similarity: 0.2, ..Candidate::default() },
        ];
        let about = |slot: u32| if slot == 0 { (standing(5, 0.5, 0.0), 1.0) } else { (standing(10, 0.75, 0.0), 2.0) };
        let weights = ScoreWeights::new([0.35, 0.15, 0.25, 0.15, 0.10]);
        let ranked = rank(candidates, about, weights, ActiveHours::new(100.0));
        let recency = (-1.0f64).exp();
        assert!((ranked[0].components.recency - recency).abs() < 1e-12);
        let expected = 0.35 * 0.8 + 0.15 * 0.5 + 0.25 * recency + 0.15 * 0.5 + 0.10 * (6f64.ln() / 11f64.ln());
        assert!((ranked[0].score - expected).abs() < 1e-9, "{} {expected}", ranked[0].score);
        let expected = 0.35 * 0.2 + 0.15 * 0.75 + 0.25 * recency + 0.15 + 0.10;
        assert!((ranked[1].score - expected).abs() < 1e-9);
    }

    #[test]
    fn a_young_block_without_edges_is_not_held_to_be_peripheral() {
        let candidates =
            vec![Candidate { slot: 0, ..Candidate::default() }, Candidate { slot: 1, ..Candidate::default() }];
        let about = |slot: u32| (standing(0, 0.5, 10.0), slot as f32);
        let ranked = rank(candidates, about, ScoreWeights::new([0.2; 5]), ActiveHours::new(10.0));
        assert_eq!((ranked[0].components.centrality, ranked[1].components.centrality), (0.5, 1.0));
    }
}
