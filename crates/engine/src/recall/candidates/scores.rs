//! Scores of all blocks for one question, by words and by vectors.

use std::collections::HashMap;

use elfmem_index::{NO_VECTOR, Parallel, VectorQuery};

use crate::Result;
use crate::memory_index::MemoryIndex;
use crate::recall::candidates::fusion::MatchScore;
use crate::recall::candidates::scored::Candidate;
use crate::recall::candidates::scratch::PooledScratch;
use crate::recall::question::parsed::Question;

/// The share of a cue's cosine beside that of the text: a cue is shorter, and short texts are near everything.
const CUE_SHARE: f64 = 0.95;

/// What every block scores for one question.
#[derive(Debug)]
pub(crate) struct BlockScores<'a> {
    scratch: PooledScratch<'a>,
    /// The cosine of the nearest cue, for blocks with cues.
    cues: HashMap<u32, f32>,
    query: Option<VectorQuery>,
    plain_query: Option<VectorQuery>,
}

impl<'a> BlockScores<'a> {
    /// Scores every block.
    pub(crate) fn compute(index: &MemoryIndex, question: &Question, mut scratch: PooledScratch<'a>) -> Result<Self> {
        question.words.score_into(&mut scratch.words);
        let matrix = index.vectors.matrix();
        let vector = question.vector.as_ref().filter(|vector| vector.len() == matrix.dimensions());
        let query = vector.map(|vector| matrix.query(vector)).transpose()?;
        let plain = question.plain_vector.as_ref().filter(|vector| vector.len() == matrix.dimensions());
        let plain_query = plain.map(|vector| matrix.query(vector)).transpose()?;
        match &query {
            Some(query) => matrix.scores_into(query, Parallel::default(), &mut scratch.cosines),
            None => scratch.cosines.clear(),
        }
        let cues = match &question.cue_vector {
            Some(vector) => index.cues.cosines(vector)?,
            None => HashMap::new(),
        };
        Ok(Self { scratch, cues, query, plain_query })
    }

    /// Returns the prepared vector of the question.
    pub(in crate::recall) fn query(&self) -> Option<&VectorQuery> {
        self.query.as_ref()
    }

    /// Returns the prepared vector of the question with all words weighing the same.
    pub(in crate::recall) fn plain_query(&self) -> Option<&VectorQuery> {
        self.plain_query.as_ref()
    }

    /// Returns the word scores by slot. Rounding may leave one slightly above one.
    pub(in crate::recall) fn words_by_slot(&self) -> &[f64] {
        self.scratch.words.by_slot()
    }

    /// Returns the quantized cosines by slot.
    pub(in crate::recall) fn cosines_by_slot(&self) -> &[f32] {
        &self.scratch.cosines
    }

    /// Returns whether a block has a cue that was compared.
    pub(in crate::recall) fn has_cues(&self) -> bool {
        !self.cues.is_empty()
    }

    /// Returns a block's share of the question's words.
    pub(in crate::recall) fn words(&self, slot: u32) -> f64 {
        self.scratch.words.get(slot)
    }

    /// Returns the cosine of a block, typically off by 0.0005.
    fn cosine(&self, slot: u32) -> Option<f64> {
        let cosine = self.scratch.cosines.get(slot as usize).copied().filter(|cosine| *cosine != NO_VECTOR);
        cosine.map(f64::from)
    }

    /// Returns the cosine of the nearest cue of a block. Most memories have few cues, and this is called for every block.
    pub(in crate::recall) fn cue(&self, slot: u32) -> Option<f64> {
        if self.cues.is_empty() {
            return None;
        }
        self.cues.get(&slot).map(|cosine| f64::from(*cosine))
    }

    /// Returns how well a block matches by itself, with the quantized cosine.
    pub(in crate::recall) fn of(&self, slot: u32) -> MatchScore {
        MatchScore { words: self.words(slot), meaning: meaning(self.cosine(slot), self.cue(slot)) }
    }

    /// Creates a candidate for a block that the question did not find: it has no similarity.
    pub(crate) fn candidate(&self, slot: u32) -> Candidate {
        let (words, cosine, cue) = (self.words(slot), self.cosine(slot), self.cue(slot));
        Candidate { slot, words, meaning: cosine, cue, ..Candidate::default() }
    }
}

/// Returns the cosine of a text or of its nearest cue, whichever is higher; never below zero.
pub(in crate::recall) fn meaning(cosine: Option<f64>, cue: Option<f64>) -> f64 {
    cosine.unwrap_or(0.0).max(cue.unwrap_or(0.0) * CUE_SHARE).max(0.0)
}
