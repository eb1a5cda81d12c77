//! Untrusted blocks below trusted ones: scores and relevance that agree with [`Precedence`].

use crate::recall::ranking::composite::{RankedCandidate, UNTRUSTED_SHARE};
use crate::recall::ranking::precedence::Precedence;

/// Lowers the scores of untrusted candidates below those of the trusted ones that stand before them. No untrusted block is
/// shown as more relevant than a trusted one that it stands below.
pub(in crate::recall) fn place_below(
    ranked: &mut [RankedCandidate],
    is_trusted: impl Fn(u32) -> bool + Copy,
    precedence: &Precedence,
) {
    let measures: Vec<(u32, f64, f64)> = ranked
        .iter()
        .filter(|ranked| is_trusted(ranked.candidate.slot))
        .map(|ranked| (ranked.candidate.slot, ranked.score, ranked.candidate.relevance))
        .collect();
    for ranked in ranked.iter_mut().filter(|ranked| !is_trusted(ranked.candidate.slot)) {
        let candidate = &mut ranked.candidate;
        let above = measures.iter().filter(|(slot, ..)| precedence.is_before(*slot, candidate.slot));
        let least = above.map(|(_, score, _)| *score).fold(f64::INFINITY, f64::min);
        if ranked.score >= least {
            // Among themselves they keep their order.
            ranked.score = least * (1.0 - (1.0 - UNTRUSTED_SHARE) / (1.0 + ranked.score));
        }
        let above = measures.iter().filter(|(_, score, relevance)| *score > ranked.score && *relevance > 0.0);
        candidate.relevance = above.map(|(.., relevance)| *relevance).fold(candidate.relevance, f64::min);
    }
}
