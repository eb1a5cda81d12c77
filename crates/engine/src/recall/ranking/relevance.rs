//! Relevance as a probability: that the memory holds an answer, and that a block helps.

use elfmem_core::RelevanceCalibration;
use elfmem_models::{AnswerEvidence, HitEvidence, RelevanceCurve};
use elfmem_text::temporal::{ConstraintStrength, TimeSpan};

use crate::memory_index::MemoryIndex;
use crate::recall::candidates::scored::Candidate;
use crate::recall::question::parsed::Question;
use crate::recall::ranking::subject::SubjectMatch;
use crate::results::Strength;

/// Smallest relevance of a trusted block for which a place is reserved among untrusted ones.
const MIN_RESERVED: f64 = 0.01;
/// Smallest relevance of a block that is returned, as a share of the relevance of the answer: where the whole answer is
/// doubtful, every block of it is.
const MIN_SHARE: f64 = 0.025;
/// Smallest weight of an edge that brings a block into an answer: that of an `elaborates` edge as it is asserted.
const FIRM_EDGE: f32 = 0.7;
/// The share of the question's words from which a block is returned, however far it is behind the best one.
const MOST_WORDS: f64 = 0.5;
/// The probability of an answer if something happened at the time that the question states: "what broke on 2 July?" has no
/// word of the note about that day.
const AT_STATED_TIME: f64 = 0.5;
/// Longest stated time that says which blocks are meant, in seconds: a month.
const MAX_STATED: i64 = 31 * 24 * 3600;
/// How many times as many blocks there must be as those that a stated time fits: if it fits most of them, it selects none.
const SELECTED: usize = 3;

/// Relevance of an answer and of its blocks.
///
/// Trusted blocks are measured by trusted candidates alone, so that no untrusted text changes whether and how they are shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerRelevance {
    trusted: Measure,
    all: Measure,
}

/// What blocks are measured by.
#[derive(Debug, Clone, Copy)]
struct Measure {
    curve: RelevanceCurve,
    evidence: AnswerEvidence,
    /// What use taught about the curve.
    calibration: RelevanceCalibration,
    /// The probability that the memory holds an answer, before the calibration: from blocks of which at least so much counts,
    /// in the order of [`SubjectMatch::ALL`].
    plain: [f64; SubjectMatch::ALL.len()],
    /// The probability that the memory holds an answer.
    probability: f64,
    /// The best match of any candidate.
    best_match: f64,
    /// The best match of any candidate but the one that ranks first; none if there is no other.
    next_match: Option<f64>,
    /// The candidate that ranks first.
    first: Option<u32>,
}

impl AnswerRelevance {
    /// Computes the relevance of an answer from its candidates, best first.
    pub(in crate::recall) fn of(candidates: &[Candidate], question: &Question, index: &MemoryIndex) -> Self {
        let trusted = candidates.iter().filter(|candidate| index.is_trusted(candidate.slot));
        Self {
            trusted: Measure::of(trusted, question, index.count_trusted()),
            all: Measure::of(candidates.iter(), question, index.len()),
        }
    }

    /// Returns the probability that the memory holds an answer.
    pub(crate) fn probability(&self) -> f64 {
        self.trusted.probability.max(self.all.probability)
    }

    /// Returns what the probability was computed from.
    pub(crate) fn evidence(&self) -> AnswerEvidence {
        if self.trusted.probability >= self.all.probability { self.trusted.evidence } else { self.all.evidence }
    }

    /// Returns the probability that a block helps. The curve knows nothing of edges and of what stands around a block: one that
    /// was found by that, in a conversation or a document, or that is firmly connected to another, is worth the floor. So is
    /// one with most of the question's words that stands far behind the best.
    pub(in crate::recall) fn of_hit(&self, candidate: &Candidate, trusted: bool) -> f64 {
        let own = self.measure(trusted).of_hit(candidate);
        if self.is_lifted(candidate) { own.max(self.min_hit(trusted)) } else { own }
    }

    /// Returns whether a block is worth the floor whatever the curve says.
    pub(in crate::recall) fn is_lifted(&self, candidate: &Candidate) -> bool {
        let holds_most = candidate.words >= MOST_WORDS;
        let is_connected = candidate.via.is_some_and(|(_, weight)| weight >= FIRM_EDGE);
        candidate.context > 0.0 || is_connected || holds_most
    }

    /// Returns whether blocks of this kind of source may answer at all.
    pub(in crate::recall) fn answers(&self, trusted: bool) -> bool {
        Strength::of(self.measure(trusted).probability) != Strength::Weak
    }

    /// Returns the smallest relevance of a block that is returned. A calibration moves it along: it hides no block of an answer.
    pub(in crate::recall) fn min_hit(&self, trusted: bool) -> f64 {
        let measure = self.measure(trusted);
        measure.calibration.apply(MIN_SHARE * measure.plain_answer())
    }

    /// Returns the smallest relevance of a trusted block for which a place is reserved, in frames that have no floor.
    pub(in crate::recall) fn min_reserved(&self) -> f64 {
        self.all.calibration.apply(MIN_RESERVED)
    }

    fn measure(&self, trusted: bool) -> &Measure {
        if trusted { &self.trusted } else { &self.all }
    }
}

