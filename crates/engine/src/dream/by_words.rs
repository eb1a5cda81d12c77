//! Near blocks without a model: pairs that share words.
//!
//! A build without an embedding model consolidates with these pairs. Duplicates, updates and contradictions are found where
//! the two texts share most of their words. Paraphrases in other words stay apart.

use std::collections::HashMap;

use elfmem_core::{Block, BlockStatus};
use elfmem_models::SimilarityProfile;
use elfmem_store::{BlockQuery, Snapshot};
use elfmem_text::terms::query_terms;

use super::decide::PairCandidate;
use super::edges::EdgeRule;
use super::embed::{MAX_NEIGHBOURS, Selves, lowest_cosine, self_blocks, self_text};
use super::plan::{Candidates, Seen};
use crate::Result;
use crate::memory_index::MemoryIndex;

/// The thresholds for the share of common words: a judgement, not fitted.
pub(crate) const WORD_PROFILE: SimilarityProfile =
    SimilarityProfile { exact: 0.99, near: 0.90, edge: 0.50, contradiction_prefilter: 0.55, contradiction: 0.80 };

/// Returns the active blocks and earlier inbox blocks that share most words with each inbox block.
pub(super) fn find_candidates_by_words(
    snapshot: &dyn Snapshot,
    index: &MemoryIndex,
    inbox: &[Block],
    edges: EdgeRule,
) -> Result<(Candidates, Selves)> {
    let lowest = lowest_cosine(WORD_PROFILE, edges);
    let words = InboxWords::new(inbox);
    let mut candidates: Candidates = vec![Vec::new(); inbox.len()];
    let mut offer = |block: &Block, first: usize| {
        for (at, cosine) in words.similar(&block.content, first).into_iter().filter(|(_, cosine)| *cosine >= lowest) {
            let trusted = index.slot(&block.id).is_some_and(|slot| index.is_trusted(slot));
            let seen = Seen { id: block.id.clone(), content: block.content.clone() };
            let mergeable = block.category.as_str() != "message";
            insert(&mut candidates[at], PairCandidate { seen, cosine, mergeable, trusted });
        }
    };
    let active = BlockQuery { status: Some(BlockStatus::Active), ..BlockQuery::default() };
    for block in snapshot.list_blocks(&active)? {
        offer(&block, 0);
    }
    for (at, block) in inbox.iter().enumerate() {
        offer(block, at + 1);
    }
    let selves = Selves { text: self_text(&self_blocks(snapshot)?), similarity: vec![None; inbox.len()] };
    Ok((candidates, selves))
}

/// Inserts a candidate by descending cosine, then by id, and keeps the best.
fn insert(near: &mut Vec<PairCandidate>, candidate: PairCandidate) {
    let goes_before = |other: &PairCandidate| {
        let order = other.cosine.total_cmp(&candidate.cosine);
        order.then_with(|| candidate.seen.id.cmp(&other.seen.id)).is_lt()
    };
    let at = near.iter().position(goes_before).unwrap_or(near.len());
    if at < MAX_NEIGHBOURS {
        near.insert(at, candidate);
        near.truncate(MAX_NEIGHBOURS);
    }
}

/// The words of the inbox, by word.
struct InboxWords {
    /// The positions of the inbox blocks that hold a word.
    holders: HashMap<String, Vec<usize>>,
    /// The number of words of each inbox block.
    lengths: Vec<usize>,
}

impl InboxWords {
    fn new(inbox: &[Block]) -> Self {
        let mut holders: HashMap<String, Vec<usize>> = HashMap::new();
        let mut lengths = Vec::with_capacity(inbox.len());
        for (at, block) in inbox.iter().enumerate() {
            let words = query_terms(&block.content);
            lengths.push(words.len());
            for word in words {
                holders.entry(word).or_default().push(at);
            }
        }
        Self { holders, lengths }
    }

    /// Returns the inbox blocks from position `first` on that share words with a text, each with the cosine of the two sets
    /// of words.
    fn similar(&self, text: &str, first: usize) -> Vec<(usize, f64)> {
        let words = query_terms(text);
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for at in words.iter().filter_map(|word| self.holders.get(word)).flatten().filter(|at| **at >= first) {
            *shared.entry(*at).or_default() += 1;
        }
        let cosine = |at: usize, common: usize| common as f64 / ((words.len() * self.lengths[at]) as f64).sqrt();
        shared.into_iter().map(|(at, common)| (at, cosine(at, common))).collect()
    }
}

/// Returns the warning of a dream that had no model.
pub(super) fn warning(reason: &str, recovery: &str) -> String {
    format!("Consolidated by words alone, so that paraphrases stay apart: {reason}. {recovery}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::{BlockId, Timestamp};

    fn inbox(texts: &[&str]) -> Vec<Block> {
        let block = |text: &&str| Block::new(BlockId::from_stored(text), *text, "test", Timestamp::UNIX_EPOCH);
        texts.iter().map(block).collect()
    }

    #[test]
    fn texts_are_as_similar_as_the_share_of_their_words() {
        let words = InboxWords::new(&inbox(&["Deploys go out on Tuesdays", "Maria likes tea", ""]));
        let similar = |text: &str, first: usize| {
            let mut found = words.similar(text, first);
            found.sort_by_key(|(at, _)| *at);
            found
        };
        assert_eq!(similar("we deploy on Tuesday, going out", 0), similar("Deploys go out on Tuesdays", 0));
        assert_eq!(similar("Maria likes tea", 0), [(1, 1.0)]);
        assert!(similar("Maria likes tea", 2).is_empty());
        let [(1, cosine)] = similar("Maria drinks coffee", 0)[..] else { panic!("one shared word") };
        assert!((cosine - 1.0 / 3.0).abs() < 1e-9);
        assert!(similar("", 0).is_empty());
    }

    #[test]
    fn the_best_are_kept_in_an_order_that_does_not_depend_on_that_of_arrival() {
        let candidate = |number: usize| PairCandidate {
            seen: Seen { id: BlockId::from_stored(&format!("{number:016x}")), content: String::new() },
            cosine: (number % 5) as f64 / 10.0,
            mergeable: true,
            trusted: true,
        };
        let kept = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut near = Vec::new();
            numbers.for_each(|number| insert(&mut near, candidate(number)));
            near.into_iter().map(|candidate| candidate.seen.id).collect::<Vec<_>>()
        };
        let forward = kept(&mut (0..40));
        assert_eq!(forward, kept(&mut (0..40).rev()));
        assert_eq!(forward.len(), MAX_NEIGHBOURS);
        assert_eq!(forward[0], candidate(4).seen.id);
    }
}
