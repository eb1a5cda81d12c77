//! Relevance: what the cosines of a model say about the chance that a block helps to answer a question.
//!
//! Two probabilities are multiplied. The first is that of the whole answer: that the memory holds something about the
//! question at all. The second is that of one block: that it helps, given that something does. Both are logistic
//! functions whose weights are fitted for each model by `elfmem-bench calibration`.

use serde::{Deserialize, Serialize};

/// The logistic function.
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Smallest size that makes a difference.
const MIN_SIZE: f64 = 5.0;
/// Blocks of the memories that the weights were fitted on.
const FITTED_SIZE: f64 = 100.0;

/// The share of a question's words in one block, or the cosine of a cue, from which it is more likely an answer than not, and how fast that rises.
const HALF_SURE: f64 = 0.45;
const NEARLY_ALL_WORDS: f64 = 12.0;

/// How fast the probability rises with the cosine of a block on the topic.
const ON_TOPIC_SLOPE: f64 = 25.0;
/// How much less near a cue needs to be: it was written for such questions.
const CUE_ADVANTAGE: f64 = 0.1;

/// The evidence for a whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct AnswerEvidence {
    /// The highest cosine of a block and the question, all words of which weigh the same.
    pub best: f64,
    /// The mean of the two highest cosines of texts that have nothing to do with the memory.
    pub background: f64,
    /// The share of the question's words that the best block holds.
    pub words: f64,
    /// The highest cosine of a cue and the question.
    pub cue: f64,
    /// The number of blocks: the best of many unrelated blocks is nearer than the best of a few.
    pub blocks: usize,
}

/// The evidence for one block.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct HitEvidence {
    /// The cosine of the block and the question, the words of which weigh by rarity.
    pub meaning: f64,
    /// The share of the question's words that the block holds.
    pub words: f64,
    /// How far its match, half words and half meaning, is behind the best one.
    pub behind: f64,
    /// Whether it ranks first.
    pub first: bool,
    /// How far its match is ahead of the next one, if it ranks first; otherwise zero.
    pub lead: f64,
}

/// The weights of the evidence for a whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerWeights {
    /// The constant.
    pub constant: f64,
    /// For each unit of [`AnswerEvidence::best`].
    pub best: f64,
    /// For each unit of [`AnswerEvidence::background`]; subtracted.
    pub background: f64,
    /// For each unit of [`AnswerEvidence::words`].
    pub words: f64,
    /// For each time the memory is e times larger; subtracted.
    pub size: f64,
    /// The cosine from which a block is more likely an answer than not, however near unrelated texts are.
    pub on_topic: f64,
}

/// The weights of the evidence for one block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HitWeights {
    /// The constant.
    pub constant: f64,
    /// For each unit of [`HitEvidence::meaning`].
    pub meaning: f64,
    /// For each unit of [`HitEvidence::words`].
    pub words: f64,
    /// For each unit of [`HitEvidence::behind`]; subtracted.
    pub behind: f64,
    /// For the block that ranks first.
    pub first: f64,
    /// For each unit of [`HitEvidence::lead`].
    #[serde(default)]
    pub lead: f64,
}

/// How the evidence becomes a probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelevanceCurve {
    /// For a whole answer.
    pub answer: AnswerWeights,
    /// For one block.
    pub hit: HitWeights,
}

impl RelevanceCurve {
    /// For models that nobody measured.
    pub const HOSTED: Self = Self {
        answer: AnswerWeights { constant: -6.7, best: 13.3, background: 0.0, words: 13.3, size: 0.7, on_topic: 0.8 },
        hit: HitWeights { constant: -1.2, meaning: 1.5, words: 2.0, behind: 6.0, first: 1.3, lead: 0.0 },
    };

    /// For answers that no model took part in: the words decide.
    pub const WORDS: Self = Self {
        answer: AnswerWeights { constant: -2.5, best: 0.0, background: 0.0, words: 12.0, size: 0.3, on_topic: 1.0 },
        hit: HitWeights { constant: -1.2, meaning: 0.0, words: 3.5, behind: 6.0, first: 1.3, lead: 0.0 },
    };