impl Measure {
    fn of<'a>(candidates: impl Iterator<Item = &'a Candidate> + Clone, question: &Question, blocks: usize) -> Self {
        let first = candidates.clone().next();
        let evidence = evidence_of(candidates.clone(), question, blocks);
        let best_match = candidates.clone().map(Candidate::balanced_match).fold(0.0, f64::max);
        let next_match = candidates.clone().skip(1).map(Candidate::balanced_match).reduce(f64::max);
        // A block about somebody else is evidence for less, and so is an answer from such blocks alone.
        let plain = SubjectMatch::ALL.map(|least| {
            let counted = |one: &&Candidate| one.subject.relevance_share() >= least.relevance_share();
            let plain = plain_probability(candidates.clone().filter(counted), question, blocks);
            plain * least.relevance_share()
        });
        let calibration = question.calibrated.as_ref().map(|curve| curve.calibration).unwrap_or_default();
        let first = first.map(|candidate| candidate.slot);
        let probability = calibration.apply(highest(&plain));
        Self { curve: question.curve, evidence, calibration, plain, probability, best_match, next_match, first }
    }

    /// Returns the probability that the memory holds an answer, before the calibration.
    fn plain_answer(&self) -> f64 {
        highest(&self.plain)
    }

    fn of_hit(&self, candidate: &Candidate) -> f64 {
        let (meaning, words) = (candidate.meaning_or_cue(), candidate.words);
        let behind = (self.best_match - candidate.balanced_match()).max(0.0);
        let first = self.first == Some(candidate.slot);
        // If only one block can answer, it answers whenever the memory does.
        let Some(next_match) = self.next_match.or((!first).then_some(0.0)) else { return self.probability };
        let plain = SubjectMatch::ALL.iter().position(|one| *one == candidate.subject).map_or(0.0, |at| self.plain[at]);
        let lead = if first { (candidate.balanced_match() - next_match).max(0.0) } else { 0.0 };
        let curve = candidate.plain_meaning().map_or(RelevanceCurve::WORDS, |_| self.curve);
        self.calibration.apply(curve.hit(plain, &HitEvidence { meaning, words, behind, first, lead }))
    }
}

fn highest(probabilities: &[f64]) -> f64 {
    probabilities.iter().copied().fold(0.0, f64::max)
}

/// Returns what the probability of an answer is computed from, with candidates best first.
fn evidence_of<'a>(
    candidates: impl Iterator<Item = &'a Candidate> + Clone,
    question: &Question,
    blocks: usize,
) -> AnswerEvidence {
    AnswerEvidence {
        best: candidates.clone().filter_map(Candidate::plain_meaning).fold(0.0, f64::max),
        background: question.background.unwrap_or(0.0),
        words: candidates.clone().next().map_or(0.0, |candidate| candidate.words),
        cue: candidates.filter_map(|candidate| candidate.cue).fold(0.0, f64::max),
        blocks,
    }
}

/// Returns the probability that one of some candidates, best first, answers the question.
fn plain_probability<'a>(
    candidates: impl Iterator<Item = &'a Candidate> + Clone,
    question: &Question,
    blocks: usize,
) -> f64 {
    let evidence = evidence_of(candidates.clone(), question, blocks);
    // A block that was not embedded yet answers by its words.
    let waiting = candidates.clone().filter(|candidate| candidate.plain_meaning().is_none());
    let words = waiting.map(|candidate| candidate.words).fold(0.0, f64::max);
    let by_words = match words > 0.0 {
        true if question.vector.is_some() => RelevanceCurve::WAITING.answer(&AnswerEvidence { words, ..evidence }),
        true => RelevanceCurve::WORDS.answer(&AnswerEvidence { words, ..evidence }),
        false => 0.0,
    };
    // Without any candidate there is nothing that could answer.
    let by_time = if is_selected_by_time(candidates.clone(), question) { AT_STATED_TIME } else { 0.0 };
    candidates.clone().next().map_or(0.0, |_| question.curve.answer(&evidence).max(by_words).max(by_time))
}

/// Returns whether the question states a time that fits a few of the candidates exactly.
fn is_selected_by_time<'a>(candidates: impl Iterator<Item = &'a Candidate> + Clone, question: &Question) -> bool {
    let stated = question.time.as_ref().filter(|time| time.strength == ConstraintStrength::Hard);
    let is_short = |span: TimeSpan| span.until.as_second().saturating_sub(span.from.as_second()) <= MAX_STATED;
    if !stated.and_then(|time| time.span).is_some_and(is_short) {
        return false;
    }
    let fitting = candidates.clone().filter(|candidate| candidate.time == Some(1.0)).count();
    fitting > 0 && SELECTED * fitting <= candidates.count()
}

#[cfg(test)]
mod tests {
    use elfmem_core::Timestamp;
    use elfmem_text::temporal::parse_time_query;

    use super::*;

    /// The probability of an answer from candidates without a word of the question, whose times fit it so well.
    fn probability(question: &str, fits: &[f64]) -> f64 {
        let now: Timestamp = "2024-02-01T12:00:00Z".parse().unwrap();
        let question = Question { time: parse_time_query(question, now), ..Question::default() };
        assert!(question.time.is_some());
        let candidate = |(slot, fit): (u32, &f64)| Candidate { slot, time: Some(*fit), ..Candidate::default() };
        let candidates: Vec<Candidate> = (0..).zip(fits).map(candidate).collect();
        Measure::of(candidates.iter(), &question, candidates.len()).probability
    }

    #[test]
    fn a_note_of_the_stated_day_answers_without_a_word_of_the_question() {
        let is_weak = |probability: f64| Strength::of(probability) == Strength::Weak;
        let day = "What broke on 2 July 2023?";
        assert!(!is_weak(probability(day, &[1.0, 0.2, 0.1])));
        assert!(is_weak(probability(day, &[0.9, 0.2, 0.1])), "no note is of that day");
        assert!(is_weak(probability(day, &[1.0, 1.0, 0.1])), "most notes are of that day");
        assert!(is_weak(probability("What broke in 2023?", &[1.0, 0.2, 0.1])), "a year selects nothing");
    }
}
