//! Which block a description means, and how surely.

use elfmem_core::BlockId;
use elfmem_index::Parallel;
use elfmem_models::{AnswerEvidence, HitEvidence, RelevanceCurve};
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
pub(super) struct MatchedBlock {
    pub(super) id: BlockId,
    pub(super) content: String,
    pub(super) trusted: bool,
    /// How surely, in `[0, 1]`; from .70 on it is the block that was meant.
    pub(super) confidence: f64,
}

/// How well a block fits a description.
#[derive(Debug, Clone, Copy)]
struct Fit {
    slot: u32,
    cosine: f64,
    /// The share of the description's words that it holds.
    words: f64,
}

impl Fit {
    fn score(&self) -> f64 {
        0.5 * self.cosine + 0.5 * self.words
    }
}

/// Returns the block that a description fits best, and why the description has no vector if it should have one.
pub(super) fn best_match(
    snapshot: &dyn Snapshot,
    index: &MemoryIndex,
    description: &str,
    embedding: &QuestionEmbedding,
) -> Result<(Option<MatchedBlock>, Option<String>)> {
    let shared = index.prepare_words(snapshot, &question_words(description))?.score();
    let (vector, problem) = match embedding.vector_of(description, index, &|_| 1.0) {
        Ok(vector) => (vector, None),
        Err(problem) => (None, Some(problem)),
    };
    let matrix = index.vectors.matrix();
    let vector = vector.filter(|vector| !matrix.is_empty() && vector.len() == matrix.dimensions());
    let query = vector.map(|vector| matrix.query(&vector)).transpose()?;
    let mut slots: Vec<u32> = shared.slots().to_vec();
    if let Some(query) = &query {
        let mut cosines = Vec::new();
        matrix.scores_into(query, Parallel::default(), &mut cosines);
        slots.extend(matrix.nearest_of(query, &cosines, NEAREST, |_| true).into_iter().map(|(slot, _)| slot));
    }
    let by_match = |slots: &[u32]| -> Vec<Fit> {
        let fit = |slot: u32| {
            let cosine = query.as_ref().and_then(|query| matrix.cosine_of(query, slot)).map_or(0.0, f64::from);
            Fit { slot, cosine: cosine.clamp(0.0, 1.0), words: shared.get(slot) }
        };
        let mut fitting: Vec<Fit> = slots.iter().map(|slot| fit(*slot)).collect();
        fitting.sort_by(|a, b| b.score().total_cmp(&a.score()).then_with(|| index.by_id(a.slot, b.slot)));
        fitting
    };
    let mut closest: Vec<u32> = by_match(&slots).into_iter().map(|fit| fit.slot).collect();
    closest.dedup();
    closest.truncate(CLOSEST);
    index.full_vectors(snapshot, closest.iter().copied())?;
    let fitting = by_match(&closest);
    let best = fitting.first().filter(|best| best.score() > 0.0);
    let Some(id) = best.and_then(|best| index.id(best.slot)) else { return Ok((None, problem)) };
    let prepared = embedding.prepared(description).filter(|_| query.is_some());
    let (background, curve) = match prepared {
        Some((prepared, curve)) => (prepared.background, curve),
        None => (None, RelevanceCurve::WORDS),
    };
    let confidence = confidence(&fitting, background, curve, index.len());
    let trusted = index.slot(id).is_some_and(|slot| index.is_trusted(slot));
    let block = snapshot.get_block(id)?;
    let found = block.map(|block| MatchedBlock { id: block.id, content: block.content, trusted, confidence });
    Ok((found, problem))
}

/// Returns how surely a description means the block that fits it best: the probability that recall would show for it.
fn confidence(fitting: &[Fit], background: Option<f64>, curve: RelevanceCurve, blocks: usize) -> f64 {
    let Some(best) = fitting.first() else { return 0.0 };
    let evidence = AnswerEvidence {
        best: fitting.iter().map(|fit| fit.cosine).fold(0.0, f64::max),
        background: background.unwrap_or(0.0),
        words: best.words,
        cue: 0.0,
        blocks,
    };
    let hit = HitEvidence { meaning: best.cosine, words: best.words, behind: 0.0, first: true, lead: 0.0 };
    curve.hit(curve.answer(&evidence), &hit)
}
