//! Which block a description means, and how surely.

use std::collections::HashSet;

use elfmem_core::BlockId;
use elfmem_index::Parallel;
use elfmem_store::Snapshot;

use crate::Result;
use crate::memory_index::MemoryIndex;
use crate::recall::{QuestionEmbedding, question_words};

/// Nearest blocks by vector that are compared, beside all that share a word.
const NEAREST: usize = 32;
/// How many of the best are compared with exact cosines.
const CLOSEST: usize = 16;

/// The block a description means.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Match {
    pub(super) id: BlockId,
    pub(super) content: String,
    /// How surely, in `[0, 1]`; from .70 on it is the block that was meant.
    pub(super) confidence: f64,
}

/// Returns the active block that a description fits best, and why the description has no vector if it should have one.
pub(super) fn best_match(
    snapshot: &dyn Snapshot,
    index: &MemoryIndex,
    description: &str,
    embedding: &QuestionEmbedding,
) -> Result<(Option<Match>, Option<String>)> {
    let shared = index.prepare_words(snapshot, &question_words(description))?.score();
    let (vector, problem) = match embedding.vector_of(description, index, &|_| 1.0) {
        Ok(vector) => (vector, None),
        Err(problem) => (None, Some(problem)),
    };
    let waiting: HashSet<u32> = snapshot.get_inbox_ids()?.iter().filter_map(|id| index.slot(id)).collect();
    let is_active = |slot: u32| !waiting.contains(&slot);
    let matrix = index.vectors.matrix();
    let vector = vector.filter(|vector| !matrix.is_empty() && vector.len() == matrix.dimensions());
    let query = vector.map(|vector| matrix.query(&vector)).transpose()?;
    let mut slots: Vec<u32> = shared.slots().to_vec();
    if let Some(query) = &query {
        let mut cosines = Vec::new();
        matrix.scores_into(query, Parallel::default(), &mut cosines);
        slots.extend(matrix.nearest_of(query, &cosines, NEAREST, is_active).into_iter().map(|(slot, _)| slot));
    }
    slots.retain(|slot| is_active(*slot));
    let by_relevance = |slots: &[u32]| -> Vec<(f64, u32)> {
        let relevance = |slot: u32| {
            let cosine = query.as_ref().and_then(|query| matrix.cosine_of(query, slot)).map_or(0.0, f64::from);
            0.5 * cosine.clamp(0.0, 1.0) + 0.5 * shared.get(slot)
        };
        let mut fitting: Vec<(f64, u32)> = slots.iter().map(|slot| (relevance(*slot), *slot)).collect();
        fitting.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| index.by_id(a.1, b.1)));
        fitting
    };
    let mut closest: Vec<u32> = by_relevance(&slots).into_iter().map(|(_, slot)| slot).collect();
    closest.dedup();
    closest.truncate(CLOSEST);
    index.full_vectors(snapshot, closest.iter().copied())?;
    let best = by_relevance(&closest).into_iter().next().filter(|(relevance, _)| *relevance > 0.0);
    let Some((relevance, id)) = best.and_then(|(relevance, slot)| Some((relevance, index.id(slot)?))) else {
        return Ok((None, problem));
    };
    let block = snapshot.get_block(id)?;
    let found = block.map(|block| Match { id: block.id, content: block.content, confidence: confidence_of(relevance) });
    Ok((found, problem))
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
