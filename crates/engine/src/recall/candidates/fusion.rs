//! Fusion: one score from several signals.
//!
//! Every signal has a scale of its own that does not depend on other blocks: the share of the question's words, the
//! cosine. So an unrelated block changes nothing for the rest, and the sum can be taken apart again to explain it. The
//! weights are explained in `docs/decisions/0006-how-recall-adds-up.md`.

/// The weight of each signal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FusionWeights {
    /// The words of the block itself.
    pub(crate) words: f64,
    /// The words of the block and those around it, each where it contributes most.
    pub(crate) covered: f64,
    /// The cosine of the block.
    pub(crate) meaning: f64,
    /// The scores of the blocks stored just before and after.
    pub(crate) neighbours: f64,
    /// The score of the best block of the same session.
    pub(crate) session: f64,
    /// The source of the block is a person that the question names.
    pub(crate) who: f64,
    /// The time of the block fits a time that the question states.
    pub(crate) time: f64,
    /// The time of the block fits a time that the question hints at.
    pub(crate) hinted_time: f64,
    /// The question asks when, and the block states a date.
    pub(crate) dated: f64,
    /// The block is a question itself; subtracted.
    pub(crate) is_question: f64,
    /// Whether blocks that were stored around a block count at all.
    pub(crate) contiguity: bool,
    /// The weights of words and cosine in the shortlist.
    pub(crate) shortlist: (f64, f64),
}

impl Default for FusionWeights {
    fn default() -> Self {
        Self {
            words: 0.20,
            covered: 0.30,
            meaning: 0.50,
            neighbours: 0.25,
            session: 0.30,
            who: 0.15,
            time: 0.27,
            hinted_time: 0.15,
            dated: 0.12,
            is_question: 0.08,
            contiguity: true,
            shortlist: (0.5, 0.5),
        }
    }
}

impl FusionWeights {
    /// Returns the score by which a block enters the shortlist.
    pub(crate) fn shortlist_score(&self, own: MatchScore) -> f64 {
        self.shortlist.0 * own.words + self.shortlist.1 * own.meaning
    }
}

/// For the two blocks stored before and the two after: the share of a word there, and the share of their score.
pub(crate) const BESIDE: [(f64, f64); 4] = [(0.6, 0.5), (0.8, 1.0), (0.8, 0.5), (0.6, 0.25)];

/// How much more the time counts for a block that gains nothing from others: its sum is smaller.
const ALONE: f64 = 1.7;

/// How well a block matches a question by itself, both parts in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct MatchScore {
    /// Its share of the question's words.
    pub(crate) words: f64,
    /// Its cosine, or that of its nearest cue; never below zero.
    pub(crate) meaning: f64,
}

impl MatchScore {
    /// The weights of words and cosine for a block by itself.
    pub(crate) const WORDS: f64 = 0.65;
    pub(crate) const MEANING: f64 = 0.35;

    /// Returns the score that counts for the neighbours of the block.
    pub(crate) fn score(self) -> f64 {
        Self::WORDS * self.words + Self::MEANING * self.meaning
    }
}

/// Signals about a block beside its own match.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Signals {
    /// The share of the question's words that the block and its neighbours hold.
    pub(crate) covered: f64,
    /// The scores of its neighbours, nearer ones weighted higher.
    pub(crate) neighbours: f64,
    /// The score of the best block of its session.
    pub(crate) session: f64,
    /// Whether its source is a person that the question names.
    pub(crate) who: bool,
    /// How well its time fits the one in the question; none when there is none.
    pub(crate) time: Option<f64>,
    /// Whether the question states that time, instead of hinting at it.
    pub(crate) stated_time: bool,
    /// Whether it states a date and the question asks for one.
    pub(crate) dated: bool,
    /// Whether it is a question itself.
    pub(crate) is_question: bool,
}

/// The sum of all signals, and parts of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct FusedScore {
    /// The sum; never below zero.
    pub(crate) total: f64,
    /// The part that comes from blocks stored around the block.
    pub(crate) context: f64,
    /// The part that comes from its source.
    pub(crate) who: f64,
}

/// Adds up the signals of a block.
pub(crate) fn fuse(own: MatchScore, signals: &Signals, weights: &FusionWeights) -> FusedScore {
    let alone = (weights.words + weights.covered) * own.words + weights.meaning * own.meaning;
    let context = if weights.contiguity {
        weights.covered * (signals.covered - own.words).max(0.0)
            + weights.neighbours * signals.neighbours
            + weights.session * signals.session
    } else {
        0.0
    };
    let who = if signals.who { weights.who } else { 0.0 };
    let time_weight = if signals.stated_time { weights.time } else { weights.hinted_time };
    let time_weight = if context > 0.0 { time_weight } else { time_weight * ALONE };
    let time = signals.time.unwrap_or(0.0) * time_weight + if signals.dated { weights.dated } else { 0.0 };
    let is_question = if signals.is_question { weights.is_question } else { 0.0 };
    FusedScore { total: (alone + context + who + time - is_question).max(0.0), context, who }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part() -> impl Strategy<Value = f64> {
        0.0..=1.0f64
    }

    proptest! {
        #[test]
        fn a_higher_signal_never_lowers_a_score(
            words in part(), meaning in part(), covered in part(), neighbours in part(), session in part(), more in part(),
        ) {
            let weights = FusionWeights::default();
            let signals = Signals { covered, neighbours, session, ..Signals::default() };
            let own = MatchScore { words, meaning };
            let total = |own: MatchScore, signals: &Signals| fuse(own, signals, &weights).total;
            let before = total(own, &signals);
            let at_most = |value: f64| (value + more).min(1.0);
            let nearer = MatchScore { words, meaning: at_most(meaning) };
            prop_assert!(total(nearer, &signals) >= before);
            for better in [
                Signals { covered: at_most(covered), ..signals },
                Signals { session: at_most(session), ..signals },
                Signals { neighbours: at_most(neighbours), ..signals },
                Signals { who: true, ..signals },
                Signals { time: Some(more), ..signals },
            ] {
                prop_assert!(total(own, &better) >= before);
            }
            let question = Signals { is_question: true, ..signals };
            prop_assert!(total(own, &question) <= before);
        }

        #[test]
        fn with_contiguity_off_nothing_around_a_block_counts(
            words in part(), meaning in part(), covered in part(), neighbours in part(), session in part(),
        ) {
            let weights = FusionWeights { contiguity: false, ..FusionWeights::default() };
            let signals = Signals { covered, neighbours, session, ..Signals::default() };
            let fused = fuse(MatchScore { words, meaning }, &signals, &weights);
            prop_assert_eq!(fused, fuse(MatchScore { words, meaning }, &Signals::default(), &weights));
            prop_assert_eq!(fused.context, 0.0);
        }
    }

    #[test]
    fn a_block_that_says_all_of_it_alone_scores_one() {
        let fused = fuse(MatchScore { words: 1.0, meaning: 1.0 }, &Signals::default(), &FusionWeights::default());
        assert!((fused.total - 1.0).abs() < 1e-12);
    }
}
