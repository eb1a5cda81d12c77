//! A query with the posting lists of its words.

use std::sync::Arc;

use elfmem_text::bm25::{B, K1};
use elfmem_text::language::unmarked;

use super::postings::{Frequencies, Postings};
use super::query::WeightedWord;
use super::scores::WordScores;

/// A query whose words were looked up in one state of a [`WordIndex`](super::WordIndex). It scores blocks of that state,
/// whatever happens to the index meanwhile.
#[derive(Debug, Clone, Default)]
pub struct PreparedQuery {
    words: Vec<PreparedWord>,
    /// None without words.
    frequencies: Option<Arc<Frequencies>>,
    /// By slot.
    lengths: Arc<Vec<u32>>,
    documents: u64,
    mean_length: f64,
}

#[derive(Debug, Clone)]
struct PreparedWord {
    word: String,
    /// The word, and what it is taken for if it is misspelt: `tusday (tuesday)`.
    shown: String,
    rarity: f64,
    /// The word's share of the best possible score, as far as its terms certainly mean it.
    share: f64,
    postings: Arc<Postings>,
}

impl PreparedQuery {
    pub(super) fn new(
        found: Vec<(&WeightedWord, Arc<Postings>)>,
        frequencies: Arc<Frequencies>,
        lengths: Arc<Vec<u32>>,
        documents: u64,
        mean_length: f64,
    ) -> Self {
        let rarities = found.iter().map(|(_, postings)| rarity(documents, postings)).collect::<Vec<_>>();
        let ideal: f64 = found.iter().zip(&rarities).map(|((word, _), rarity)| word.weight * rarity).sum();
        let words = found
            .into_iter()
            .zip(rarities)
            .map(|((word, postings), rarity)| {
                let share = if ideal > 0.0 { word.weight * rarity / ideal } else { 0.0 };
                PreparedWord {
                    word: word.word.clone(),
                    shown: shown(word),
                    rarity,
                    share: share * word.certainty,
                    postings,
                }
            })
            .collect();
        Self { words, frequencies: Some(frequencies), lengths, documents, mean_length }
    }

    /// Returns how many different words the query has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns whether the query has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Iterates over the words and their inverse document frequencies, as in `elfmem_text::bm25`.
    pub fn rarities(&self) -> impl Iterator<Item = (&str, f64)> {
        self.words.iter().map(|word| (word.word.as_str(), word.rarity))
    }

    /// Returns how many blocks the index holds.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Iterates over the numbers of blocks that hold each word.
    pub fn document_frequencies(&self) -> impl Iterator<Item = u32> {
        self.words.iter().map(|word| word.postings.live())
    }

    /// Scores all blocks that hold a word of the query.
    pub fn score(&self) -> WordScores {
        let mut scores = WordScores::new();
        self.score_into(&mut scores);
        scores
    }

    /// Scores all blocks that hold a word of the query, into a list that is overwritten without allocating.
    ///
    /// Cost: one pass over the posting list of each word.
    pub fn score_into(&self, scores: &mut WordScores) {
        scores.prepare(self.lengths.len());
        let flat = K1 * (1.0 - B);
        let per_word = K1 * B / self.mean_length.max(1.0);
        let Some(frequencies) = self.frequencies.as_deref() else { return };
        let mut adder = scores.adder();
        for PreparedWord { share, postings, .. } in self.words.iter().filter(|word| word.share > 0.0) {
            for posting in postings.entries() {
                let slot = posting.slot();
                let frequency = postings.weighted(*posting, frequencies);
                let length = f64::from(self.lengths[slot as usize]);
                adder.add(slot, share * frequency / (frequency + flat + per_word * length));
            }
        }
    }

    /// Returns the words of the query that a block holds, in the order of the query. A misspelt word is followed by what
    /// it is taken for, in brackets.
    pub fn matched(&self, slot: u32) -> Vec<&str> {
        let Some(frequencies) = self.frequencies.as_deref() else { return Vec::new() };
        let words = self.words.iter().filter(|word| word.postings.frequency(slot, frequencies) > 0.0);
        words.map(|word| word.shown.as_str()).collect()
    }

    /// Appends to a list what each word adds to the score of a block: [`len`](Self::len) numbers whose sum is the score.
    ///
    /// Cost: a search in the posting list of every word.
    pub fn extend_contributions(&self, slot: u32, contributions: &mut Vec<f32>) {
        let Some(frequencies) = self.frequencies.as_deref() else { return };
        let length = self.lengths.get(slot as usize).copied().map_or(0.0, f64::from);
        let long = K1 * (1.0 - B) + K1 * B * length / self.mean_length.max(1.0);
        contributions.extend(self.words.iter().map(|PreparedWord { share, postings, .. }| {
            let frequency = postings.frequency(slot, frequencies);
            if frequency > 0.0 { (share * frequency / (frequency + long)) as f32 } else { 0.0 }
        }));
    }
}

/// Returns a word with the terms that it is taken for, unless it is certain.
fn shown(word: &WeightedWord) -> String {
    if word.certainty >= 1.0 {
        return word.word.clone();
    }
    let terms = word.terms.iter().map(|term| unmarked(term));
    format!("{} ({})", word.word, terms.collect::<Vec<_>>().join(", "))
}

/// Returns the inverse document frequency of a word, as in `elfmem_text::bm25`.
fn rarity(documents: u64, postings: &Postings) -> f64 {
    let (n, df) = (documents as f64, f64::from(postings.live()));
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}
