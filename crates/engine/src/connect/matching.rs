//! Which block a description means, and how surely.

use std::collections::HashMap;

use elfmem_core::lexical::{Bm25, FieldWeights, Fields};
use elfmem_core::text::query_terms;
use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::{Snapshot, Store};

use crate::Result;
use crate::memory::Memory;
use crate::models::refuse_other_model;

/// Words of a description that are searched for.
const MOST_WORDS: usize = 128;
/// Blocks that are weighed by either way of finding them.
const CANDIDATES: u32 = 32;

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
    let matches = snapshot.search_words(&words, CANDIDATES)?;
    let bm25 = Bm25::new(&words, &matches.corpus, FieldWeights::default());
    let cosines = cosines(memory, snapshot, query, &matches.candidates)?;
    let mut ids = matches.candidates;
    ids.extend(cosines.keys().filter(|id| !ids.contains(id)).cloned().collect::<Vec<_>>());
    let blocks = snapshot.get_blocks(&ids)?.into_iter().filter(|block| block.status == BlockStatus::Active);
    let scored = blocks.map(|block| {
        let cosine = cosines.get(&block.id).copied().unwrap_or(0.0);
        let relevance = 0.5 * cosine.clamp(0.0, 1.0) + 0.5 * bm25.score(&Fields::of(&block)).score;
        (relevance, block)
    });
    let better = |a: &(f64, Block), b: &(f64, Block)| a.0.total_cmp(&b.0).then_with(|| b.1.id.cmp(&a.1.id));
    Ok(scored.max_by(better).filter(|(relevance, _)| *relevance > 0.0).map(|(relevance, block)| Match {
        id: block.id,
        content: block.content,
        confidence: confidence_of(relevance),
    }))
}

/// How near the meaning of a description is to its nearest blocks and to those that share a word with it.
fn cosines<S: Store>(
    memory: &Memory<S>,
    snapshot: &dyn Snapshot,
    query: &str,
    sharing_a_word: &[BlockId],
) -> Result<HashMap<BlockId, f64>> {
    if snapshot.get_vector_models()?.is_empty() {
        return Ok(HashMap::new());
    }
    let embedder = memory.options.models.embedder.load()?;
    refuse_other_model(snapshot, &*embedder)?;
    let Some(vector) = embedder.embed_query(query, &|_| 1.0)? else { return Ok(HashMap::new()) };
    memory.with_vectors(snapshot, &*embedder, |index| {
        let near = index.nearest(&vector, CANDIDATES as usize, |_| true)?;
        let mut cosines: HashMap<BlockId, f64> = near.into_iter().map(|found| (found.id, found.cosine)).collect();
        for id in sharing_a_word {
            if let Some(stored) = index.vector(id) {
                let cosine = stored.iter().zip(&vector).map(|(a, b)| f64::from(a * b)).sum();
                cosines.entry(id.clone()).or_insert(cosine);
            }
        }
        Ok(cosines)
    })
}

/// Relevance from which a description means the block. On the labelled pairs of `bench/data`, with the text itself in the
/// memory, three in four paraphrases and nearly all near-copies reach it; with the text left out, one in a hundred does, whether
/// the memory holds 341 texts or 3,000.
const MEANT: f64 = 0.42;

/// Relevance on the scale that callers know: straight from nothing to .70 at [`MEANT`], and from there to one.
fn confidence_of(relevance: f64) -> f64 {
    const SURE: f64 = super::by_query::MIN_CONFIDENCE;
    let confidence = if relevance < MEANT {
        relevance / MEANT * SURE
    } else {
        SURE + (relevance - MEANT) / (1.0 - MEANT) * (1.0 - SURE)
    };
    confidence.clamp(0.0, 1.0)
}
