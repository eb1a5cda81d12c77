//! Candidates: the best of a shortlist, scored with all signals and exact cosines.

use std::collections::HashSet;

use elfmem_core::Timestamp;
use elfmem_store::Snapshot;
use elfmem_text::temporal::{ConstraintStrength, time_fit};

use crate::Result;
use crate::memory_index::MemoryIndex;
use crate::recall::candidates::fusion::{FusionWeights, MatchScore, Signals, fuse};
use crate::recall::candidates::scores::{BlockScores, meaning};
use crate::recall::candidates::surroundings::surroundings;
use crate::recall::candidates::top_k::TopK;
use crate::recall::question::parsed::Question;
use crate::recall::ranking::subject::SubjectMatch;

/// How many trusted blocks are candidates whatever else there is.
pub(crate) const RESERVED: usize = 8;

/// A block that may be shown, and the signals for it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Candidate {
    pub(crate) slot: u32,
    /// Its share of the question's words.
    pub(crate) words: f64,
    /// The cosine of its text.
    pub(crate) meaning: Option<f64>,
    /// The cosine of its text and the question, all words of which weigh the same.
    pub(crate) plain: Option<f64>,
    /// The cosine of its nearest cue.
    pub(crate) cue: Option<f64>,
    /// What it gained from blocks stored around it.
    pub(crate) context: f64,
    /// What it gained from its source.
    pub(crate) who: f64,
    /// How well its time fits.
    pub(crate) time: Option<f64>,
    /// The probability that it helps to answer the question.
    pub(crate) relevance: f64,
    /// Its score with all signals, relative to the best: what ranking uses.
    pub(crate) similarity: f64,
    /// The block whose edge raised it, and the weight of that edge.
    pub(crate) via: Option<(u32, f32)>,
    /// Whether it speaks of what the question asks about.
    pub(crate) subject: SubjectMatch,
}

impl Candidate {
    /// Returns how well the block matches by itself.
    pub(crate) fn own_match(&self) -> f64 {
        MatchScore { words: self.words, meaning: self.meaning_or_cue() }.score()
    }

    /// Returns how well the block matches by itself: half words, half meaning.
    pub(crate) fn balanced_match(&self) -> f64 {
        0.5 * self.words + 0.5 * self.meaning_or_cue()
    }

    /// Returns the cosine of its text or of its nearest cue, whichever is higher; never below zero.
    pub(in crate::recall) fn meaning_or_cue(&self) -> f64 {
        meaning(self.meaning, self.cue)
    }

    /// Returns the cosine by which the relevance of an answer is measured; none without a vector.
    pub(in crate::recall) fn plain_meaning(&self) -> Option<f64> {
        (self.plain.is_some() || self.cue.is_some()).then(|| meaning(self.plain, self.cue))
    }
}

/// What candidates are scored from.
#[derive(Clone, Copy)]
pub(crate) struct Scoring<'a> {
    pub(crate) index: &'a MemoryIndex,
    pub(crate) snapshot: &'a dyn Snapshot,
    pub(crate) question: &'a Question,
    pub(crate) scores: &'a BlockScores<'a>,
    pub(crate) weights: &'a FusionWeights,
}

