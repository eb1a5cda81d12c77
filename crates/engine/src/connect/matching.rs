//! Which block a description means, and how surely.

use elfmem_text::terms::query_terms;
use std::collections::HashSet;

use elfmem_core::BlockId;
use elfmem_index::WordQuery;
use elfmem_store::{Snapshot, Store};

use crate::Result;
use crate::memory::Memory;
use crate::memory_index::MemoryIndex;
use crate::models::refuse_other_model;

/// Words of a description that are searched for.
const MOST_WORDS: usize = 128;
/// The nearest blocks by meaning that are weighed, beside all that share a word.
const NEAREST: usize = 32;
/// The best of them, whose meaning is compared exactly.
const CLOSEST: usize = 16;

/// The block a description means.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Match {
    pub(super) id: BlockId,
    pub(super) content: String,
    /// How surely, in `[0, 1]`; from .70 on it is the block that was meant.
    pub(super) confidence: f64,
}

/// The active block that a description fits best; none when no block has anything to do with it.
pub(super) fn best_match<S: Store>(memory: &Memory<S>, snapshot: &dyn Snapshot, query: &str) -> Result<Option<Match>> {
    let mut words = query_terms(query);
    words.truncate(MOST_WORDS);
    let words = WordQuery::new(&words);
    let embedder = memory.options.models.embedder.load()?;
    refuse_other_model(snapshot, &*embedder)?;
    let best = memory.with_index(snapshot, &*embedder, |known| {
        known.load_words(snapshot, &words)?;
        let shared = known.words.score(&words);
        let waiting: HashSet<u32> = snapshot.get_inbox_ids()?.iter().filter_map(|id| known.slot(id)).collect();
        let is_active = |slot: u32| !waiting.contains(&slot);
        let matrix = known.vectors.matrix();
        let meaning = if matrix.is_empty() { None } else { embedder.embed_query(query, &|_| 1.0)? };
        let asked = meaning.map(|meaning| matrix.query(&meaning)).transpose()?;
        let mut slots: Vec<u32> = shared.slots().to_vec();
        if let Some(asked) = &asked {
            let mut cosines = Vec::new();
            matrix.scores_into(asked, elfmem_index::Parallel::default(), &mut cosines);
            slots.extend(matrix.nearest_of(asked, &cosines, NEAREST, is_active).into_iter().map(|(slot, _)| slot));
        }
        slots.retain(|slot| is_active(*slot));
        let by_relevance = |known: &MemoryIndex, slots: &[u32]| -> Vec<(f64, u32)> {
            let relevance = |slot: u32| {
                let cosine = |asked| known.vectors.matrix().cosine_of(asked, slot);
                let cosine = asked.as_ref().and_then(cosine).map_or(0.0, f64::from);
                0.5 * cosine.clamp(0.0, 1.0) + 0.5 * shared.get(slot)
            };
            let mut fitting: Vec<(f64, u32)> = slots.iter().map(|slot| (relevance(*slot), *slot)).collect();
            fitting.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| known.id(a.1).cmp(&known.id(b.1))));
            fitting
        };
        let mut closest: Vec<u32> = by_relevance(known, &slots).into_iter().map(|(_, slot)| slot).collect();
        closest.dedup();
        closest.truncate(CLOSEST);
        known.load_vectors(snapshot, closest.iter().copied())?;
        let best = by_relevance(known, &closest).into_iter().next();
        Ok(best
            .filter(|(relevance, _)| *relevance > 0.0)
            .and_then(|(relevance, slot)| Some((relevance, known.id(slot)?.clone()))))
    })?;
    let Some((relevance, id)) = best else { return Ok(None) };
    let block = snapshot.get_block(&id)?;
    Ok(block.map(|block| Match { id: block.id, content: block.content, confidence: confidence_of(relevance) }))
}

/// Relevance from which a description means the block. On the labelled pairs of `bench/data`, with the text itself in the
/// memory, three in four paraphrases and nearly all near-copies reach it; with the text left out, one in a hundred does, whether
/// the memory holds 341 texts or 3,000.
const MEANT: f64 = 0.42;

/// The confidence at [`MEANT`]: the default of `min_confidence` in [`ConnectByQuery`](super::ConnectByQuery).
const SURE: f64 = 0.70;

/// Maps relevance to the scale that callers know: linear from zero to [`SURE`] at [`MEANT`], and from there to one.
fn confidence_of(relevance: f64) -> f64 {
    let confidence = if relevance < MEANT {
        relevance / MEANT * SURE
    } else {
        SURE + (relevance - MEANT) / (1.0 - MEANT) * (1.0 - SURE)
    };
    confidence.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConnectByQuery;

    #[test]
    fn the_default_confidence_is_that_of_a_description_that_means_its_block() {
        assert_eq!(confidence_of(MEANT), SURE);
        assert_eq!(ConnectByQuery::new("a", "b").min_confidence, SURE);
    }
}
