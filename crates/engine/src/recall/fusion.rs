//! Fusion: many voices, one number.
//!
//! Every voice has a scale of its own that does not depend on the other blocks: the share of the question's words, the
//! cosine. So what a stranger scores changes nothing for the rest, and the sum can be taken apart again to explain it.
//! Where the numbers come from is told in `docs/decisions/0006-how-recall-adds-up.md`.

/// How much each voice counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    /// The words of the block itself.
    pub(crate) words: f64,
    /// The words of the block and those around it, each where it is worth most.
    pub(crate) covered: f64,
    /// The meaning of the block.
    pub(crate) meaning: f64,
    /// What the blocks just before and after score by themselves.
    pub(crate) neighbours: f64,
    /// What the best block of the same session scores by itself.
    pub(crate) session: f64,
    /// The person asked about is the one who said it.
    pub(crate) who: f64,
    /// Its time fits a time that the question names outright.
    pub(crate) time: f64,
    /// Its time fits a time that the question hints at.
    pub(crate) hinted_time: f64,
    /// The question asks when, and the block says when.
    pub(crate) dated: f64,
    /// The block asks instead of telling; taken away.
    pub(crate) asking: f64,
    /// Whether what was stored around a block counts at all.
    pub(crate) contiguity: bool,
    /// What words and meaning count when it is decided who gets a closer look.
    pub(crate) look: (f64, f64),
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            words: 0.30,
            covered: 0.40,
            meaning: 0.30,
            neighbours: 0.25,
            session: 0.30,
            who: 0.15,
            time: 0.20,
            hinted_time: 0.10,
            dated: 0.12,
            asking: 0.08,
            contiguity: true,
            look: (Own::WORDS, Own::MEANING),
        }
    }
}

impl Settings {
    /// The score by which a block gets a closer look.
    pub(crate) fn at_first_sight(&self, own: Own) -> f64 {
        self.look.0 * own.words + self.look.1 * own.meaning
    }
}

/// The two blocks before and the two after: what a word that stands there is worth, and what their scores are.
pub(crate) const BESIDE: [(f64, f64); 4] = [(0.6, 0.5), (0.8, 1.0), (0.8, 0.5), (0.6, 0.25)];

/// What a block scores by itself, both in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Own {
    /// Its share of the question's words.
    pub(crate) words: f64,
    /// Its cosine, never below zero.
    pub(crate) meaning: f64,
}

impl Own {
    /// What words and meaning count when a block is looked at by itself.
    pub(crate) const WORDS: f64 = 0.65;
    pub(crate) const MEANING: f64 = 0.35;

    /// The score that blocks share with their neighbours.
    pub(crate) fn score(self) -> f64 {
        Self::WORDS * self.words + Self::MEANING * self.meaning
    }

    /// How well the block fits the question: half words, half meaning.
    pub(crate) fn relevance(self) -> f64 {
        (0.5 * self.words + 0.5 * self.meaning).clamp(0.0, 1.0)
    }
}

/// What speaks for a block beside itself.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Voices {
    /// The share of the question's words that it and its neighbours hold.
    pub(crate) covered: f64,
    /// What its neighbours score by themselves, the nearer the more.
    pub(crate) neighbours: f64,
    /// What the best of its session scores by itself.
    pub(crate) session: f64,
    /// Whether the person asked about said it.
    pub(crate) who: bool,
    /// How well its time fits the one asked about; none when none is.
    pub(crate) time: Option<f64>,
    /// Whether that time was named outright.
    pub(crate) named_outright: bool,
    /// Whether it says when and the question asks for that.
    pub(crate) dated: bool,
    /// Whether it asks instead of telling.
    pub(crate) asking: bool,
}

/// What became of them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Fused {
    /// All of it; never below zero.
    pub(crate) total: f64,
    /// How much of that came from around the block.
    pub(crate) context: f64,
    /// How much of that came from who said it.
    pub(crate) who: f64,
}

/// Adds the voices up.
pub(crate) fn fuse(own: Own, voices: &Voices, settings: &Settings) -> Fused {
    let alone = (settings.words + settings.covered) * own.words + settings.meaning * own.meaning;
    let context = if settings.contiguity {
        settings.covered * (voices.covered - own.words).max(0.0)
            + settings.neighbours * voices.neighbours
            + settings.session * voices.session
    } else {
        0.0
    };
    let who = if voices.who { settings.who } else { 0.0 };
    let weight = if voices.named_outright { settings.time } else { settings.hinted_time };
    let time = voices.time.unwrap_or(0.0) * weight + if voices.dated { settings.dated } else { 0.0 };
    let asking = if voices.asking { settings.asking } else { 0.0 };
    Fused { total: (alone + context + who + time - asking).max(0.0), context, who }
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
        fn more_of_anything_that_speaks_for_a_block_never_lowers_it(
            words in part(), meaning in part(), covered in part(), neighbours in part(), session in part(), more in part(),
        ) {
            let settings = Settings::default();
            let voices = Voices { covered, neighbours, session, ..Voices::default() };
            let own = Own { words, meaning };
            let total = |own: Own, voices: &Voices| fuse(own, voices, &settings).total;
            let before = total(own, &voices);
            let at_most = |value: f64| (value + more).min(1.0);
            let nearer = Own { words, meaning: at_most(meaning) };
            prop_assert!(total(nearer, &voices) >= before);
            for better in [
                Voices { covered: at_most(covered), ..voices },
                Voices { session: at_most(session), ..voices },
                Voices { neighbours: at_most(neighbours), ..voices },
                Voices { who: true, ..voices },
                Voices { time: Some(more), ..voices },
            ] {
                prop_assert!(total(own, &better) >= before);
            }
            let asking = Voices { asking: true, ..voices };
            prop_assert!(total(own, &asking) <= before);
        }

        #[test]
        fn with_contiguity_off_nothing_around_a_block_counts(
            words in part(), meaning in part(), covered in part(), neighbours in part(), session in part(),
        ) {
            let settings = Settings { contiguity: false, ..Settings::default() };
            let voices = Voices { covered, neighbours, session, ..Voices::default() };
            let fused = fuse(Own { words, meaning }, &voices, &settings);
            prop_assert_eq!(fused, fuse(Own { words, meaning }, &Voices::default(), &settings));
            prop_assert_eq!(fused.context, 0.0);
        }
    }

    #[test]
    fn a_block_that_says_all_of_it_alone_scores_one() {
        let fused = fuse(Own { words: 1.0, meaning: 1.0 }, &Voices::default(), &Settings::default());
        assert!((fused.total - 1.0).abs() < 1e-12);
    }
}
