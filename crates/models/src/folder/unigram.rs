//! Unigram tokenization: the most probable way to cut a word into pieces.

use std::collections::HashMap;

/// How much less probable than the least probable piece an unknown character is.
const UNKNOWN_PENALTY: f64 = 10.0;

/// The pieces of a vocabulary with their log probabilities.
#[derive(Debug)]
pub(super) struct Unigram {
    pieces: HashMap<Box<str>, (u32, f64)>,
    unknown: u32,
    unknown_score: f64,
    /// Length of the longest piece in bytes.
    longest: usize,
}

/// The best way to a position of a word.
#[derive(Debug, Clone, Copy)]
struct PathStep {
    score: f64,
    from: usize,
    id: u32,
}

impl Unigram {
    /// Makes a vocabulary of pieces; the number of a piece is its id. Pieces for which `is_special` holds are never found in
    /// a text.
    pub(super) fn new(pieces: Vec<(String, f64)>, unknown: u32, is_special: impl Fn(u32) -> bool) -> Self {
        let lowest = pieces.iter().map(|(_, score)| *score).filter(|score| score.is_finite()).fold(0.0, f64::min);
        let (mut map, mut longest) = (HashMap::with_capacity(pieces.len()), 0);
        for (id, (text, score)) in (0..).zip(pieces) {
            if !is_special(id) && id != unknown && score.is_finite() && !text.is_empty() {
                longest = longest.max(text.len());
                map.insert(text.into_boxed_str(), (id, score));
            }
        }
        Self { pieces: map, unknown, unknown_score: lowest - UNKNOWN_PENALTY, longest }
    }

    /// Appends the pieces of a word. Neighbouring unknown characters are one unknown piece.
    pub(super) fn split(&self, word: &str, ids: &mut Vec<u32>) {
        let mut best: Vec<Option<PathStep>> = vec![None; word.len() + 1];
        for (at, first) in word.char_indices() {
            // Every position that a character starts at was reached: at worst by an unknown one.
            let reached = if at == 0 { 0.0 } else { best[at].map_or(f64::NEG_INFINITY, |step| step.score) };
            let mut offer = |end: usize, id: u32, score: f64| {
                let score = reached + score;
                if best[end].is_none_or(|step| score > step.score) {
                    best[end] = Some(PathStep { score, from: at, id });
                }
            };
            let mut single = false;
            for length in 1..=self.longest.min(word.len() - at) {
                let end = at + length;
                if word.is_char_boundary(end)
                    && let Some((id, score)) = self.pieces.get(&word[at..end])
                {
                    offer(end, *id, *score);
                    single |= length == first.len_utf8();
                }
            }
            if !single {
                offer(at + first.len_utf8(), self.unknown, self.unknown_score);
            }
        }
        let (start, mut at) = (ids.len(), word.len());
        while at > 0
            && let Some(step) = best[at]
        {
            if step.id != self.unknown || ids.len() == start || ids.last() != Some(&self.unknown) {
                ids.push(step.id);
            }
            at = step.from;
        }
        ids[start..].reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vocabulary() -> Unigram {
        let pieces =
            [("<unk>", 0.0), ("<s>", 0.0), ("▁", -2.0), ("▁tea", -3.0), ("te", -4.0), ("a", -2.5), ("▁t", -2.2)];
        let pieces = pieces.into_iter().chain([("e", -2.4), ("é", -6.0), ("pot", -5.0)]);
        Unigram::new(pieces.map(|(text, score)| (text.to_owned(), score)).collect(), 0, |id| id == 1)
    }

    fn split(word: &str) -> Vec<u32> {
        let mut ids = vec![99];
        vocabulary().split(word, &mut ids);
        assert_eq!(ids.remove(0), 99);
        ids
    }

    #[test]
    fn the_most_probable_pieces_win() {
        assert_eq!(split("▁teapot"), [3, 9]);
        assert_eq!(split("▁te"), [6, 7], "two probable pieces beat a blank and one that is less so");
        assert_eq!(split("▁é"), [2, 8]);
        assert_eq!(split(""), [0u32; 0]);
    }

    #[test]
    fn unknown_characters_are_one_piece_and_special_ones_are_text() {
        assert_eq!(split("▁日本a"), [2, 0, 5]);
        assert_eq!(split("▁<s>"), [2, 0]);
    }

    proptest! {
        #[test]
        fn any_word_is_split(word in any::<String>()) {
            prop_assert_eq!(split(&word).is_empty(), word.is_empty());
        }
    }
}
