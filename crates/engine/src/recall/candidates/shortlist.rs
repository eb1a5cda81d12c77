//! The shortlist: the blocks of a memory that are worth a closer look.

use std::collections::HashSet;

use crate::memory_index::MemoryIndex;
use crate::recall::candidates::filter::CandidateFilter;
use crate::recall::candidates::fusion::FusionWeights;
use crate::recall::candidates::scores::BlockScores;
use crate::recall::candidates::surroundings::beside;
use crate::recall::candidates::top_k::TopK;

/// Smallest length of the shortlist, and its length for each requested result.
const MIN_LENGTH: usize = 128;
const LENGTH_PER_RESULT: usize = 8;
/// How many of the best have their neighbours in storing order added.
const WITH_NEIGHBOURS: usize = 48;
/// Blocks that are scored together, so that both arrays stay in the fastest cache.
const TILE: usize = 256;

/// Which sources may be on a shortlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShortlistSources {
    /// All of them.
    Any,
    /// Trusted ones: many untrusted blocks must not keep them from a closer look.
    Trusted,
}

/// Returns the blocks with the best scores by themselves, best first, then the neighbours of the very best.
pub(crate) fn shortlist(
    index: &MemoryIndex,
    scores: &BlockScores<'_>,
    filter: &CandidateFilter<'_>,
    results: usize,
    weights: &FusionWeights,
    sources: ShortlistSources,
) -> Vec<u32> {
    let is_eligible = |slot: u32| {
        index.contains(slot) && filter.accepts(slot) && (sources == ShortlistSources::Any || index.is_trusted(slot))
    };
    let mut top = TopK::new(results.saturating_mul(LENGTH_PER_RESULT).max(MIN_LENGTH), |a, b| index.by_id(a, b));
    let mut offer = |slot: u32, score: f32| {
        if score > 0.0 && top.may_enter(score) && is_eligible(slot) {
            top.push(score, slot);
        }
    };
    let score = |slot: u32| weights.shortlist_score(scores.of(slot)) as f32;
    match &filter.allowed {
        Some(allowed) => allowed.iter().for_each(|slot| offer(*slot, score(*slot))),
        None if scores.has_cues() => (0..index.bound() as u32).for_each(|slot| offer(slot, score(slot))),
        None => {
            let (words, cosines) = (scores.words_by_slot(), scores.cosines_by_slot());
            let bound = index.bound().min(words.len().max(cosines.len()));
            let mut scores = [0.0; TILE];
            for start in (0..bound).step_by(TILE) {
                let scores = &mut scores[..TILE.min(bound - start)];
                score_tile(words, cosines, weights.shortlist, start, scores);
                // Most tiles hold nothing good enough, and are skipped without a branch for each block.
                if scores.iter().map(|score| u32::from(top.may_enter(*score))).sum::<u32>() == 0 {
                    continue;
                }
                for (slot, score) in (start as u32..).zip(scores.iter().copied()) {
                    if score > 0.0 && top.may_enter(score) && is_eligible(slot) {
                        top.push(score, slot);
                    }
                }
            }
        }
    }
    let mut shortlist: Vec<u32> = top.into_sorted().into_iter().map(|(_, slot)| slot).collect();
    if weights.contiguity {
        let mut seen: HashSet<u32> = shortlist.iter().copied().collect();
        for at in 0..shortlist.len().min(WITH_NEIGHBOURS) {
            let neighbours = beside(index, shortlist[at]).into_iter().flatten();
            shortlist.extend(neighbours.filter(|slot| seen.insert(*slot) && is_eligible(*slot)));
        }
    }
    shortlist
}

/// Writes [`FusionWeights::shortlist_score`] of the blocks from `start` on, in single precision and array by array: this
/// runs for every block. An array that ends early counts as zeros.
fn score_tile(words: &[f64], cosines: &[f32], weights: (f64, f64), start: usize, scores: &mut [f32]) {
    let words = words.get(start..).unwrap_or_default();
    let cosines = cosines.get(start..).unwrap_or_default();
    scores.fill(0.0);
    for (score, words) in scores.iter_mut().zip(words) {
        *score = weights.0 as f32 * words.min(1.0) as f32;
    }
    for (score, cosine) in scores.iter_mut().zip(cosines) {
        *score += weights.1 as f32 * cosine.max(0.0);
    }
}