impl Scoring<'_> {
    /// Returns the best `count` of a shortlist, and the best `reserved` of a reserve; best first.
    ///
    /// All of the shortlist is scored with quantized cosines, which are off by less than a thousandth, and the best of it
    /// again with exact ones.
    pub(crate) fn best(
        &self,
        shortlist: &[u32],
        reserve: &[u32],
        count: usize,
        reserved: usize,
    ) -> Result<Vec<Candidate>> {
        let mut best = self.preselect(shortlist, count)?;
        let reserved = self.preselect(reserve, reserved)?;
        let known: HashSet<u32> = best.iter().map(|(slot, _)| *slot).collect();
        best.extend(reserved.into_iter().filter(|(slot, _)| !known.contains(slot)));
        self.rescore(&best)
    }

    /// Returns the best of a shortlist by quantized cosines, best first, with the signals of each.
    fn preselect(&self, shortlist: &[u32], count: usize) -> Result<Vec<(u32, Signals)>> {
        if shortlist.is_empty() {
            return Ok(Vec::new());
        }
        let Self { index, question, scores, weights, .. } = *self;
        let mut signals = match weights.contiguity {
            true => surroundings(index, question, scores, shortlist),
            false => vec![Signals::default(); shortlist.len()],
        };
        // Whoever says when does not need to be told.
        let asks_when = question.time.as_ref().is_some_and(|time| time.asks_when && time.span.is_none());
        let dated = if asks_when { index.dated(self.snapshot, shortlist)? } else { HashSet::new() };
        let named = index.sources.named(&question.names);
        let mut top = TopK::new(count, |a: u32, b: u32| index.by_id(shortlist[a as usize], shortlist[b as usize]));
        for (at, (slot, signals)) in (0..).zip(shortlist.iter().zip(&mut signals)) {
            signals.who = index.sources.get(*slot).is_some_and(|source| named.contains(&source));
            signals.is_question = index.is_question(*slot);
            signals.dated = dated.contains(slot);
            self.add_time(*slot, signals);
            top.push(fuse(scores.of(*slot), signals, weights).total as f32, at);
        }
        let best = top.into_sorted().into_iter();
        Ok(best.map(|(_, at)| (shortlist[at as usize], signals[at as usize])).collect())
    }

    /// Adds how well the time of a block fits the time that the question names.
    fn add_time(&self, slot: u32, signals: &mut Signals) {
        let Some(time) = &self.question.time else { return };
        let happened_at = || Timestamp::from_second(self.index.happened_at(slot)?).ok();
        signals.time = time.span.and_then(|_| Some(time_fit(time, happened_at()?)));
        signals.stated_time = time.strength == ConstraintStrength::Hard;
    }

    /// Scores the best again with exact cosines, and orders them by the result.
    fn rescore(&self, best: &[(u32, Signals)]) -> Result<Vec<Candidate>> {
        let Self { index, scores, weights, .. } = *self;
        let query = scores.query();
        let plain_query = scores.plain_query();
        let vectors = match query {
            Some(_) => Some(index.full_vectors(self.snapshot, best.iter().map(|(slot, _)| *slot))?),
            None => None,
        };
        let mut found: Vec<Candidate> = best
            .iter()
            .map(|(slot, signals)| {
                let slot = *slot;
                let cosine = vectors.zip(query).and_then(|(vectors, query)| vectors.cosine_to(query, slot));
                let plain = vectors.zip(plain_query).and_then(|(vectors, query)| vectors.cosine_to(query, slot));
                let cue = scores.cue(slot);
                let own = MatchScore { words: scores.words(slot), meaning: meaning(cosine, cue) };
                let fused = fuse(own, signals, weights);
                Candidate {
                    slot,
                    words: own.words,
                    meaning: cosine,
                    plain,
                    cue,
                    context: fused.context,
                    who: fused.who,
                    time: signals.time,
                    relevance: 0.0,
                    similarity: fused.total,
                    via: None,
                    subject: SubjectMatch::Held,
                }
            })
            .collect();
        // Relative to the best, so that similarity has the frame's full weight whatever the question; squared, so that the
        // best stand out before confidence and use are added. The best trusted one is the measure, so that no untrusted
        // block changes how trusted ones compare; one that fits better has a similarity above one.
        let similarities = |trusted: bool| {
            let counted = found.iter().filter(move |candidate| !trusted || index.is_trusted(candidate.slot));
            counted.map(|candidate| candidate.similarity).fold(0.0, f64::max)
        };
        let highest = Some(similarities(true)).filter(|best| *best > 0.0).unwrap_or_else(|| similarities(false));
        found.retain(|candidate| candidate.similarity > 0.0);
        for candidate in &mut found {
            candidate.similarity = (candidate.similarity / highest).powi(2);
        }
        found.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| index.by_id(a.slot, b.slot)));
        Ok(found)
    }
}
