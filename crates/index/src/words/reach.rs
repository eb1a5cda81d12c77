//! What each word of a question is worth in a given block.

use elfmem_text::bm25::{B, K1};

use super::index::WordIndex;
use super::postings::Postings;
use super::query::WordQuery;

/// A question made ready to be asked about single blocks, word by word. The sum over the words is the block's score.
#[derive(Debug)]
pub struct WordReach<'a> {
    index: &'a WordIndex,
    /// Where a word is held, and its share of the best possible score.
    words: Vec<(&'a Postings, f64)>,
}

impl WordIndex {
    /// Makes a question ready to be asked about single blocks.
    pub fn reach<'a>(&'a self, query: &WordQuery) -> WordReach<'a> {
        let ideal: f64 = query.words().iter().map(|(word, weight)| weight * self.rarity(word)).sum();
        let words = query
            .words()
            .iter()
            .filter(|_| ideal > 0.0)
            .filter_map(|(word, weight)| Some((self.postings_of(word)?, weight * self.rarity(word) / ideal)))
            .collect();
        WordReach { index: self, words }
    }
}

impl WordReach<'_> {
    /// How many words of the question are held by any block.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether no block holds any.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// In how many blocks each of them occurs.
    pub fn document_frequencies(&self) -> impl Iterator<Item = u32> {
        self.words.iter().map(|(postings, _)| postings.live())
    }

    /// Adds what each word is worth in a block to a list.
    ///
    /// Cost: a search in the list of every word.
    pub fn extend(&self, slot: u32, worth: &mut Vec<f32>) {
        let length = f64::from(self.index.length(slot));
        let long = K1 * (1.0 - B) + K1 * B * length / self.index.mean_length().max(1.0);
        worth.extend(self.words.iter().map(|(postings, share)| {
            let frequency = self.index.frequency(postings.code(slot));
            if frequency > 0.0 { (share * frequency / (frequency + long)) as f32 } else { 0.0 }
        }));
    }
}