    /// For blocks without a vector beside others that have one: their words must say more.
    pub const WAITING: Self =
        Self { answer: AnswerWeights { constant: -4.0, ..Self::WORDS.answer }, hit: Self::WORDS.hit };

    /// Returns the probability that the memory holds an answer. A block that holds nearly all words of the question, or that
    /// has a cue for it, is one, whatever its vector says.
    pub fn answer(&self, evidence: &AnswerEvidence) -> f64 {
        let AnswerWeights { constant, best, background, words, size, on_topic } = self.answer;
        let AnswerEvidence { blocks, .. } = *evidence;
        let larger = ((blocks as f64).max(MIN_SIZE) / FITTED_SIZE).ln();
        let by_vectors = sigmoid(
            constant + best * evidence.best - background * evidence.background + words * evidence.words - size * larger,
        );
        let on_topic = sigmoid(ON_TOPIC_SLOPE * (evidence.best - on_topic));
        by_vectors
            .max(on_topic)
            .max(sigmoid(NEARLY_ALL_WORDS * (evidence.words.max(evidence.cue + CUE_ADVANTAGE) - HALF_SURE)))
    }

    /// Returns the probability that a block helps, given the probability of the whole answer.
    pub fn hit(&self, answer: f64, evidence: &HitEvidence) -> f64 {
        let HitWeights { constant, meaning, words, behind, first, lead } = self.hit;
        let first = if evidence.first { first } else { 0.0 };
        let ahead = first + lead * evidence.lead;
        let own = constant + meaning * evidence.meaning + words * evidence.words - behind * evidence.behind + ahead;
        answer * sigmoid(own)
    }

    /// Returns eight hexadecimal digits that another curve does not have.
    pub fn fingerprint(&self) -> String {
        let AnswerWeights { constant, best, background, words, size, on_topic } = self.answer;
        let hit = self.hit;
        let weights = [constant, best, background, words, size, on_topic];
        let hit = [hit.constant, hit.meaning, hit.words, hit.behind, hit.first, hit.lead];
        let all = weights.into_iter().chain(hit);
        let bytes = all.flat_map(|weight| weight.to_bits().to_le_bytes());
        let hash = bytes.fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        format!("{hash:08x}")
    }

    /// Returns whether more evidence never lowers a probability.
    pub fn is_monotone(&self) -> bool {
        let AnswerWeights { best, background, words, size, .. } = self.answer;
        let hit = self.hit;
        [best, background, words, size, hit.meaning, hit.words, hit.behind, hit.first, hit.lead]
            .iter()
            .all(|weight| *weight >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn more_evidence_never_lowers_a_probability(
            best in 0.0..1.0f64, words in 0.0..1.0f64, background in 0.0..1.0f64, more in 0.0..0.5f64, blocks in 0..1_000_000usize,
        ) {
            for curve in [RelevanceCurve::HOSTED, RelevanceCurve::WORDS] {
                prop_assert!(curve.is_monotone());
                let evidence = AnswerEvidence { best, background, words, cue: 0.0, blocks };
                let before = curve.answer(&evidence);
                prop_assert!((0.0..=1.0).contains(&before));
                for better in [
                    AnswerEvidence { best: best + more, ..evidence },
                    AnswerEvidence { words: words + more, ..evidence },
                    AnswerEvidence { background: background - more, ..evidence },
                    AnswerEvidence { blocks: blocks / 2, ..evidence },
                ] {
                    prop_assert!(curve.answer(&better) >= before);
                }
                let hit = HitEvidence { meaning: best, words, behind: background, first: false, lead: 0.0 };
                let own = curve.hit(before, &hit);
                prop_assert!(own <= before);
                for better in [
                    HitEvidence { meaning: best + more, ..hit },
                    HitEvidence { words: words + more, ..hit },
                    HitEvidence { behind: background - more, ..hit },
                    HitEvidence { first: true, ..hit },
                    HitEvidence { lead: more, ..hit },
                ] {
                    prop_assert!(curve.hit(before, &better) >= own);
                }
            }
        }
    }
}
